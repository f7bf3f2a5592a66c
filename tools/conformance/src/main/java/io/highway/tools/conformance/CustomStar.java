// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.conformance;

import io.highway.tools.gateways.Entrance;
import io.highway.tools.gateways.GatewayStar;
import java.util.Map;
import java.util.Optional;

/** Gateways that were started elsewhere. */
final class CustomStar implements GatewayStar {

    /** The default for every island without an address. */
    static final String ANY = "";

    private final Map<String, String> dubbo;
    private final Map<String, String> triple;
    private final Map<String, String> http;

    /** Each by island, {@code host:port}. */
    CustomStar(Map<String, String> dubbo, Map<String, String> triple, Map<String, String> http) {
        this.dubbo = Map.copyOf(dubbo);
        this.triple = Map.copyOf(triple);
        this.http = Map.copyOf(http);
    }

    @Override
    public String version() {
        return "a gateway that the kit did not start";
    }

    @Override
    public Optional<Entrance> dubbo(String island) {
        return entrance(dubbo, island);
    }

    @Override
    public Optional<Entrance> triple(String island) {
        return entrance(triple, island);
    }

    @Override
    public Optional<Entrance> http(String island) {
        return entrance(http, island);
    }

    private static Optional<Entrance> entrance(Map<String, String> addresses, String island) {
        return Optional.ofNullable(addresses.getOrDefault(island, addresses.get(ANY)))
                .map(address -> new Entrance(address, Optional.empty()));
    }

    @Override
    public void replaceHome() {
        throw new UnsupportedOperationException("the kit did not start this gateway");
    }

    @Override
    public void close() {
        // not started here, so not stopped here
    }
}
