// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateways;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A gateway for the HTTP tunnel that a module beside this one builds, with its own class path.
 *
 * @param target the module's, with classes and libraries
 */
record HttpGateway(GatewayKind kind, Module module, Path target) {

    private static final Path MODULES = Path.of("tools", "gateways");

    private static final String SPRING_CLOUD = "spring-cloud-gateway-server-";

    /**
     * What each route of MVC needs: the path, too, since a failed call is dispatched to {@code /error}. {@code routed=/**} is
     * as if it was routed by the header alone.
     */
    private static final List<String> MVC_ROUTE = List.of(
            "predicates[1]=Path=${routed:/highway/**}", "filters[0]=RemoveResponseHeader=highway-not-forwarded");

    /**
     * What is known of each.
     *
     * @param options of Maven, which the module needs
     * @param main its class, below the package of this one
     * @param jar the name of the one whose version it has
     */
    private record Module(String title, String folder, String options, String main, String jar) {

        static Module of(GatewayKind kind) {
            return switch (kind) {
                case SCG ->
                    new Module(
                            "Spring Cloud Gateway",
                            "spring-cloud-gateway",
                            "",
                            "springcloud.SpringCloudGateway",
                            SPRING_CLOUD + "webflux");
                case SCG_MVC ->
                    new Module(
                            "Spring Cloud Gateway MVC",
                            "spring-cloud-gateway-mvc",
                            "-Pscg-mvc ",
                            "springcloud.mvc.SpringCloudGatewayMvc",
                            SPRING_CLOUD + "webmvc");
                case ZUUL -> new Module("Zuul", "zuul", "-Pzuul ", "zuul.ZuulGateway", "zuul-core");
                case EDGE -> new Module("EdgeService", "edge", "-Pedge ", "edge.EdgeGateway", "edge-core");
                case ENVOY, NGINX, HAPROXY, APISIX, REFERENCE ->
                    throw new IllegalArgumentException(kind + " has no module");
            };
        }
    }

    /** Looks in the folders above the one of the sample that is running. */
    static HttpGateway of(GatewayKind kind, Path folder) {
        Module module = Module.of(kind);
        Path path = MODULES.resolve(module.folder);
        for (Path above = folder.toAbsolutePath(); above != null; above = above.getParent()) {
            Path target = above.resolve(path).resolve("target");
            if (Files.isDirectory(target.resolve("lib"))) {
                return new HttpGateway(kind, module, target);
            }
        }
        throw new IllegalStateException("there is no " + kind + " here; run: mvn -B -ntp -q -DskipTests package "
                + module.options + "-pl " + path + " -am");
    }

    /** Name and version, which is in the name of its jar. */
    String version() throws IOException {
        Pattern name = Pattern.compile(module.jar + "-([\\d.]+)\\.jar");
        try (Stream<Path> jars = Files.list(target.resolve("lib"))) {
            return jars.map(file -> name.matcher(file.getFileName().toString()))
                    .filter(Matcher::matches)
                    .map(file -> module.title + " " + file.group(1))
                    .findFirst()
                    .orElseThrow();
        }
    }

    /**
     * Its command line.
     *
     * @param settings in place of those in its file
     * @param providers the port of each island's provider
     */
    List<String> command(List<String> settings, int port, Map<String, Integer> providers) {
        List<String> options = new ArrayList<>(List.of("-Xmx512m"));
        List<String> arguments = new ArrayList<>();
        if (module.jar.startsWith(SPRING_CLOUD)) {
            addSpringCloud(arguments, settings, port, providers);
        } else {
            options.add("-Dorg.slf4j.simpleLogger.defaultLogLevel=warn");
            (kind == GatewayKind.ZUUL ? options : arguments).addAll(settings);
            arguments.add(
                    kind == GatewayKind.ZUUL ? String.valueOf(port) : "--gateway.address=" + Template.local(port));
            providers.forEach((island, provider) -> arguments.add(island + "=" + Template.local(provider)));
        }
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        command.addAll(List.of("-cp", target.resolve("classes") + ":" + target.resolve("lib") + "/*"));
        command.add("io.highway.tools.gateways." + module.main);
        command.addAll(arguments);
        return command;
    }

    private void addSpringCloud(
            List<String> arguments, List<String> settings, int port, Map<String, Integer> providers) {
        arguments.addAll(List.of(
                "--spring.config.location=classpath:http.yml", "--server.address=127.0.0.1", "--gateway.port=" + port));
        arguments.addAll(settings);
        int number = 0;
        for (Map.Entry<String, Integer> island : providers.entrySet()) {
            String route = "--spring.cloud.gateway.server." + module.jar.substring(SPRING_CLOUD.length()) + ".routes["
                    + number + "].";
            arguments.add(route + "id=" + island.getKey());
            arguments.add(route + "uri=http://" + Template.local(island.getValue()));
            arguments.add(route + "predicates[0]=Header=highway-island, " + island.getKey());
            if (kind == GatewayKind.SCG_MVC) {
                MVC_ROUTE.forEach(one -> arguments.add(route + one));
            }
            number++;
        }
    }
}
