// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateways;

import io.highway.tools.fixtures.ports.FreePorts;
import io.highway.tools.processes.Processes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The minimum instead of a star: home's gateway, with its minimal configuration, in front of one island. */
final class SingleGateway implements GatewayStar {

    private static final String SHANGHAI = "shanghai";
    private static final String MINIMAL = "minimal";
    private static final int CLOSED = 9;

    private final Processes processes;
    private final Path folder;
    private final String home;
    private final int dubbo;
    private final int triple;
    private final int http = FreePorts.next();
    private final List<String> arguments;
    private final Started started;

    /** A gateway that accepts calls; without a port it does not carry the protocol. */
    private record Started(String version, Map<Protocol, Integer> ports) {}

    SingleGateway(
            GatewayKind kind,
            Processes processes,
            Path folder,
            String home,
            Island island,
            int dubbo,
            int triple,
            List<String> arguments)
            throws IOException {
        if (!island.id().equals(SHANGHAI)) {
            throw new IllegalArgumentException(
                    "the configurations have a provider in " + SHANGHAI + ", none in " + island);
        }
        this.processes = processes;
        this.folder = Files.createDirectories(folder.toAbsolutePath());
        this.home = home;
        this.dubbo = dubbo;
        this.triple = triple;
        this.arguments = arguments;
        this.started = switch (kind) {
            case ENVOY, NGINX, HAPROXY, APISIX, REFERENCE -> minimal(kind, island);
            case SCG, SCG_MVC, ZUUL, EDGE -> overHttp(HttpGateway.of(kind, this.folder), island);
        };
    }

    private Started minimal(GatewayKind kind, Island island) throws IOException {
        GatewaySetup setup = new GatewaySetup(kind, folder)
                .address("sms.shanghai.test:20880", island.dubboPort())
                .address("sms.shanghai.test:50051", island.triplePort())
                .address("sms.shanghai.test:8080", island.httpPort())
                .address("sms.beijing.test:20880", CLOSED)
                .address("sms.beijing.test:50051", CLOSED)
                .address("sms.beijing.test:8080", CLOSED);
        if (kind == GatewayKind.REFERENCE) {
            setup.address("0.0.0.0:20880", dubbo).start(processes, name(), MINIMAL, List.of(dubbo), List.of());
            return new Started(
                    "reference gateway", Map.of(Protocol.DUBBO, dubbo, Protocol.TRIPLE, dubbo, Protocol.HTTP, dubbo));
        }
        setup.listen(50051, triple);
        if (kind == GatewayKind.ENVOY) {
            setup.address("0.0.0.0:20880", dubbo);
        } else { // it cannot read attachments: a port per island for Dubbo frames
            setup.address("0.0.0.0:20881", dubbo).address("0.0.0.0:20882", FreePorts.next());
        }
        if (kind == GatewayKind.NGINX) {
            setup.address("0.0.0.0:8080", http);
        }
        setup.start(processes, name(), MINIMAL, List.of(dubbo, triple), arguments);
        int forHttp = kind == GatewayKind.NGINX ? http : triple;
        return new Started(
                Program.of(kind).version(),
                Map.of(Protocol.DUBBO, dubbo, Protocol.TRIPLE, triple, Protocol.HTTP, forHttp));
    }

    private Started overHttp(HttpGateway gateway, Island island) throws IOException {
        List<String> command = gateway.command(arguments, http, Map.of(SHANGHAI, island.httpPort()));
        processes.startProgram(name(), command, List.of(http));
        return new Started(gateway.version(), Map.of(Protocol.HTTP, http));
    }

    private String name() {
        return home + "-gateway";
    }

    @Override
    public String version() {
        return started.version();
    }

    @Override
    public Optional<Entrance> entrance(Protocol protocol, String island) {
        return Optional.ofNullable(started.ports().get(protocol))
                .map(port -> new Entrance("gateway." + home + ".test:" + port, Optional.empty()));
    }

    @Override
    public void replaceHome() {
        throw new UnsupportedOperationException("only a star can");
    }
}
