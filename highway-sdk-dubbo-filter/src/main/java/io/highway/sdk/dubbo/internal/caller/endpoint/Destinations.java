// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.caller.endpoint;

import io.highway.sdk.dubbo.NetworkListener;
import io.highway.sdk.dubbo.internal.caller.route.RouteDecision;
import io.highway.sdk.dubbo.internal.limits.Listeners;
import io.highway.sdk.dubbo.internal.network.compression.PeerEncodings;
import io.highway.sdk.dubbo.internal.network.connection.ConnectionPool;
import io.highway.sdk.dubbo.internal.network.connection.ReconnectingLink;
import io.highway.sdk.dubbo.internal.policy.GatewaySpec;
import io.highway.sdk.dubbo.internal.policy.IslandPolicy;
import io.highway.sdk.dubbo.internal.policy.Policy;
import io.highway.sdk.dubbo.internal.signature.OutboundRouteHeaders;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.jspecify.annotations.Nullable;

/** The islands that one policy lets calls reach, and their health checks. Thread-safe. */
public final class Destinations {

    private final ConnectionPool connections;
    private final Listeners<NetworkListener> listeners;
    private final HealthChecker heartbeat;

    /** Those of the policy. Calls decided on this snapshot open no others, which nothing would close. */
    private final Map<GatewaySpec, ReconnectingLink> opened = new HashMap<>();

    private final Map<String, Destination> configured;

    /** Of the snapshot before, where this policy has none: if the next one has them, they come back with their health. */
    private final Map<String, Destination> leftOut = new HashMap<>();

    /**
     * Starts with the islands of the policy, and connects its gateways in the background.
     *
     * @param headers the route headers of a call that leaves home
     */
    public Destinations(
            ApplicationModel application,
            ConnectionPool connections,
            Policy policy,
            Listeners<NetworkListener> listeners,
            Function<RouteDecision.Tunnel, OutboundRouteHeaders> headers) {
        this(
                connections,
                listeners,
                new HealthChecker(policy.local().heartbeat(), new EchoProbe(application, headers), connections),
                policy,
                null);
    }

    private Destinations(
            ConnectionPool connections,
            Listeners<NetworkListener> listeners,
            HealthChecker heartbeat,
            Policy policy,
            @Nullable Destinations before) {
        this.connections = connections;
        this.listeners = listeners;
        this.heartbeat = heartbeat;
        policy.gateways().forEach(gateway -> opened.put(gateway, connections.connection(gateway)));
        Map<String, Destination> byIsland = new HashMap<>();
        for (String island : policy.knownIslands()) {
            IslandPolicy known = policy.forIsland(island);
            if (known != null && !island.equals(policy.home())) {
                byIsland.put(island, destination(island, known, before == null ? null : before.lastOf(island)));
            }
        }
        this.configured = Map.copyOf(byIsland);
        if (before != null) {
            leftOut.putAll(before.configured);
            leftOut.keySet().removeAll(byIsland.keySet());
        }
    }

    private @Nullable Destination lastOf(String island) {
        Destination known = of(island);
        return known != null ? known : leftOut.get(island);
    }

    private Destination destination(String island, IslandPolicy policy, @Nullable Destination before) {
        return before == null
                ? new Destination(
                        new IslandContext(island, connections, heartbeat, listeners, new PeerEncodings()),
                        policy,
                        this::connection)
                : before.with(policy, this::connection);
    }

    private ReconnectingLink connection(GatewaySpec gateway) {
        return Objects.requireNonNull(opened.get(gateway), "a gateway of the policy");
    }

    /**
     * The destinations of another policy: islands whose policy is the same keep theirs. New gateways are connected in
     * the background. The settings of health checks change at once, for calls of both snapshots.
     */
    public Destinations with(Policy next) {
        Destinations following = new Destinations(connections, listeners, heartbeat, next, this);
        heartbeat.follow(next.local().heartbeat());
        return following;
    }

    /** The connections to gateways. */
    public ConnectionPool connections() {
        return connections;
    }

    /** The destination of a call. */
    public Destination of(RouteDecision.Tunnel decision) {
        return Objects.requireNonNull(configured.get(decision.island()), "an island of the policy")
                .of(decision.policy());
    }

    /**
     * Sends {@code $echo} over an endpoint, next to its health checks, which do not see the answer.
     *
     * @param service {@code [group/]interface[:version]}
     */
    public CompletableFuture<EchoOutcome> echo(
            Destination destination, GatewayEndpoint endpoint, String service, int timeoutMillis) {
        return heartbeat.echo(endpoint, service, destination.probed(), timeoutMillis);
    }

    /** The island, or null if the policy does not name it. */
    public @Nullable Destination of(String island) {
        return configured.get(island);
    }

    /** Updates health, preferred tunnels and health checks; called periodically by one thread. */
    public void update() {
        long now = connections.clock().getAsLong();
        configured.values().forEach(destination -> update(destination, now));
    }

    private void update(Destination destination, long now) {
        for (Destination part : destination.all()) {
            part.update(now);
            heartbeat.update(part.endpoints(), part.probed(), now);
        }
    }
}
