// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.gateways;

import io.highway.samples.processes.Processes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A star of Spring Cloud Gateways, for Triple only; Dubbo frames are not HTTP. */
final class SpringCloudStar implements GatewayStar {

    private static final Path MODULE = Path.of("samples", "gateways", "spring-cloud-gateway");
    private static final Pattern GATEWAY_JAR = Pattern.compile("spring-cloud-gateway-server-webflux-([\\d.]+)\\.jar");
    /** Those with a route in {@code star/hub.yml}. */
    private static final List<String> ISLANDS = List.of("shanghai", "beijing");

    private static final int DRAIN_SECONDS = 15;

    private final Processes processes;
    private final String home;
    private final Path module;
    private final int hubPort = Processes.freePort();
    private final int homePort = Processes.freePort();
    private int homes;

    SpringCloudStar(Processes processes, Path folder, String home, List<Island> islands) throws IOException {
        this.processes = processes;
        this.home = home;
        this.module = module(folder);
        List<String> fromHub = new ArrayList<>();
        for (Island island : islands) {
            if (!ISLANDS.contains(island.id())) {
                throw new IllegalArgumentException("star/hub.yml has no route to " + island.id() + ", only " + ISLANDS);
            }
            int port = Processes.freePort();
            start(
                    name(island.id()),
                    "shanghai",
                    port,
                    List.of("--island=" + island.id(), to("providers", port(island))));
            fromHub.add(to(island.id(), port));
        }
        start(name("hub"), "hub", hubPort, fromHub);
        startHome();
    }

    /** Somewhere above the folder of the sample that is running. */
    private static Path module(Path folder) throws IOException {
        for (Path above = folder.toAbsolutePath(); above != null; above = above.getParent()) {
            Path module = above.resolve(MODULE);
            if (Files.isDirectory(module)) {
                if (Files.isDirectory(lib(module))) {
                    return module;
                }
                throw new IOException("not built yet, run: mvn -B -ntp -q -DskipTests package -pl " + MODULE + " -am");
            }
        }
        throw new IOException("there is no " + MODULE + " above " + folder);
    }

    private static Path lib(Path module) {
        return module.resolve(Path.of("target", "lib"));
    }

    private static int port(Island island) {
        return Integer.parseInt(island.triple().substring(island.triple().lastIndexOf(':') + 1));
    }

    private static String to(String name, int port) {
        return "--" + name + "=http://127.0.0.1:" + port;
    }

    private static String name(String place) {
        return place + "-gateway";
    }

    private void startHome() {
        start(homeProcess(), "zhejiang", homePort, List.of(to("hub", hubPort)));
    }

    private String homeProcess() {
        return homes == 0 ? name(home) : name(home) + "." + (homes + 1);
    }

    private void start(String name, String configuration, int port, List<String> addresses) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-cp",
                module.resolve(Path.of("target", "classes")) + ":" + lib(module) + "/*",
                "io.highway.samples.gateways.springcloud.SpringCloudGateway",
                "--spring.config.location=classpath:star/" + configuration + ".yml",
                "--server.address=127.0.0.1",
                "--gateway.port=" + port));
        command.addAll(addresses);
        processes.startProgram(name, command);
        processes.awaitPort(name, port);
    }

    @Override
    public String version() {
        try (Stream<Path> jars = Files.list(lib(module))) {
            return jars.map(jar -> GATEWAY_JAR.matcher(jar.getFileName().toString()))
                    .filter(Matcher::matches)
                    .map(jar -> "Spring Cloud Gateway " + jar.group(1))
                    .findFirst()
                    .orElseThrow();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public Optional<Entrance> dubbo(String island) {
        return Optional.empty();
    }

    @Override
    public Optional<Entrance> triple(String island) {
        return Optional.of(new Entrance("gateway." + home + ".test:" + homePort, Optional.empty()));
    }

    /** The old one gives its port up as soon as it drains; meanwhile nobody listens there. */
    @Override
    public void replaceHome() {
        String old = homeProcess();
        homes++;
        processes.signal(old, "TERM");
        startHome();
        processes.awaitEnd(old, DRAIN_SECONDS);
    }

    @Override
    public void close() {
        // whoever started the processes ends them
    }
}
