// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.endpoint;

import io.highway.sdk.dubbo.GatewayAddress;
import io.highway.sdk.dubbo.NetworkListener;
import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.TunnelKind;
import io.highway.sdk.dubbo.connection.GatewayConnection;
import io.highway.sdk.dubbo.outcome.Failure;
import io.highway.sdk.dubbo.policy.IslandPolicy.Breaking;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.apache.dubbo.common.logger.Logger;
import org.apache.dubbo.common.logger.LoggerFactory;
import org.jspecify.annotations.Nullable;

/**
 * One gateway address as used for one island, and its health. The first state that applies, in this order:
 *
 * <ol>
 *   <li><i>down</i>: its connection is lost; calls use another endpoint
 *   <li><i>open</i>: too many of its last calls failed or were slow; calls are refused until a health check is
 *       answered, or, without health checks, a few calls are admitted after five seconds. Or it is unresponsive: a call
 *       and the health check after it, or two health checks in a row, got no answer; calls are refused until any answer
 *       arrives
 *   <li><i>silent</i>: a gateway reports that health checks do not reach the island; others come first
 *   <li><i>suspect</i>: a call over it got no answer; others come first until a call or a health check is answered. If
 *       there is no other, calls wait for the health check that was sent at once
 *   <li><i>up</i>
 * </ol>
 *
 * Thread-safe.
 */
public final class GatewayEndpoint {

    /**
     * Health checks in a row without an answer, and without an answered call between them, after which calls are
     * refused.
     */
    private static final int MISSED = 2;

    /** How long an endpoint stays suspect if no health check decides earlier. */
    private static final long SUSPECT_NANOS = TimeUnit.SECONDS.toNanos(5);

    private static final int LONGEST_TEXT = 160;

    /**
     * An answer within this time proves that the endpoint is alive: an unanswered call is then a problem of its service
     * alone.
     */
    private static final long RECENT_NANOS = TimeUnit.MILLISECONDS.toNanos(300);

    /** The time that a peer which has never answered has for its first answer: it may be starting. */
    private static final long COLD_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** Failures that mark the endpoint as suspect (possible network cause). */
    private static final Set<Reason> SUSPICIOUS =
            EnumSet.of(Reason.TIMEOUT, Reason.CONNECTION_LOST, Reason.GATEWAY_ERROR, Reason.NOT_FORWARDED);

    /**
     * Reasons that count as failed calls. A lost connection does not count, since all its calls fail at once and the
     * next one may use a new connection. A call that was not forwarded does not count either: it costs little and may
     * concern one service.
     */
    private static final Set<Reason> FAILED = EnumSet.of(Reason.TIMEOUT, Reason.GATEWAY_ERROR);

    /** Reasons that prove an answer of a gateway, although not of the island. */
    private static final Set<Reason> GATEWAY_ANSWERED = EnumSet.of(Reason.NOT_FORWARDED, Reason.GATEWAY_ERROR);

    private static final Logger log = LoggerFactory.getLogger(GatewayEndpoint.class);

    private final String island;
    private final int index;
    private final GatewayConnection connection;
    private final EndpointBreaker breaker;
    private final ProbeSchedule schedule;
    private final long holdNanos;
    private final Predicate<GatewayEndpoint> probe;
    private final NetworkListener listener;

    private volatile long suspectUntil;
    private final AtomicInteger missed = new AtomicInteger();
    private volatile long good;
    private volatile long bad = System.nanoTime();
    private volatile @Nullable Duration roundTrip;
    private volatile String silence = "";
    private volatile String lastFailure = "";
    private volatile String lastSlow = "";
    private boolean wasSlow;

    /** Time of the last answer, to within {@link #RECENT_NANOS}; meaningful once {@code answeredEver}. */
    private volatile long lastAnswered = System.nanoTime();

    private volatile boolean answeredEver;
    private volatile long firstProbe;

    /** When the first call over the connection was answered; 0 until then. */
    private volatile long warm;

    private final long slowNanos;

    private volatile @Nullable Unresponsive unresponsive;

    /** Whether the last reported state accepts calls. */
    private volatile boolean reportedOpen = true;

    /** The state in which calls wait or are refused until any answer arrives. */
    private static final class Unresponsive {
        private final CompletableFuture<Void> answered = new CompletableFuture<>();
        private final String call;
        private volatile String because;
        private volatile long heldUntil;

        /**
         * Starts the state.
         *
         * @param call the call that got no answer, in words; empty if health checks alone got none
         */
        Unresponsive(String call, String because, long heldUntil) {
            this.call = call;
            this.because = because;
            this.heldUntil = heldUntil;
        }
    }

    /** The health of an endpoint. */
    public enum HealthStatus {
        /** Calls use it. */
        UP,
        /** A call got no answer; other endpoints come first. */
        SUSPECT,
        /** A gateway reports that health checks do not reach the island; other endpoints come first. */
        SILENT,
        /** A few calls are admitted; their results decide. */
        HALF_OPEN,
        /** Calls are refused. */
        OPEN,
        /** Its connection is lost. */
        DOWN;

        private final String word = name().toLowerCase(Locale.ROOT).replace('_', '-');

        /** The word used in reports and meters, such as {@code half-open}. */
        public String word() {
            return word;
        }

        @Override
        public String toString() {
            return word;
        }
    }

    /**
     * Creates an endpoint of unknown health.
     *
     * @param probe requests a health check at once; returns whether one is in flight then
     * @param holdNanos how long calls wait for the answer of a health check
     */
    GatewayEndpoint(
            String island,
            int index,
            GatewayConnection connection,
            Breaking breaking,
            ProbeSchedule schedule,
            long holdNanos,
            Predicate<GatewayEndpoint> probe,
            NetworkListener listener) {
        this.island = island;
        this.index = index;
        this.connection = connection;
        this.breaker = new EndpointBreaker(island + " over " + connection.address(), breaking, System::nanoTime);
        this.schedule = schedule;
        this.holdNanos = holdNanos;
        this.probe = probe;
        this.listener = listener;
        this.slowNanos = TimeUnit.MILLISECONDS.toNanos(breaking.slowCallMillis());
    }

    /** Its place among the island's endpoints, from 0. */
    public int index() {
        return index;
    }

    /** The connection it uses. */
    public GatewayConnection connection() {
        return connection;
    }

    /** The gateway address. */
    public GatewayAddress address() {
        return connection.address();
    }

    TunnelKind kind() {
        return connection.address().kind();
    }

    ProbeSchedule schedule() {
        return schedule;
    }

    /** Its health now. */
    public HealthStatus status() {
        if (connection.activeInvokers() == null) {
            return HealthStatus.DOWN;
        }
        Unresponsive waiting = unresponsive;
        if (breaker.isOpen() || (waiting != null && !isHeld(waiting))) {
            return HealthStatus.OPEN;
        }
        if (breaker.isHalfOpen()) {
            return HealthStatus.HALF_OPEN;
        }
        return isSilent() && waiting == null
                ? HealthStatus.SILENT
                : isSuspect() ? HealthStatus.SUSPECT : HealthStatus.UP;
    }

    private static boolean isHeld(Unresponsive waiting) {
        return System.nanoTime() - waiting.heldUntil < 0;
    }

    /** Its problem, in words, or null while it is up. */
    public @Nullable String problem() {
        return switch (status()) {
            case UP -> null;
            case DOWN -> connection.problem();
            case SUSPECT -> {
                Unresponsive waiting = unresponsive;
                yield waiting == null ? "a call got no answer" : waiting.because;
            }
            case SILENT -> "heartbeats do not arrive (" + silence + ")";
            case HALF_OPEN -> "the breaker admits a few calls";
            case OPEN -> "the breaker is open: " + why();
        };
    }

    /** The round trip of the last health check, or null if none was answered since the last disconnect. */
    public @Nullable Duration roundTrip() {
        return roundTrip;
    }

    /** Whether the endpoint is reported as suspect. */
    boolean isSuspected() {
        HealthStatus status = status();
        return status == HealthStatus.SUSPECT || status == HealthStatus.SILENT;
    }

    /** Whether the endpoint is deprioritised. */
    boolean isSuspect() {
        long until = suspectUntil;
        return unresponsive != null || (until != 0 && System.nanoTime() - until < 0);
    }

    /** Whether calls wait or are refused until any answer arrives. */
    boolean isUnresponsive() {
        return unresponsive != null;
    }

    /** Whether health checks in a row are reported not to reach the island. */
    boolean isSilent() {
        return missed.get() >= MISSED;
    }

    /** Whether calls may use it, and it is not suspect. */
    boolean isHealthy() {
        return connection.activeInvokers() != null && !breaker.isOpen() && !isSuspect() && !isSilent();
    }

    /** Whether an answer has arrived since its last problem. */
    boolean isProven() {
        return isHealthy() && breaker.isClosed() && good - bad > 0;
    }

    /** Whether the next health check is due only after the interval. */
    boolean isSettled() {
        return breaker.isClosed() && good - bad > 0 && !isSuspect();
    }

    /** Time of the last answer, or of its creation. */
    long lastAnswerNanos() {
        return lastAnswered;
    }

    /** Admits one call, if it may; the call must report its result. */
    boolean tryEnter() {
        return unresponsive == null && breaker.tryEnter();
    }

    /** The half-open period of a call that was just admitted; the call reports it when it ends. */
    public int period() {
        return breaker.period();
    }

    /**
     * A call was answered, by a value or an exception of the service.
     *
     * @param period from {@link #period()}
     * @param begun when it began
     */
    public void delivered(int period, long begun) {
        long now = System.nanoTime();
        long nanos = now - begun;
        boolean cold = warm == 0 || begun - warm < 0; // the provider may have loaded classes during it
        if (warm == 0) {
            warm = now;
        }
        if (slowNanos != 0 && nanos >= slowNanos && !cold) {
            lastSlow = "; the last slow one took " + TimeUnit.NANOSECONDS.toMillis(nanos) + " ms";
        }
        answered(now);
        breaker.succeeded(period, cold ? 0 : nanos);
        reportChange();
    }

    /**
     * A call got no answer from the service.
     *
     * @param period from {@link #period()}
     * @param begun when it began
     * @param call its method
     * @param what what happened, in words
     */
    public void failed(int period, long begun, Reason reason, String call, String what, Throwable failure) {
        long now = System.nanoTime();
        if (SUSPICIOUS.contains(reason)) {
            suspectUntil = now + SUSPECT_NANOS;
            bad = now;
        }
        if (FAILED.contains(reason)) {
            lastFailure = "; the last that failed: " + ended(call, reason, what);
            breaker.failed(period, now - begun, failure);
            reportChange();
        } else {
            breaker.released(period);
        }
        if (reason == Reason.TIMEOUT && unresponsive == null && now - lastAnswered > RECENT_NANOS) {
            suspendUntilAnswered("a call got no answer (" + ended(call, reason, what) + ")", now);
        }
    }

    private static String ended(String call, Reason reason, String what) {
        return call + " ended as " + inShort(reason, what);
    }

    /** Without the addresses and numbers that Dubbo appends. */
    private static String inShort(Reason reason, String what) {
        int end = what.indexOf(", provider: ");
        return reason + ": " + what.substring(0, Math.min(end < 0 ? what.length() : end, LONGEST_TEXT));
    }

    /** Makes calls wait until any answer arrives, if a health check can be sent now. */
    private void suspendUntilAnswered(String because, long now) {
        if (suspend(because, because, now + holdNanos) && !probe.test(this)) {
            resume();
        }
    }

    private synchronized boolean suspend(String call, String because, long heldUntil) {
        boolean first = unresponsive == null;
        if (first) {
            unresponsive = new Unresponsive(call, because, heldUntil);
        }
        return first;
    }

    /** A health check is sent; calls wait for its answer if it is {@code awaitable}. */
    void probing(boolean awaitable, long now) {
        if (firstProbe == 0) {
            firstProbe = now;
        }
        Unresponsive waiting = unresponsive;
        if (awaitable && waiting != null) {
            waiting.heldUntil = now + holdNanos;
        }
    }

    /** How long calls still wait for an answer, nanoseconds; 0 if they do not wait. */
    long waitNanos() {
        Unresponsive waiting = unresponsive;
        return waiting == null || connection.activeInvokers() == null
                ? 0
                : Math.max(0, waiting.heldUntil - System.nanoTime());
    }

    /** Completes with the next answer; already complete if no answer is awaited. */
    CompletableFuture<Void> answer() {
        Unresponsive waiting = unresponsive;
        return waiting == null ? CompletableFuture.completedFuture(null) : waiting.answered;
    }

    /** Ends an admitted call whose result is not observed, such as a stream, or that was not made after all. */
    public void released(int period) {
        breaker.released(period);
    }

    private void answered(long now) {
        if (suspectUntil != 0) {
            suspectUntil = 0;
        }
        if (missed.get() != 0) {
            missed.set(0);
        }
        if (good - bad <= 0) {
            good = now;
        }
        if (!answeredEver || now - lastAnswered > RECENT_NANOS / 2) { // not for every call: many threads would write it
            lastAnswered = now;
            answeredEver = true;
        }
        if (unresponsive != null) {
            resume();
        }
    }

    private void resume() {
        Unresponsive waiting;
        synchronized (this) {
            waiting = unresponsive;
            unresponsive = null;
        }
        if (waiting != null) {
            waiting.answered.complete(null);
        }
    }

    /** A health check was answered. */
    void echoed(Duration took, int slowMillis) {
        roundTrip = took;
        answered(System.nanoTime());
        breaker.probed(took.toNanos());
        reportChange();
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
        listener.onHealthCheck(NetworkListener.HealthCheck.answered(island, address(), took));
    }

    /**
     * The destination did not answer a health check. If a gateway reported that at once, calls are not refused: the
     * first one after the cause has gone succeeds.
     */
    void missed(Failure problem) {
        long now = System.nanoTime();
        bad = now;
        suspectUntil = now + SUSPECT_NANOS;
        silence = inShort(problem.reason(), problem.what());
        int times = missed.incrementAndGet();
        if (problem.reason() == Reason.TIMEOUT) {
            Unresponsive waiting = unresponsive;
            String because = "heartbeats are not answered (" + silence + ")";
            if (waiting != null) {
                waiting.because = waiting.call.isEmpty() ? because : waiting.call + "; " + because;
                waiting.heldUntil = now;
            } else if (times >= MISSED && !isCold(now)) {
                boolean unused = suspend("", because, now);
            }
        } else if (GATEWAY_ANSWERED.contains(problem.reason())) {
            lastAnswered = now;
            resume();
        }
        reportChange();
        listener.onHealthCheck(NetworkListener.HealthCheck.missed(island, address()));
    }

    private boolean isCold(long now) {
        return !answeredEver && now - firstProbe < COLD_NANOS;
    }

    /** Records the loss of the connection: the endpoint is unproven until the next answer. */
    void noteLoss() {
        if (connection.activeInvokers() == null) {
            bad = System.nanoTime();
            roundTrip = null;
            warm = 0;
        }
        reportChange();
    }

    /** Called after possible changes, and periodically. */
    private void reportChange() {
        if (isTaking() != reportedOpen) {
            report();
        }
    }

    private boolean isTaking() {
        Unresponsive waiting = unresponsive;
        return breaker.isClosed() && (waiting == null || isHeld(waiting));
    }

    private synchronized void report() {
        boolean taking = isTaking();
        if (taking == reportedOpen) {
            return;
        }
        reportedOpen = taking;
        if (taking) {
            log.info("highway: " + name() + " takes calls again");
        } else { // it may open many times before it closes; logged once
            log.warn("highway: " + name() + " takes no calls for now: " + why());
        }
        listener.onBreakerChange(NetworkListener.BreakerChange.of(island, address(), !taking));
    }

    private String why() {
        Unresponsive waiting = unresponsive;
        return waiting != null ? waiting.because : breaker.counted() + lastFailure + lastSlow;
    }

    private String name() {
        return "island " + island + " over " + address();
    }

    @Override
    public String toString() {
        return name();
    }
}
