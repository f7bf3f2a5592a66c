// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.gateways;

import io.highway.samples.processes.Processes;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A star of the gateway in {@code samples/gateway}: one address for both protocols and all islands. */
final class ReferenceStar implements GatewayStar {

    private final Entrance entrance;

    ReferenceStar(Processes processes, String home, List<Island> islands) throws IOException {
        Map<String, String> overHub = new LinkedHashMap<>();
        for (Island island : islands) {
            String gateway = processes.gateway(
                    island.id(), Map.of(island.id(), Processes.providers(island.dubbo(), island.triple())));
            overHub.put(island.id(), Processes.next(gateway));
        }
        String hub = processes.gateway("hub", overHub);
        Map<String, String> fromHome = new LinkedHashMap<>();
        overHub.keySet().forEach(island -> fromHome.put(island, Processes.next(hub)));
        entrance = new Entrance(processes.gateway(home, fromHome), Optional.empty());
    }

    @Override
    public String version() {
        return "reference gateway";
    }

    @Override
    public Optional<Entrance> dubbo(String island) {
        return Optional.of(entrance);
    }

    @Override
    public Optional<Entrance> triple(String island) {
        return Optional.of(entrance);
    }

    @Override
    public void replaceHome() {
        throw new UnsupportedOperationException("not yet");
    }

    @Override
    public void close() {
        // whoever started the processes ends them
    }
}
