// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.lane;

import io.highway.sdk.dubbo.guard.RouteHeaders;
import io.highway.sdk.dubbo.link.GatewayLinks;
import io.highway.sdk.dubbo.policy.IslandPolicy;
import io.highway.sdk.dubbo.policy.Policy;
import io.highway.sdk.dubbo.route.RouteDecision;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.jspecify.annotations.Nullable;

/** Every island that this application reaches, and their heartbeats. Thread-safe. */
public final class Destinations {

    /** Where the gateway decides, callers may name any island; beyond so many they share one. */
    private static final int MOST = 1000;

    private static final String OTHERS = "others";

    private final GatewayLinks links;
    private final NetworkListener listener;
    private final Map<String, Destination> byIsland = new ConcurrentHashMap<>();
    private final Heartbeat heartbeat;

    /**
     * Reaches the islands of the policy from now on.
     *
     * @param headers the route headers of a call that leaves home
     */
    public Destinations(
            ApplicationModel application,
            GatewayLinks links,
            Policy policy,
            List<NetworkListener> listeners,
            Function<RouteDecision.Tunnel, RouteHeaders> headers) {
        this.links = links;
        this.listener = new NetworkListeners(listeners);
        this.heartbeat = new Heartbeat(policy.heartbeat(), new Echo(application, headers), links);
        for (String island : policy.knownIslands()) {
            IslandPolicy known = policy.forIsland(island);
            if (known != null && !island.equals(policy.home())) {
                byIsland.put(island, new Destination(island, known, links, listener));
            }
        }
        links.everyTick(this::turn);
    }

    /** The connections to gateways. */
    public GatewayLinks links() {
        return links;
    }

    /** Where a call goes. */
    public Destination of(RouteDecision.Tunnel decision) {
        Destination known = byIsland.get(decision.island());
        if (known != null) {
            return known;
        }
        String island = byIsland.size() < MOST ? decision.island() : OTHERS;
        return byIsland.computeIfAbsent(island, any -> new Destination(island, decision.policy(), links, listener));
    }

    /** The island, or null if no call has named it and no key does. */
    public @Nullable Destination of(String island) {
        return byIsland.get(island);
    }

    private void turn() {
        long now = System.nanoTime();
        for (Destination destination : byIsland.values()) {
            destination.turn(now);
            heartbeat.turn(destination, now);
        }
    }
}
