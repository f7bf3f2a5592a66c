// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateways;

import io.highway.tools.fixtures.ports.FreePorts;
import io.highway.tools.processes.Processes;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** A star of Spring Cloud Gateways for Triple, and one for the HTTP tunnel; Dubbo frames are not HTTP. */
final class SpringCloudStar implements GatewayStar {

    private static final String REMOVED =
            "--spring.cloud.gateway.server.webflux.default-filters[%d]=RemoveResponseHeader=%s";
    private static final int DRAIN_SECONDS = 15;

    private final Processes processes;
    private final String home;
    private final SpringCloud springCloud;
    private final String version;
    private final String known;
    private final int hubPort = FreePorts.next();
    private final int homePort = FreePorts.next();
    private final int httpPort = FreePorts.next();
    private final Map<String, Integer> providers = new LinkedHashMap<>();
    private final List<String> settings;
    private int replaced;

    /** @param settings of the gateway for the HTTP tunnel, in place of those in its file */
    SpringCloudStar(Processes processes, Path folder, String home, List<Island> islands, List<String> settings)
            throws IOException {
        this.settings = settings;
        this.processes = processes;
        this.home = home;
        this.springCloud = SpringCloud.webFlux(folder);
        this.version = springCloud.version();
        this.known = "--islands=" + islands.stream().map(Island::id).collect(Collectors.joining("|"));
        List<String> fromHub = new ArrayList<>();
        for (int number = 0; number < islands.size(); number++) {
            Island island = islands.get(number);
            int port = FreePorts.next();
            List<String> arguments = new ArrayList<>(
                    List.of("--island=" + island.id(), SpringCloud.to("providers", island.triplePort())));
            if (!island.guarded()) {
                arguments.add(REMOVED.formatted(0, "highway-not-forwarded"));
                arguments.add(REMOVED.formatted(1, "highway-refused"));
            }
            start(name(island.id()), "shanghai", port, arguments);
            fromHub.addAll(springCloud.route(number, island.id(), port));
            providers.put(island.id(), island.httpPort());
        }
        start(name("hub"), "hub", hubPort, fromHub);
        startHome();
    }

    private void startHome() {
        start(process(home), "zhejiang", homePort, List.of(known, SpringCloud.to("hub", hubPort)));
        processes.startProgram(process("http"), springCloud.command(settings, httpPort, providers), List.of(httpPort));
    }

    private void start(String name, String configuration, int port, List<String> addresses) {
        processes.startProgram(
                name, springCloud.with("star/" + configuration + ".yml", port, addresses), List.of(port));
    }

    private static String name(String place) {
        return place + "-gateway";
    }

    private String process(String place) {
        return replaced == 0 ? name(place) : name(place) + "." + (replaced + 1);
    }

    @Override
    public String version() {
        return version;
    }

    /** Calls over HTTP/1.1 enter at home's gateway for them. */
    @Override
    public Optional<Entrance> entrance(Protocol protocol, String island) {
        return switch (protocol) {
            case DUBBO -> Optional.empty();
            case TRIPLE -> entrance(homePort);
            case HTTP -> entrance(httpPort);
        };
    }

    private Optional<Entrance> entrance(int port) {
        return Optional.of(new Entrance("gateway." + home + ".test:" + port, Optional.empty()));
    }

    /** The old one closes its port as soon as it drains; until the new one has started, nothing listens there. */
    @Override
    public void replaceHome() {
        List<String> old = List.of(process(home), process("http"));
        replaced++;
        old.forEach(process -> processes.signal(process, "TERM"));
        startHome();
        old.forEach(process -> processes.awaitEnd(process, DRAIN_SECONDS));
    }
}
