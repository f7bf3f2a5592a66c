// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.endpoint;

import io.highway.sdk.dubbo.NetworkListener;
import io.highway.sdk.dubbo.connection.GatewayConnectionPool;
import io.highway.sdk.dubbo.policy.IslandPolicy;
import io.highway.sdk.dubbo.policy.Policy;
import io.highway.sdk.dubbo.route.OutgoingHeaders;
import io.highway.sdk.dubbo.route.RouteDecision;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.jspecify.annotations.Nullable;

/** The islands of this application, and their health checks. Thread-safe. */
public final class Destinations {

    /**
     * With {@code unknown-islands=gateway} callers may name any island; beyond this number the least recently used ones
     * are dropped.
     */
    static final int MOST = 1000;

    /** An island that has never answered is dropped after this time without a call, as it may not exist. */
    private static final long UNKNOWN_NANOS = TimeUnit.MINUTES.toNanos(1);

    private static final long UNUSED_NANOS = TimeUnit.MINUTES.toNanos(10);

    private final GatewayConnectionPool connections;
    private final NetworkListener listener;
    private final Map<String, Destination> configured;
    private final Map<String, Destination> others = new ConcurrentHashMap<>();
    private final HealthChecker heartbeat;

    /**
     * Starts with the islands of the policy.
     *
     * @param headers the route headers of a call that leaves home
     */
    public Destinations(
            ApplicationModel application,
            GatewayConnectionPool connections,
            Policy policy,
            List<NetworkListener> listeners,
            Function<RouteDecision.Tunnel, OutgoingHeaders> headers) {
        this.connections = connections;
        this.listener = new NetworkListeners(listeners);
        this.heartbeat = new HealthChecker(policy.heartbeat(), new EchoProbe(application, headers), connections);
        Map<String, Destination> byIsland = new HashMap<>();
        for (String island : policy.knownIslands()) {
            IslandPolicy known = policy.forIsland(island);
            if (known != null && !island.equals(policy.home())) {
                byIsland.put(island, new Destination(island, known, true, connections, heartbeat, listener));
            }
        }
        this.configured = Map.copyOf(byIsland);
        connections.everyTick(this::update);
    }

    /** The connections to gateways. */
    public GatewayConnectionPool connections() {
        return connections;
    }

    /** The destination of a call. */
    public Destination of(RouteDecision.Tunnel decision) {
        String island = decision.island();
        Destination known = configured.get(island);
        known = known != null ? known : others.get(island);
        return known != null ? known : other(island, decision.policy());
    }

    private synchronized Destination other(String island, IslandPolicy policy) {
        if (others.size() >= MOST) {
            forgetUnused();
        }
        return others.computeIfAbsent(
                island, any -> new Destination(island, policy, false, connections, heartbeat, listener));
    }

    /** Drops a tenth at once, so that ever new island names stay cheap. Calls in flight are not affected. */
    private void forgetUnused() {
        long now = System.nanoTime();
        others.values().stream()
                .map(one -> new Unused(one, one.unusedNanos(now)))
                .sorted(Comparator.comparingLong(Unused::nanos).reversed())
                .limit(MOST / 10)
                .toList()
                .forEach(unused -> others.remove(unused.destination.island(), unused.destination));
    }

    private record Unused(Destination destination, long nanos) {}

    /** The island, or null if neither a call nor a key has named it. */
    public @Nullable Destination of(String island) {
        Destination known = configured.get(island);
        return known != null ? known : others.get(island);
    }

    private void update() {
        long now = System.nanoTime();
        configured.values().forEach(destination -> update(destination, now));
        others.values().forEach(destination -> update(destination, now));
        others.values().removeIf(destination -> isForgotten(destination, now));
    }

    private static boolean isForgotten(Destination destination, long now) {
        return destination.unusedNanos(now) > (destination.hasAnswered() ? UNUSED_NANOS : UNKNOWN_NANOS);
    }

    private void update(Destination destination, long now) {
        destination.update(now);
        heartbeat.update(destination, now);
    }
}
