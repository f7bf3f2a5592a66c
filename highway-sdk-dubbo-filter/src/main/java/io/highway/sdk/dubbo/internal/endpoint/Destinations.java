// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.endpoint;

import io.highway.sdk.dubbo.NetworkListener;
import io.highway.sdk.dubbo.internal.compression.PeerEncodings;
import io.highway.sdk.dubbo.internal.config.Gateway;
import io.highway.sdk.dubbo.internal.config.IslandPolicy;
import io.highway.sdk.dubbo.internal.config.Policy;
import io.highway.sdk.dubbo.internal.connection.GatewayConnection;
import io.highway.sdk.dubbo.internal.connection.GatewayConnectionPool;
import io.highway.sdk.dubbo.internal.limits.Listeners;
import io.highway.sdk.dubbo.internal.route.OutgoingHeaders;
import io.highway.sdk.dubbo.internal.route.RouteDecision;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.jspecify.annotations.Nullable;

/** The islands that one policy lets calls reach, and their health checks. Thread-safe. */
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
    private final Listeners<NetworkListener> listeners;
    private final HealthChecker heartbeat;

    /** Those of the policy. Calls decided on this snapshot open no others, which nothing would close. */
    private final Map<Gateway, GatewayConnection> opened = new HashMap<>();

    private final Map<String, Destination> configured;
    private final Map<String, Destination> others = new ConcurrentHashMap<>();

    /** Of the snapshot before, where this policy has none: if the next one has them, they come back with their health. */
    private final Map<String, Destination> leftOut = new HashMap<>();

    /**
     * Starts with the islands of the policy, and connects its gateways in the background.
     *
     * @param headers the route headers of a call that leaves home
     */
    public Destinations(
            ApplicationModel application,
            GatewayConnectionPool connections,
            Policy policy,
            Listeners<NetworkListener> listeners,
            Function<RouteDecision.Tunnel, OutgoingHeaders> headers) {
        this(
                connections,
                listeners,
                new HealthChecker(policy.heartbeat(), new EchoProbe(application, headers), connections),
                policy,
                null);
    }

    private Destinations(
            GatewayConnectionPool connections,
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
                byIsland.put(island, destination(island, known, true, before == null ? null : before.lastOf(island)));
            }
        }
        this.configured = Map.copyOf(byIsland);
        if (before != null) {
            before.others.values().forEach(other -> keepUnnamed(other, policy));
            before.configured.values().forEach(other -> keepUnnamed(other, policy));
        }
    }

    /** Keeps a destination of the snapshot before that this policy does not name: to be used if it is allowed. */
    private void keepUnnamed(Destination before, Policy policy) {
        String island = before.island();
        IslandPolicy allowed = policy.forIsland(island);
        if (configured.containsKey(island) || island.equals(policy.home())) {
            return;
        }
        if (allowed != null) {
            others.put(island, destination(island, allowed, false, before));
        } else {
            leftOut.put(island, before);
        }
    }

    private @Nullable Destination lastOf(String island) {
        Destination known = of(island);
        return known != null ? known : leftOut.get(island);
    }

    private Destination destination(String island, IslandPolicy policy, boolean named, @Nullable Destination before) {
        return before == null
                ? new Destination(
                        new IslandWiring(island, named, connections, heartbeat, listeners, new PeerEncodings()),
                        policy,
                        this::connection)
                : before.with(policy, named, this::connection);
    }

    private GatewayConnection connection(Gateway gateway) {
        return Objects.requireNonNull(opened.get(gateway), "a gateway of the policy");
    }

    /**
     * The destinations of another policy: islands whose policy is the same keep theirs. New gateways are connected in
     * the background. The settings of health checks change at once, for calls of both snapshots.
     */
    public Destinations with(Policy next) {
        Destinations following = new Destinations(connections, listeners, heartbeat, next, this);
        heartbeat.follow(next.heartbeat());
        return following;
    }

    /** The connections to gateways. */
    public GatewayConnectionPool connections() {
        return connections;
    }

    /** The destination of a call. */
    public Destination of(RouteDecision.Tunnel decision) {
        Destination known = of(decision.island());
        return (known != null ? known : other(decision.island(), decision.policy())).of(decision.policy());
    }

    private synchronized Destination other(String island, IslandPolicy policy) {
        if (others.size() >= MOST) {
            forgetUnused();
        }
        return others.computeIfAbsent(island, any -> destination(island, policy, false, null));
    }

    /** Drops a tenth at once, so that ever new island names stay cheap. Calls in flight are not affected. */
    private void forgetUnused() {
        long now = connections.clock().getAsLong();
        others.values().stream()
                .map(one -> new Unused(one, unusedNanos(one, now)))
                .sorted(Comparator.comparingLong(Unused::nanos).reversed())
                .limit(MOST / 10)
                .toList()
                .forEach(unused -> others.remove(unused.destination.island(), unused.destination));
    }

    private record Unused(Destination destination, long nanos) {}

    /**
     * Sends {@code $echo} over an endpoint, beside its health checks, which do not see the answer.
     *
     * @param service {@code [group/]interface[:version]}
     */
    public CompletableFuture<EchoAnswer> echo(
            Destination destination, GatewayEndpoint endpoint, String service, int timeoutMillis) {
        return heartbeat.echo(endpoint, service, destination.probed(), timeoutMillis);
    }

    /** The island, or null if neither a call nor a key has named it. */
    public @Nullable Destination of(String island) {
        Destination known = configured.get(island);
        return known != null ? known : others.get(island);
    }

    /** Updates health, preferred tunnels and health checks; called periodically by one thread. */
    public void update() {
        long now = connections.clock().getAsLong();
        configured.values().forEach(destination -> update(destination, now));
        others.values().forEach(destination -> update(destination, now));
        others.values().removeIf(destination -> isForgotten(destination, now));
    }

    private static boolean isForgotten(Destination destination, long now) {
        boolean hasAnswered =
                destination.all().stream().anyMatch(part -> part.use().hasAnswered());
        return unusedNanos(destination, now) > (hasAnswered ? UNUSED_NANOS : UNKNOWN_NANOS);
    }

    /** Of all classes of calls. */
    private static long unusedNanos(Destination destination, long now) {
        return destination.all().stream()
                .mapToLong(part -> part.use().unusedNanos(now))
                .min()
                .orElseThrow();
    }

    private void update(Destination destination, long now) {
        for (Destination part : destination.all()) {
            part.update(now);
            heartbeat.update(part.endpoints(), part.probed(), now);
        }
    }
}
