// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.spring.actuate;

import io.highway.sdk.dubbo.GatewayAddress;
import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.TrafficClass;
import io.highway.sdk.dubbo.internal.config.Gateway;
import io.highway.sdk.dubbo.internal.config.IslandPolicy;
import io.highway.sdk.dubbo.internal.config.Policy;
import io.micrometer.core.instrument.Tags;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The tags of meters, and whether a policy has what they name. */
final class MeterTags {

    static final String OTHER = "other";
    static final String NONE = "none";
    static final String ISLAND = "island";
    static final String TUNNEL = "tunnel";
    static final String GATEWAY = "gateway";
    static final String CLASS = "class";
    static final String REASON = "reason";

    /** Of calls to islands that only the policy in force does not name: their series stay. */
    static final String UNKNOWN_ISLAND = Reason.UNKNOWN_ISLAND.word();

    private MeterTags() {}

    static Tags endpoint(String island, GatewayAddress gateway, TrafficClass calls) {
        return gateway(gateway, calls).and(ISLAND, island);
    }

    static Tags gateway(GatewayAddress gateway, TrafficClass calls) {
        return Tags.of(TUNNEL, gateway.kind().word(), GATEWAY, gateway.hostAndPort(), CLASS, calls.word());
    }

    /** Whether the policy has the island and the endpoint of a meter, as far as its tags name them. */
    static boolean isUsed(Tags tags, Policy policy) {
        Map<String, String> values = new HashMap<>();
        tags.forEach(tag -> values.put(tag.getKey(), tag.getValue()));
        String island = values.get(ISLAND);
        String gateway = values.get(GATEWAY);
        if (island != null && !isKnown(island, policy)) {
            return UNKNOWN_ISLAND.equals(values.get(REASON));
        }
        return gateway == null
                || gatewaysTo(island, policy)
                        .anyMatch(known -> known.address().hostAndPort().equals(gateway)
                                && known.address().kind().word().equals(values.get(TUNNEL))
                                && known.trafficClass().word().equals(values.get(CLASS)));
    }

    static Stream<Gateway> gatewaysTo(@Nullable String island, Policy policy) {
        if (island == null || island.equals(OTHER)) {
            return policy.gateways().stream();
        }
        IslandPolicy known = Objects.requireNonNull(policy.forIsland(island));
        return known.withServices().flatMap(part -> part.trafficClasses().stream()
                .flatMap(calls -> part.tunnels().stream().flatMap(tunnel -> part.gateways(tunnel, calls).stream())));
    }

    static boolean isKnown(String island, Policy policy) {
        return island.equals(OTHER) || policy.knownIslands().contains(island);
    }
}
