// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateways;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Spring Cloud Gateway, on WebFlux or on MVC. */
record SpringCloud(String server, String main, List<String> more, JavaGateway gateway) implements HttpGateway {

    /** What each route of MVC needs; {@code routed=/**} is as if it was routed by the header alone. */
    private static final List<String> MORE = List.of(
            "predicates[1]=Path=${routed:/highway/**}", "filters[0]=RemoveResponseHeader=highway-not-forwarded");

    /** Looks in the folders above the one of the sample that is running. */
    static SpringCloud webFlux(Path folder) {
        JavaGateway gateway = JavaGateway.find(folder, "spring-cloud-gateway", "");
        return new SpringCloud("webflux", "SpringCloudGateway", List.of(), gateway);
    }

    /** The same on MVC, whose routes name the path, too: a failed call is dispatched to {@code /error}. */
    static SpringCloud mvc(Path folder) {
        JavaGateway gateway = JavaGateway.find(folder, "spring-cloud-gateway-mvc", "-Pscg-mvc ");
        return new SpringCloud("webmvc", "mvc.SpringCloudGatewayMvc", MORE, gateway);
    }

    @Override
    public List<String> command(List<String> settings, int port, Map<String, Integer> providers) {
        List<String> arguments = new ArrayList<>(List.of(
                "--spring.config.location=classpath:http.yml", "--server.address=127.0.0.1", "--gateway.port=" + port));
        arguments.addAll(settings);
        int number = 0;
        for (Map.Entry<String, Integer> island : providers.entrySet()) {
            String route = "--spring.cloud.gateway.server." + server + ".routes[" + number + "].";
            arguments.add(route + "id=" + island.getKey());
            arguments.add(route + "uri=http://" + Template.local(island.getValue()));
            arguments.add(route + "predicates[0]=Header=highway-island, " + island.getKey());
            more.forEach(one -> arguments.add(route + one));
            number++;
        }
        return gateway.with(List.of(), "io.highway.tools.gateways.springcloud." + main, arguments);
    }

    @Override
    public String version() throws IOException {
        return "Spring Cloud Gateway " + (server.equals("webmvc") ? "MVC " : "")
                + gateway.version("spring-cloud-gateway-server-" + server);
    }
}
