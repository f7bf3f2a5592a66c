// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateways;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Spring Cloud Gateway. */
final class SpringCloud {

    private static final String ROUTE = "--spring.cloud.gateway.server.webflux.routes[%d].%s=%s";

    private final JavaGateway gateway;

    /** Looks in the folders above the one of the sample that is running. */
    SpringCloud(Path folder) {
        this.gateway = JavaGateway.find(folder, "spring-cloud-gateway", "");
    }

    /**
     * Its command line.
     *
     * @param configuration on its class path, such as {@code star/hub.yml}
     * @param addresses where it hands calls to, as {@link #to} has them
     */
    List<String> with(String configuration, int port, List<String> addresses) {
        List<String> arguments = new ArrayList<>(List.of(
                "--spring.config.location=classpath:" + configuration,
                "--server.address=127.0.0.1",
                "--gateway.port=" + port));
        arguments.addAll(addresses);
        return gateway.with(List.of(), "io.highway.tools.gateways.springcloud.SpringCloudGateway", arguments);
    }

    /** The argument with the location of {@code name}. */
    static String to(String name, int port) {
        return "--" + name + "=http://127.0.0.1:" + port;
    }

    /** The arguments with one route, in place of those in a file. */
    static List<String> route(int number, String island, int port) {
        return List.of(
                ROUTE.formatted(number, "id", island),
                ROUTE.formatted(number, "uri", "http://127.0.0.1:" + port),
                ROUTE.formatted(number, "predicates[0]", "Header=highway-island, " + island));
    }

    String version() throws IOException {
        return "Spring Cloud Gateway " + gateway.version("spring-cloud-gateway-server-webflux");
    }
}
