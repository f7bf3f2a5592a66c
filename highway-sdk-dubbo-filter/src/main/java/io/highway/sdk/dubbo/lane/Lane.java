// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.lane;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreaker.State;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig.SlidingWindowType;
import io.highway.sdk.dubbo.link.GatewayLink;
import io.highway.sdk.dubbo.outcome.Failure;
import io.highway.sdk.dubbo.policy.GatewayAddress;
import io.highway.sdk.dubbo.policy.IslandPolicy.Breaking;
import io.highway.sdk.dubbo.policy.TunnelKind;
import io.highway.sdk.dubbo.route.Reason;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.dubbo.common.logger.Logger;
import org.apache.dubbo.common.logger.LoggerFactory;
import org.jspecify.annotations.Nullable;

/**
 * One gateway address towards one island, and whether calls should take it. In this order:
 *
 * <ol>
 *   <li><i>down</i>: its connection is lost; calls take another lane
 *   <li><i>open</i>: too many of its last calls failed or were slow, or its heartbeats are not answered; calls are refused
 *       until a heartbeat is answered, or, without heartbeats, a few calls are let through after five seconds
 *   <li><i>silent</i>: a gateway says that heartbeats do not reach the island; others come first
 *   <li><i>suspect</i>: a call over it got no answer; others come first until a call or a heartbeat is answered
 *   <li><i>up</i>
 * </ol>
 *
 * Thread-safe.
 */
public final class Lane {

    /** How many calls a breaker looks back, and how many it wants to see before it opens. */
    static final int WINDOW = 100;

    private static final int LEAST_CALLS = 20;
    private static final int TRIAL_CALLS = 5;
    private static final Duration OPEN = Duration.ofSeconds(5);

    /** Heartbeats in a row without an answer, and without an answered call between them, after which calls are refused. */
    private static final int MISSED = 2;

    /** How long a doubt lasts that no heartbeat settles. */
    private static final long DOUBT_NANOS = TimeUnit.SECONDS.toNanos(5);

    /** After these the lane is in doubt: the way may be the cause. */
    private static final Set<Reason> DOUBTFUL =
            EnumSet.of(Reason.TIMEOUT, Reason.CONNECTION_LOST, Reason.GATEWAY_ERROR, Reason.NOT_FORWARDED);

    /**
     * These count as failed calls. A lost connection is not among them, since its calls are lost all at once and the next one
     * may well be made over a new one; nor a call that was not forwarded, which costs little and may be about one service.
     */
    private static final Set<Reason> FAILED = EnumSet.of(Reason.TIMEOUT, Reason.GATEWAY_ERROR);

    private static final Logger log = LoggerFactory.getLogger(Lane.class);

    private final String island;
    private final int index;
    private final GatewayLink link;
    private final Breaking breaking;
    private final CircuitBreaker breaker;
    private final NetworkListener listener;

    private volatile long doubtUntil;
    private final AtomicInteger missed = new AtomicInteger();
    private volatile long good;
    private volatile long bad = System.nanoTime();
    private volatile @Nullable Duration roundTrip;
    private volatile String silence = "";
    private boolean wasSlow;

    /** Whether it was told last that the breaker is closed. */
    private volatile boolean toldClosed = true;

    /** Where a lane stands. */
    public enum Fitness {
        /** Calls take it. */
        UP,
        /** A call got no answer; other lanes come first. */
        SUSPECT,
        /** Heartbeats are said not to reach the island; other lanes come first. */
        SILENT,
        /** A few calls are let through to see how they fare. */
        HALF_OPEN,
        /** Calls are refused. */
        OPEN,
        /** Its connection is lost. */
        DOWN;

        /** The word used in reports and meters, such as {@code half-open}. */
        public String word() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    Lane(String island, int index, GatewayLink link, Breaking breaking, NetworkListener listener) {
        this.island = island;
        this.index = index;
        this.link = link;
        this.breaking = breaking;
        this.listener = listener;
        int rate = breaking.failureRate() == 0 ? 100 : breaking.failureRate();
        this.breaker = CircuitBreaker.of(
                island + " over " + link.address(),
                CircuitBreakerConfig.custom()
                        .slidingWindowType(SlidingWindowType.COUNT_BASED)
                        .slidingWindowSize(WINDOW)
                        .minimumNumberOfCalls(LEAST_CALLS)
                        .failureRateThreshold(rate)
                        .slowCallRateThreshold(rate)
                        .slowCallDurationThreshold(Duration.ofMillis(
                                breaking.slowCallMillis() == 0 ? Integer.MAX_VALUE : breaking.slowCallMillis()))
                        .permittedNumberOfCallsInHalfOpenState(TRIAL_CALLS)
                        .waitDurationInOpenState(OPEN)
                        .build());
    }

    /** Its place among the island's lanes, from 0. */
    public int index() {
        return index;
    }

    /** The connection it uses. */
    public GatewayLink link() {
        return link;
    }

    /** The gateway address. */
    public GatewayAddress address() {
        return link.address();
    }

    TunnelKind kind() {
        return link.address().kind();
    }

    /** Where it stands now. */
    public Fitness fitness() {
        if (link.live() == null) {
            return Fitness.DOWN;
        }
        return switch (breaker.getState()) {
            case OPEN, FORCED_OPEN -> Fitness.OPEN;
            case HALF_OPEN -> Fitness.HALF_OPEN;
            default -> missed.get() >= MISSED ? Fitness.SILENT : isSuspect() ? Fitness.SUSPECT : Fitness.UP;
        };
    }

    /** What stands against it, in words, or null while it is up. */
    public @Nullable String problem() {
        return switch (fitness()) {
            case UP -> null;
            case DOWN -> link.problem();
            case SUSPECT -> "a call got no answer";
            case SILENT -> "heartbeats do not arrive (" + silence + ")";
            case HALF_OPEN -> "the breaker lets a few calls through";
            case OPEN -> "the breaker is open: " + why();
        };
    }

    /** How long the last heartbeat took, or null if none was answered since the last loss. */
    public @Nullable Duration roundTrip() {
        return roundTrip;
    }

    /** Whether it is reported as one that others come before. */
    boolean isDoubtful() {
        Fitness fitness = fitness();
        return fitness == Fitness.SUSPECT || fitness == Fitness.SILENT;
    }

    /** Whether others come first. */
    boolean isSuspect() {
        long until = doubtUntil;
        return until != 0 && System.nanoTime() - until < 0;
    }

    /** Whether calls may take it, and there is no doubt. */
    boolean isFit() {
        State state = breaker.getState();
        return link.live() != null
                && state != State.OPEN
                && state != State.FORCED_OPEN
                && !isSuspect()
                && missed.get() < MISSED;
    }

    /** Whether an answer has come over it since something was last wrong with it. */
    boolean isProven() {
        return isFit() && breaker.getState() == State.CLOSED && good - bad > 0;
    }

    /** Whether it should be asked at short intervals. */
    boolean isQuestionable() {
        return breaker.getState() != State.CLOSED || good - bad <= 0;
    }

    /** Asks the breaker for one call; whoever gets it says how it ended. */
    boolean tryEnter() {
        return breaker.tryAcquirePermission();
    }

    /** A call was answered, by a value or an exception of the service. */
    public void delivered(long nanos) {
        answered();
        if (breaking.failureRate() != 0) {
            breaker.onSuccess(nanos, TimeUnit.NANOSECONDS);
            tellChange();
        } else {
            breaker.releasePermission();
        }
    }

    /** A call got no answer of the service. */
    public void failed(Reason reason, long nanos, Throwable failure) {
        if (DOUBTFUL.contains(reason)) {
            doubtUntil = System.nanoTime() + DOUBT_NANOS;
            bad = System.nanoTime();
        }
        if (FAILED.contains(reason) && breaking.failureRate() != 0) {
            breaker.onError(nanos, TimeUnit.NANOSECONDS, failure);
            tellChange();
        } else {
            breaker.releasePermission();
        }
    }

    /** A call that nobody watches to its end, such as a stream, took it. */
    public void released() {
        breaker.releasePermission();
    }

    private void answered() {
        if (doubtUntil != 0) {
            doubtUntil = 0;
        }
        if (missed.get() != 0) {
            missed.set(0);
        }
        if (good - bad <= 0) {
            good = System.nanoTime();
        }
    }

    /** A heartbeat was answered. */
    void echoed(Duration took, int slowMillis) {
        roundTrip = took;
        answered();
        State state = breaker.getState();
        if (state == State.FORCED_OPEN) {
            breaker.transitionToClosedState();
        } else if (state == State.OPEN) {
            breaker.transitionToHalfOpenState();
        } else if (state == State.HALF_OPEN && breaker.tryAcquirePermission()) {
            breaker.onSuccess(took.toNanos(), TimeUnit.NANOSECONDS);
        }
        tellChange();
        boolean slow = took.toMillis() > slowMillis;
        if (slow != wasSlow) {
            if (slow) {
                log.warn("highway: " + name() + " answers heartbeats slowly: " + took.toMillis()
                        + " ms, and highway.heartbeat.slow is " + slowMillis + " ms");
            } else {
                log.info("highway: " + name() + " answers heartbeats in time again: " + took.toMillis() + " ms");
            }
            wasSlow = slow;
        }
        listener.onHeartbeat(island, address(), took);
    }

    /**
     * A heartbeat was not answered by the destination. Where a gateway said so at once calls may find out by themselves, and
     * are not refused: the first after the cause has gone passes.
     */
    void missed(Failure problem) {
        bad = System.nanoTime();
        doubtUntil = bad + DOUBT_NANOS;
        silence = problem.reason() + ": " + problem.what();
        State state = breaker.getState();
        boolean unanswered = problem.reason() == Reason.TIMEOUT;
        if (unanswered) {
            link.unanswered();
        }
        if (missed.incrementAndGet() >= MISSED && unanswered && state != State.FORCED_OPEN) {
            breaker.transitionToForcedOpenState();
            tellChange();
        }
        listener.onHeartbeat(island, address(), null);
    }

    /** Notes that the connection is lost, so that the lane has to prove itself again. */
    void noteLoss() {
        if (link.live() == null) {
            bad = System.nanoTime();
            roundTrip = null;
        }
    }

    /** After whatever may have changed it. The breaker has events for this, and makes one for every call then. */
    private void tellChange() {
        if ((breaker.getState() == State.CLOSED) != toldClosed) {
            tell();
        }
    }

    private synchronized void tell() {
        boolean closed = breaker.getState() == State.CLOSED;
        if (closed == toldClosed) {
            return;
        }
        toldClosed = closed;
        if (closed) {
            log.info("highway: " + name() + " takes calls again");
        } else { // it may open again many times before it closes
            log.warn("highway: " + name() + " takes no calls for now: " + why());
        }
        listener.onBreaker(island, address(), !closed);
    }

    private String why() {
        if (breaker.getState() == State.FORCED_OPEN) {
            return "heartbeats are not answered (" + silence + ")";
        }
        CircuitBreaker.Metrics metrics = breaker.getMetrics();
        return metrics.getNumberOfFailedCalls() + " of the last " + metrics.getNumberOfBufferedCalls()
                + " calls failed and " + metrics.getNumberOfSlowCalls() + " were slow";
    }

    private String name() {
        return "island " + island + " over " + address();
    }

    @Override
    public String toString() {
        return name();
    }
}
