// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.conformance;

import io.highway.tools.gateways.Entrance;
import io.highway.tools.gateways.GatewayStar;
import io.highway.tools.gateways.Protocol;
import java.util.Map;
import java.util.Optional;

/**
 * Gateways that were started elsewhere.
 *
 * @param addresses where it takes each protocol: {@code host:port} by island, or by {@link #ANY}
 */
record CustomStar(Map<Protocol, Map<String, String>> addresses) implements GatewayStar {

    /** The default for every island without an address. */
    static final String ANY = "";

    @Override
    public String version() {
        return "a gateway that the kit did not start";
    }

    @Override
    public Optional<Entrance> entrance(Protocol protocol, String island) {
        Map<String, String> byIsland = addresses.getOrDefault(protocol, Map.of());
        return Optional.ofNullable(byIsland.getOrDefault(island, byIsland.get(ANY)))
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
