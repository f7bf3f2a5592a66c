// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateways;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Spring Cloud Gateway as the module beside this one builds it, with its own class path. */
final class SpringCloud {

    private static final Path MODULE = Path.of("tools", "gateways", "spring-cloud-gateway");
    private static final Pattern GATEWAY_JAR = Pattern.compile("spring-cloud-gateway-server-webflux-([\\d.]+)\\.jar");

    private final Path classes;
    private final Path libraries;

    private SpringCloud(Path module) {
        this.classes = module.resolve(Path.of("target", "classes"));
        this.libraries = module.resolve(Path.of("target", "lib"));
    }

    /** Looks in the folders above the one of the sample that is running. */
    static SpringCloud find(Path folder) {
        for (Path above = folder.toAbsolutePath(); above != null; above = above.getParent()) {
            SpringCloud found = new SpringCloud(above.resolve(MODULE));
            if (Files.isDirectory(found.libraries)) {
                return found;
            }
        }
        throw new IllegalStateException(
                "there is no Spring Cloud Gateway here; run: mvn -B -ntp -q -DskipTests package -pl " + MODULE
                        + " -am");
    }

    /**
     * Its command line.
     *
     * @param configuration on its class path, such as {@code star/hub.yml}
     * @param addresses where it hands calls to, as {@link #to} has them
     */
    List<String> with(String configuration, int port, List<String> addresses) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-cp",
                classes + ":" + libraries + "/*",
                "io.highway.tools.gateways.springcloud.SpringCloudGateway",
                "--spring.config.location=classpath:" + configuration,
                "--server.address=127.0.0.1",
                "--gateway.port=" + port));
        command.addAll(addresses);
        return command;
    }

    /** The argument with the location of {@code name}. */
    static String to(String name, int port) {
        return "--" + name + "=http://127.0.0.1:" + port;
    }

    String version() throws IOException {
        try (Stream<Path> jars = Files.list(libraries)) {
            return jars.map(jar -> GATEWAY_JAR.matcher(jar.getFileName().toString()))
                    .filter(Matcher::matches)
                    .map(jar -> "Spring Cloud Gateway " + jar.group(1))
                    .findFirst()
                    .orElseThrow();
        }
    }
}
