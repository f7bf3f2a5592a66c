// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.endpoint;

import io.highway.sdk.dubbo.NetworkListener;
import io.highway.sdk.dubbo.TunnelKind;
import io.highway.sdk.dubbo.connection.GatewayConnectionPool;
import io.highway.sdk.dubbo.endpoint.GatewayEndpoint.Fitness;
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

/** One island as this process reaches it: its lanes, which tunnel comes first, how many calls fit. Thread-safe. */
public final class Destination {

    /** Lanes are remembered in the bits of a {@code long}. */
    private static final int MOST_LANES = Long.SIZE;

    private static final Set<Fitness> TAKEN = EnumSet.complementOf(EnumSet.of(Fitness.OPEN, Fitness.DOWN));

    /** Calls may well arrive. */
    private static final Set<Fitness> REACHING = EnumSet.of(Fitness.UP, Fitness.SUSPECT, Fitness.HALF_OPEN);

    private static final Logger log = LoggerFactory.getLogger(Destination.class);

    private final String island;
    private final IslandPolicy policy;
    private final GatewayConnectionPool links;
    private final List<GatewayEndpoint> dubbo;
    private final List<GatewayEndpoint> triple;
    private final List<GatewayEndpoint> lanes;
    private final Bulkhead bulkhead;
    private final NetworkListener listener;
    private final TunnelSelector preference;
    private final AtomicInteger turns = new AtomicInteger();
    private final boolean configured;
    private final HealthChecker heartbeat;

    /** The service that is probed, and another one that is used, if there is any. */
    private volatile @Nullable String service;

    private volatile @Nullable String another;
    private volatile boolean answered;

    private boolean saidUnreachable;
    private volatile int turnsSeen;
    private volatile long usedNanos = System.nanoTime();

    /**
     * Connects nothing.
     *
     * @param configured whether the policy names the island; another one is probed once it has answered a call
     */
    Destination(
            String island,
            IslandPolicy policy,
            boolean configured,
            GatewayConnectionPool links,
            HealthChecker heartbeat,
            NetworkListener listener) {
        this.island = island;
        this.configured = configured;
        this.heartbeat = heartbeat;
        this.policy = policy;
        this.links = links;
        this.listener = listener;
        List<GatewayEndpoint> all = new ArrayList<>();
        for (TunnelKind kind : policy.tunnels()) {
            for (Gateway address : policy.gateways(kind)) {
                if (all.size() < MOST_LANES) {
                    all.add(new GatewayEndpoint(
                            island,
                            all.size(),
                            links.link(address),
                            policy.breaking(),
                            heartbeat.schedule(),
                            heartbeat.holdNanos(),
                            this::probe,
                            listener));
                }
            }
        }
        this.lanes = List.copyOf(all);
        this.dubbo = of(TunnelKind.DUBBO);
        this.triple = of(TunnelKind.TRIPLE);
        this.bulkhead = new Bulkhead(policy.concurrency());
        this.preference = new TunnelSelector(policy.tunnels());
    }

    private List<GatewayEndpoint> of(TunnelKind kind) {
        return lanes.stream().filter(lane -> lane.kind() == kind).toList();
    }

    private Stream<GatewayEndpoint> of(List<TunnelKind> tunnels) {
        return lanes.stream().filter(lane -> tunnels.contains(lane.kind()));
    }

    private List<GatewayEndpoint> lanes(TunnelKind kind) {
        return kind == TunnelKind.DUBBO ? dubbo : triple;
    }

    /** The island's id. */
    public String island() {
        return island;
    }

    /** What holds for it. */
    public IslandPolicy policy() {
        return policy;
    }

    /** All its lanes, in the order of the policy. */
    public List<GatewayEndpoint> lanes() {
        return lanes;
    }

    /** How many calls to it may be under way. */
    public Bulkhead bulkhead() {
        return bulkhead;
    }

    /** A number for each call, so that lanes are taken in turn. */
    public int takeTurn() {
        return turns.getAndIncrement() & Integer.MAX_VALUE;
    }

    /** Whether it is probed: callers may name any island, and one that has never answered may not exist. */
    boolean isProbed() {
        return configured || answered;
    }

    /** The service that heartbeats ask for, as {@code [group/]interface[:version]}; null until a call named one. */
    @Nullable
    String service() {
        return service;
    }

    /** A call to this service was made; {@code delivered} if the island has answered it. */
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

    /** A probe that asked for this service got no answer: the next one asks for another, whose providers may be alive. */
    void unanswered(String serviceKey) {
        String next = another;
        if (next != null && serviceKey.equals(service)) {
            another = serviceKey;
            service = next;
        }
    }

    private boolean probe(GatewayEndpoint lane) {
        return heartbeat.probe(lane, this, Cause.CALL_UNANSWERED, System.nanoTime());
    }

    /**
     * The next lane to try, in this order: the tunnel that comes first, then the other; within a tunnel in turn; lanes in
     * doubt, and those where a call would wait for a stream, after all others. The caller has entered it and says how the call ended.
     *
     * @param tunnels what can carry the call
     * @param turn from {@link #takeTurn}
     * @param tried lanes that are out of question, by the bits of their index
     * @return null if there is none that is connected and takes calls
     */
    public @Nullable GatewayEndpoint enterNext(List<TunnelKind> tunnels, int turn, long tried) {
        TunnelKind first = preference.first();
        GatewayEndpoint trusted = enterNext(tunnels, first, turn, tried, false);
        return trusted != null ? trusted : enterNext(tunnels, first, turn, tried, true);
    }

    private @Nullable GatewayEndpoint enterNext(
            List<TunnelKind> tunnels, TunnelKind first, int turn, long tried, boolean suspects) {
        if (tunnels.size() == 1) {
            return enterNext(lanes(tunnels.get(0)), turn, tried, suspects);
        }
        GatewayEndpoint lane = enterNext(lanes(first), turn, tried, suspects);
        return lane != null
                ? lane
                : enterNext(
                        lanes(first == TunnelKind.DUBBO ? TunnelKind.TRIPLE : TunnelKind.DUBBO), turn, tried, suspects);
    }

    private static @Nullable GatewayEndpoint enterNext(
            List<GatewayEndpoint> lanes, int turn, long tried, boolean suspects) {
        int count = lanes.size();
        for (int i = 0; i < count; i++) {
            GatewayEndpoint lane = lanes.get((turn % count + i) % count);
            boolean isDoubtful = !suspects && (lane.isSuspect() || lane.link().isFull());
            if (!isAmong(tried, lane) && !isDoubtful && lane.link().live() != null && lane.tryEnter()) {
                return lane;
            }
        }
        return null;
    }

    /** Runs the rest of a call that has waited, off the thread that ended its wait. */
    public void resume(Runnable rest) {
        links.resume(rest);
    }

    /** Whether every lane that can carry the call is among those tried. */
    public boolean isEveryTried(List<TunnelKind> tunnels, long tried) {
        return of(tunnels).allMatch(lane -> isAmong(tried, lane));
    }

    private static boolean isAmong(long tried, GatewayEndpoint lane) {
        return (tried & 1L << lane.index()) != 0;
    }

    /** Whether a lane is connected, or its link has not been tried since the start or since a loss. Does not wait. */
    public boolean mayBeConnected(List<TunnelKind> tunnels) {
        for (GatewayEndpoint lane : lanes) { // for every call that home may serve
            if (tunnels.contains(lane.kind())
                    && (lane.link().live() != null || lane.link().isLossNews())) {
                return true;
            }
        }
        return false;
    }

    /** Whether a link is lost or drains, and has not been tried since. Does not wait. */
    public boolean isReconnecting(List<TunnelKind> tunnels) {
        return of(tunnels).anyMatch(lane -> lane.link().isLossNews());
    }

    /**
     * Ends when a lane is connected, or all links have been tried since the start or since a loss that nobody has noticed
     * yet; null if that is so already.
     */
    public @Nullable CompletableFuture<?> connected(List<TunnelKind> tunnels) {
        return links.attempted(of(tunnels).map(GatewayEndpoint::link).toList());
    }

    /** How long calls wait for {@link #connected} at most, milliseconds. */
    public long connectMillis() {
        return GatewayConnectionPool.ATTEMPT_MILLIS;
    }

    /**
     * Where the only endpoints that could carry a call do not answer: asks for health checks, and ends with the first that is
     * answered. Null if calls need not or should not wait: an endpoint takes calls, or health checks have remained unanswered
     * long enough.
     */
    public @Nullable CompletableFuture<?> answer(List<TunnelKind> tunnels) {
        List<CompletableFuture<Void>> awaited = new ArrayList<>();
        for (GatewayEndpoint lane : lanes) {
            if (tunnels.contains(lane.kind()) && lane.link().live() != null) {
                if (!lane.isUnresponsive()) {
                    return null;
                }
                boolean unused = heartbeat.probe(lane, this, Cause.WANTED, System.nanoTime());
                if (lane.held() > 0) {
                    awaited.add(lane.answer());
                }
            }
        }
        return awaited.isEmpty() ? null : CompletableFuture.anyOf(awaited.toArray(CompletableFuture[]::new));
    }

    /** How long calls wait for {@link #answer} at most, milliseconds. */
    public long answerMillis(List<TunnelKind> tunnels) {
        return TimeUnit.NANOSECONDS.toMillis(
                of(tunnels).mapToLong(GatewayEndpoint::held).max().orElse(0));
    }

    /** The tunnel that calls take now if they have the choice, or null if no lane is fit. */
    public @Nullable TunnelKind tunnel() {
        TunnelKind first = preference.first();
        return lanes.stream()
                .filter(lane -> TAKEN.contains(lane.fitness()))
                .min(Comparator.comparing(GatewayEndpoint::isDoubtful).thenComparing(lane -> lane.kind() != first))
                .map(GatewayEndpoint::kind)
                .orElse(null);
    }

    /** Looks whether another tunnel comes first now, and says so. One thread. */
    void turn(long now) {
        lanes.forEach(GatewayEndpoint::noteLoss);
        noteUse(now);
        sayWhetherReachable();
        if (!policy.isAuto()) {
            return;
        }
        TunnelKind before = preference.first();
        if (preference.turn(this::isFit, this::isProven, now)) {
            TunnelKind to = preference.first();
            String why = to == TunnelKind.TRIPLE || !isProven(to) ? problems(before) : to + " works again";
            String line = "highway: island " + island + ": calls go over " + to + " now, no longer over " + before
                    + ": " + why;
            if (to == TunnelKind.TRIPLE) {
                log.warn(line);
            } else {
                log.info(line);
            }
            listener.onSwitch(island, before, to, why);
        }
    }

    private void noteUse(long now) {
        int seen = turns.get();
        if (seen != turnsSeen) {
            turnsSeen = seen;
            usedNanos = now;
        }
    }

    /** How long no call has been made to it, nanoseconds. */
    long unusedNanos(long now) {
        return turns.get() != turnsSeen ? 0 : now - usedNanos;
    }

    /** Whether it has answered a call. */
    boolean hasAnswered() {
        return answered;
    }

    /**
     * Says once that no endpoint reaches the island, and once that one does again. A gateway that is down is said elsewhere,
     * for all islands at once, and so is a breaker that opens.
     */
    private void sayWhetherReachable() {
        Set<Fitness> found = EnumSet.noneOf(Fitness.class);
        lanes.forEach(lane -> found.add(lane.fitness()));
        if (!saidUnreachable && found.contains(Fitness.SILENT) && Collections.disjoint(found, REACHING)) {
            saidUnreachable = true;
            log.warn("highway: island " + island + " is unreachable (" + problems(policy.tunnels()) + ")");
        } else if (saidUnreachable && found.contains(Fitness.UP)) {
            saidUnreachable = false;
            log.info("highway: island " + island + " is reachable again");
        }
    }

    private boolean isFit(TunnelKind kind) {
        return lanes(kind).stream().anyMatch(GatewayEndpoint::isFit);
    }

    private boolean isProven(TunnelKind kind) {
        return lanes(kind).stream().anyMatch(GatewayEndpoint::isProven);
    }

    /** What stands against each lane of these tunnels, in words. */
    public String problems(List<TunnelKind> tunnels) {
        return tunnels.stream().map(this::problems).collect(Collectors.joining("; "));
    }

    private String problems(TunnelKind kind) {
        return lanes(kind).stream()
                .map(lane -> {
                    String problem = lane.problem();
                    return lane.address() + ": " + (problem == null ? "up" : problem);
                })
                .collect(Collectors.joining("; "));
    }

    /** Whether an endpoint that could carry a call has left the last one unanswered, and nothing has been answered since. */
    public boolean isUnresponsive(List<TunnelKind> tunnels) {
        return of(tunnels).anyMatch(GatewayEndpoint::isUnresponsive);
    }

    /** Whether a breaker is why a call cannot go. */
    public boolean isRefusing(List<TunnelKind> tunnels) {
        return of(tunnels)
                .filter(lane -> lane.link().live() != null)
                .anyMatch(lane ->
                        lane.isUnresponsive() || lane.fitness() == Fitness.OPEN || lane.fitness() == Fitness.HALF_OPEN);
    }
}
