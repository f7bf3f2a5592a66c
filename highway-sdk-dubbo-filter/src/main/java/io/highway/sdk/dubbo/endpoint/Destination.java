// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.endpoint;

import io.highway.sdk.dubbo.NetworkListener;
import io.highway.sdk.dubbo.TunnelKind;
import io.highway.sdk.dubbo.connection.GatewayConnectionPool;
import io.highway.sdk.dubbo.endpoint.GatewayEndpoint.HealthStatus;
import io.highway.sdk.dubbo.endpoint.ProbeSchedule.Cause;
import io.highway.sdk.dubbo.policy.Gateway;
import io.highway.sdk.dubbo.policy.IslandPolicy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.dubbo.common.logger.Logger;
import org.apache.dubbo.common.logger.LoggerFactory;
import org.jspecify.annotations.Nullable;

/**
 * One island as a destination of this process: its endpoints, its preferred tunnel and its concurrency limit.
 * Thread-safe.
 */
public final class Destination {

    /** Tried endpoints are recorded in the bits of a {@code long}. */
    private static final int MOST_ENDPOINTS = Long.SIZE;

    private static final Set<HealthStatus> TAKEN =
            EnumSet.complementOf(EnumSet.of(HealthStatus.OPEN, HealthStatus.DOWN));

    /** States in which calls are likely to reach the island. */
    private static final Set<HealthStatus> REACHING =
            EnumSet.of(HealthStatus.UP, HealthStatus.SUSPECT, HealthStatus.HALF_OPEN);

    private static final Logger log = LoggerFactory.getLogger(Destination.class);

    private final String island;
    private final IslandPolicy policy;
    private final GatewayConnectionPool connections;
    private final List<GatewayEndpoint> dubbo;
    private final List<GatewayEndpoint> triple;
    private final List<GatewayEndpoint> endpoints;
    private final Bulkhead bulkhead;
    private final NetworkListener listener;
    private final TunnelSelector selector;
    private final AtomicInteger positions = new AtomicInteger();
    private final boolean configured;
    private final HealthChecker heartbeat;

    /** The service that health checks call, and another one in use, if there is any. */
    private volatile @Nullable String service;

    private volatile @Nullable String another;
    private volatile boolean answered;

    private boolean saidUnreachable;
    private volatile int positionsSeen;
    private volatile long usedNanos = System.nanoTime();

    /**
     * Opens no connection.
     *
     * @param configured whether the policy names the island; if not, it is probed only once it has answered a call
     */
    Destination(
            String island,
            IslandPolicy policy,
            boolean configured,
            GatewayConnectionPool connections,
            HealthChecker heartbeat,
            NetworkListener listener) {
        this.island = island;
        this.configured = configured;
        this.heartbeat = heartbeat;
        this.policy = policy;
        this.connections = connections;
        this.listener = listener;
        List<GatewayEndpoint> all = new ArrayList<>();
        for (TunnelKind kind : policy.tunnels()) {
            for (Gateway address : policy.gateways(kind)) {
                if (all.size() < MOST_ENDPOINTS) {
                    all.add(new GatewayEndpoint(
                            island,
                            all.size(),
                            connections.connection(address),
                            policy.breaking(),
                            heartbeat.schedule(),
                            heartbeat.holdNanos(),
                            this::probe,
                            listener));
                }
            }
        }
        this.endpoints = List.copyOf(all);
        this.dubbo = of(TunnelKind.DUBBO);
        this.triple = of(TunnelKind.TRIPLE);
        this.bulkhead = new Bulkhead(policy.concurrency());
        this.selector = new TunnelSelector(policy.tunnels());
    }

    private List<GatewayEndpoint> of(TunnelKind kind) {
        return endpoints.stream().filter(endpoint -> endpoint.kind() == kind).toList();
    }

    private Stream<GatewayEndpoint> of(List<TunnelKind> tunnels) {
        return endpoints.stream().filter(endpoint -> tunnels.contains(endpoint.kind()));
    }

    private List<GatewayEndpoint> endpoints(TunnelKind kind) {
        return kind == TunnelKind.DUBBO ? dubbo : triple;
    }

    /** The island's id. */
    public String island() {
        return island;
    }

    /** Its policy. */
    public IslandPolicy policy() {
        return policy;
    }

    /** All its endpoints, in the order of the policy. */
    public List<GatewayEndpoint> endpoints() {
        return endpoints;
    }

    /** The concurrency limit of calls to it. */
    public Bulkhead bulkhead() {
        return bulkhead;
    }

    /** A number for each call, for round-robin over the endpoints. */
    public int nextPosition() {
        return positions.getAndIncrement() & Integer.MAX_VALUE;
    }

    /** Whether health checks run: callers may name any island, and one that has never answered may not exist. */
    boolean isProbed() {
        return configured || answered;
    }

    /** The service that health checks call, as {@code [group/]interface[:version]}; null until a call named one. */
    @Nullable
    String service() {
        return service;
    }

    /** Records a call to this service; {@code delivered} if the island has answered it. */
    public void used(String serviceKey, boolean delivered) {
        String known = service;
        if (known == null || (delivered && !answered)) {
            service = serviceKey;
        } else if (!known.equals(serviceKey) && !serviceKey.equals(another)) {
            another = serviceKey;
        }
        if (delivered && !answered) {
            answered = true;
        }
    }

    /** A probe of this service got no answer: the next one probes another service, whose providers may be alive. */
    void unanswered(String serviceKey) {
        String next = another;
        if (next != null && serviceKey.equals(service)) {
            another = serviceKey;
            service = next;
        }
    }

    private boolean probe(GatewayEndpoint endpoint) {
        return heartbeat.probe(endpoint, this, Cause.CALL_UNANSWERED, System.nanoTime());
    }

    /**
     * The next endpoint to try, in this order: those of the preferred tunnel, then those of the other; round-robin
     * within a tunnel; suspect endpoints, and those without a free stream, after all others. The endpoint has admitted
     * the call, which must report its result.
     *
     * @param tunnels what can carry the call
     * @param position from {@link #nextPosition}
     * @param tried endpoints that are excluded, by the bits of their index
     * @return null if no endpoint is connected and accepts calls
     */
    public @Nullable GatewayEndpoint enterNext(List<TunnelKind> tunnels, int position, long tried) {
        TunnelKind first = selector.first();
        GatewayEndpoint trusted = enterNext(tunnels, first, position, tried, false);
        return trusted != null ? trusted : enterNext(tunnels, first, position, tried, true);
    }

    private @Nullable GatewayEndpoint enterNext(
            List<TunnelKind> tunnels, TunnelKind first, int position, long tried, boolean suspects) {
        if (tunnels.size() == 1) {
            return enterNext(endpoints(tunnels.get(0)), position, tried, suspects);
        }
        GatewayEndpoint endpoint = enterNext(endpoints(first), position, tried, suspects);
        return endpoint != null
                ? endpoint
                : enterNext(
                        endpoints(first == TunnelKind.DUBBO ? TunnelKind.TRIPLE : TunnelKind.DUBBO),
                        position,
                        tried,
                        suspects);
    }

    private static @Nullable GatewayEndpoint enterNext(
            List<GatewayEndpoint> endpoints, int position, long tried, boolean suspects) {
        int count = endpoints.size();
        for (int i = 0; i < count; i++) {
            GatewayEndpoint endpoint = endpoints.get((position % count + i) % count);
            boolean isSuspect = !suspects
                    && (endpoint.isSuspect()
                            || endpoint.isSilent()
                            || endpoint.connection().isFull());
            if (!isAmong(tried, endpoint)
                    && !isSuspect
                    && endpoint.connection().activeInvokers() != null
                    && endpoint.tryEnter()) {
                return endpoint;
            }
        }
        return null;
    }

    /** Continues a call that has waited, on another thread than the one that ended its wait. */
    public void resume(Runnable rest) {
        connections.resume(rest);
    }

    /** Whether every endpoint that can carry the call has been tried. */
    public boolean isEveryTried(List<TunnelKind> tunnels, long tried) {
        return of(tunnels).allMatch(endpoint -> isAmong(tried, endpoint));
    }

    private static boolean isAmong(long tried, GatewayEndpoint endpoint) {
        return (tried & 1L << endpoint.index()) != 0;
    }

    /**
     * Whether an endpoint is connected, or its first connection attempt after start-up or after a disconnect has not
     * ended. Does not block.
     */
    public boolean mayBeConnected(List<TunnelKind> tunnels) {
        for (GatewayEndpoint endpoint : endpoints) { // runs for every call that home may serve
            if (tunnels.contains(endpoint.kind())
                    && (endpoint.connection().activeInvokers() != null
                            || endpoint.connection().awaitsFirstAttempt())) {
                return true;
            }
        }
        return false;
    }

    /** Whether a connection is lost or drains, and no connection attempt has ended since. Does not block. */
    public boolean isReconnecting(List<TunnelKind> tunnels) {
        return of(tunnels).anyMatch(endpoint -> endpoint.connection().awaitsFirstAttempt());
    }

    /**
     * Completes when an endpoint is connected, or the first connection attempt of each after start-up or after a
     * disconnect has ended; null if that is already the case.
     */
    public @Nullable CompletableFuture<?> connected(List<TunnelKind> tunnels) {
        return connections.attempted(
                of(tunnels).map(GatewayEndpoint::connection).toList());
    }

    /** The longest wait for {@link #connected}, milliseconds. */
    public long connectMillis() {
        return GatewayConnectionPool.ATTEMPT_MILLIS;
    }

    /**
     * If the only endpoints that could carry a call do not answer: requests health checks, and completes with the first
     * answer. Null if calls should not wait: an endpoint accepts calls, or health checks have been unanswered for too
     * long.
     */
    public @Nullable CompletableFuture<?> answer(List<TunnelKind> tunnels) {
        List<CompletableFuture<Void>> awaited = new ArrayList<>();
        for (GatewayEndpoint endpoint : endpoints) {
            if (tunnels.contains(endpoint.kind()) && endpoint.connection().activeInvokers() != null) {
                if (!endpoint.isUnresponsive()) {
                    return null;
                }
                boolean unused = heartbeat.probe(endpoint, this, Cause.WANTED, System.nanoTime());
                if (endpoint.waitNanos() > 0) {
                    awaited.add(endpoint.answer());
                }
            }
        }
        return awaited.isEmpty() ? null : CompletableFuture.anyOf(awaited.toArray(CompletableFuture[]::new));
    }

    /** The longest wait for {@link #answer}, milliseconds. */
    public long answerMillis(List<TunnelKind> tunnels) {
        return TimeUnit.NANOSECONDS.toMillis(
                of(tunnels).mapToLong(GatewayEndpoint::waitNanos).max().orElse(0));
    }

    /** The tunnel that calls with a choice use now, or null if no endpoint is healthy. */
    public @Nullable TunnelKind tunnel() {
        TunnelKind first = selector.first();
        return endpoints.stream()
                .filter(endpoint -> TAKEN.contains(endpoint.status()))
                .min(Comparator.comparing(GatewayEndpoint::isSuspected)
                        .thenComparing(endpoint -> endpoint.kind() != first))
                .map(GatewayEndpoint::kind)
                .orElse(null);
    }

    /** Updates the preferred tunnel and logs a change. Called by one thread. */
    void update(long now) {
        endpoints.forEach(GatewayEndpoint::noteLoss);
        noteUse(now);
        logReachability();
        if (!policy.isAuto()) {
            return;
        }
        TunnelKind before = selector.first();
        if (selector.update(this::isHealthy, this::isProven, now)) {
            TunnelKind to = selector.first();
            String why = to == TunnelKind.TRIPLE || !isProven(to) ? problems(before) : to + " works again";
            String line = "highway: island " + island + ": calls go over " + to + " now, no longer over " + before
                    + ": " + why;
            if (to == TunnelKind.TRIPLE) {
                log.warn(line);
            } else {
                log.info(line);
            }
            listener.onTunnelChange(NetworkListener.TunnelChange.of(island, before, to, why));
        }
    }

    private void noteUse(long now) {
        int seen = positions.get();
        if (seen != positionsSeen) {
            positionsSeen = seen;
            usedNanos = now;
        }
    }

    /** Time since the last call to it, nanoseconds. */
    long unusedNanos(long now) {
        return positions.get() != positionsSeen ? 0 : now - usedNanos;
    }

    /** Whether it has answered a call. */
    boolean hasAnswered() {
        return answered;
    }

    /**
     * Logs once that no endpoint reaches the island, and once that one does again. A gateway that is down, and a
     * breaker that opens, are logged elsewhere.
     */
    private void logReachability() {
        Set<HealthStatus> found = EnumSet.noneOf(HealthStatus.class);
        endpoints.forEach(endpoint -> found.add(endpoint.status()));
        if (!saidUnreachable && found.contains(HealthStatus.SILENT) && Collections.disjoint(found, REACHING)) {
            saidUnreachable = true;
            log.warn("highway: island " + island + " is unreachable (" + problems(policy.tunnels()) + ")");
        } else if (saidUnreachable && found.contains(HealthStatus.UP)) {
            saidUnreachable = false;
            log.info("highway: island " + island + " is reachable again");
        }
    }

    private boolean isHealthy(TunnelKind kind) {
        return endpoints(kind).stream().anyMatch(GatewayEndpoint::isHealthy);
    }

    private boolean isProven(TunnelKind kind) {
        return endpoints(kind).stream().anyMatch(GatewayEndpoint::isProven);
    }

    /** The problem of each endpoint of these tunnels, in words. */
    public String problems(List<TunnelKind> tunnels) {
        return tunnels.stream().map(this::problems).collect(Collectors.joining("; "));
    }

    private String problems(TunnelKind kind) {
        return endpoints(kind).stream()
                .map(endpoint -> {
                    String problem = endpoint.problem();
                    return endpoint.address() + ": " + (problem == null ? "up" : problem);
                })
                .collect(Collectors.joining("; "));
    }

    /**
     * Whether an endpoint that could carry a call is unresponsive: its last call got no answer, and nothing has been
     * answered since.
     */
    public boolean isUnresponsive(List<TunnelKind> tunnels) {
        return of(tunnels).anyMatch(GatewayEndpoint::isUnresponsive);
    }

    /** Whether an open breaker prevents the call. */
    public boolean isRefusing(List<TunnelKind> tunnels) {
        return of(tunnels)
                .filter(endpoint -> endpoint.connection().activeInvokers() != null)
                .anyMatch(endpoint -> endpoint.isUnresponsive()
                        || endpoint.status() == HealthStatus.OPEN
                        || endpoint.status() == HealthStatus.HALF_OPEN);
    }
}
