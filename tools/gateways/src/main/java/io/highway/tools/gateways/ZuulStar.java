// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateways;

import io.highway.tools.fixtures.ports.FreePorts;
import io.highway.tools.processes.Processes;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** One Zuul in front of the providers of all islands, for the HTTP tunnel only. */
final class ZuulStar implements GatewayStar {

    private final String version;
    private final Entrance entrance;

    ZuulStar(Processes processes, Path folder, String home, List<Island> islands) throws IOException {
        int port = FreePorts.next();
        Zuul zuul = new Zuul(folder);
        this.version = zuul.version();
        this.entrance = new Entrance("gateway." + home + ".test:" + port, Optional.empty());
        List<String> routes = islands.stream()
                .map(island -> Zuul.to(island.id(), island.triplePort()))
                .toList();
        processes.startProgram(home + "-gateway", zuul.with(List.of(), port, routes), List.of(port));
    }

    @Override
    public String version() {
        return version;
    }

    @Override
    public Optional<Entrance> dubbo(String island) {
        return Optional.empty();
    }

    @Override
    public Optional<Entrance> triple(String island) {
        return Optional.empty();
    }

    @Override
    public Optional<Entrance> http(String island) {
        return Optional.of(entrance);
    }
}
