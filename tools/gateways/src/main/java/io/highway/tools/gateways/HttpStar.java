// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateways;

import io.highway.tools.fixtures.ports.FreePorts;
import io.highway.tools.processes.Processes;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** One gateway in front of the providers of all islands, for the HTTP tunnel only. */
final class HttpStar implements GatewayStar {

    private final String version;
    private final Entrance entrance;

    HttpStar(HttpGateway gateway, Processes processes, String home, List<Island> islands, List<String> settings)
            throws IOException {
        int port = FreePorts.next();
        this.version = gateway.version();
        this.entrance = new Entrance("gateway." + home + ".test:" + port, Optional.empty());
        Map<String, Integer> providers = new LinkedHashMap<>();
        islands.forEach(island -> providers.put(island.id(), island.httpPort()));
        processes.startProgram(home + "-gateway", gateway.command(settings, port, providers), List.of(port));
    }

    @Override
    public String version() {
        return version;
    }

    @Override
    public Optional<Entrance> entrance(Protocol protocol, String island) {
        return protocol == Protocol.HTTP ? Optional.of(entrance) : Optional.empty();
    }
}
