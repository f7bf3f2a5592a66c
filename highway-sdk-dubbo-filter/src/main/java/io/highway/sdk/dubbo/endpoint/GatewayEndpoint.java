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
 * One gateway address towards one island, and whether calls should take it. In this order:
 *
 * <ol>
 *   <li><i>down</i>: its connection is lost; calls take another endpoint
 *   <li><i>open</i>: too many of its last calls failed or were slow; calls are refused until a health check is answered, or,
 *       without health checks, a few calls are let through after five seconds. Or it is unresponsive: a call and the health
 *       check after it, or two health checks in a row, got no answer; calls are refused until anything is answered
 *   <li><i>silent</i>: a gateway says that health checks do not reach the island; others come first
 *   <li><i>suspect</i>: a call over it got no answer; others come first until a call or a health check is answered. Where
 *       there is no other, calls wait for the health check that was sent at once
 *   <li><i>up</i>
 * </ol>
 *
 * Thread-safe.
 */
public final class GatewayEndpoint {

    /** Health checks in a row without an answer, and without an answered call between them, after which calls are refused. */
    private static final int MISSED = 2;

    /** How long an endpoint stays suspect that no health check settles. */
    private static final long SUSPECT_NANOS = TimeUnit.SECONDS.toNanos(5);

    private static final int LONGEST_TEXT = 160;

    /** An answer so recent shows that the endpoint is alive: a call that got none concerns its service alone. */
    private static final long RECENT_NANOS = TimeUnit.MILLISECONDS.toNanos(300);

    /** How long a peer that has never answered may need for its first answer: it may be starting. */
    private static final long COLD_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** Failures that mark the endpoint as suspect (possible network cause). */
    private static final Set<Reason> SUSPICIOUS =
            EnumSet.of(Reason.TIMEOUT, Reason.CONNECTION_LOST, Reason.GATEWAY_ERROR, Reason.NOT_FORWARDED);

    /**
     * These count as failed calls. A lost connection is not among them, since its calls are lost all at once and the next one
     * may well be made over a new one; nor a call that was not forwarded, which costs little and may be about one service.
     */
    private static final Set<Reason> FAILED = EnumSet.of(Reason.TIMEOUT, Reason.GATEWAY_ERROR);

    /** By these a gateway has spoken, if not the island. */
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

    /** When an answer came last, to within {@link #RECENT_NANOS}; meaningful once {@code answeredEver}. */
    private volatile long heard = System.nanoTime();

    private volatile boolean answeredEver;
    private volatile long firstProbe;

    /** When the first call over the connection was answered; 0 until then. */
    private volatile long warm;

    private final long slowNanos;

    private volatile @Nullable Unresponsive unresponsive;

    /** Whether it was told last that calls are taken. */
    private volatile boolean toldOpen = true;

    /** No call is let through before something is answered. */
    private static final class Unresponsive {
        private final CompletableFuture<Void> answered = new CompletableFuture<>();
        private final String call;
        private volatile String because;
        private volatile long heldUntil;

        /**
         * Not answered yet.
         *
         * @param call the call that got no answer, in words; empty if health checks alone got none
         */
        Unresponsive(String call, String because, long heldUntil) {
            this.call = call;
            this.because = because;
            this.heldUntil = heldUntil;
        }
    }

    /** Where an endpoint stands. */
    public enum HealthStatus {
        /** Calls take it. */
        UP,
        /** A call got no answer; other endpoints come first. */
        SUSPECT,
        /** Heartbeats are said not to reach the island; other endpoints come first. */
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

    /**
     * Nothing is known of it yet.
     *
     * @param probe asks for a health check at once; whether one is on its way then
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

    /** Where it stands now. */
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

    /** What stands against it, in words, or null while it is up. */
    public @Nullable String problem() {
        return switch (status()) {
            case UP -> null;
            case DOWN -> connection.problem();
            case SUSPECT -> {
                Unresponsive waiting = unresponsive;
                yield waiting == null ? "a call got no answer" : waiting.because;
            }
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
    boolean isSuspected() {
        HealthStatus status = status();
        return status == HealthStatus.SUSPECT || status == HealthStatus.SILENT;
    }

    /** Whether others come first. */
    boolean isSuspect() {
        long until = suspectUntil;
        return unresponsive != null || (until != 0 && System.nanoTime() - until < 0);
    }

    /** Whether calls are refused until something is answered, or wait for that. */
    boolean isUnresponsive() {
        return unresponsive != null;
    }

    /** Whether health checks in a row are reported not to reach the island. */
    boolean isSilent() {
        return missed.get() >= MISSED;
    }

    /** Whether calls may take it, and it is not suspect. */
    boolean isHealthy() {
        return connection.activeInvokers() != null && !breaker.isOpen() && !isSuspect() && !isSilent();
    }

    /** Whether an answer has come over it since something was last wrong with it. */
    boolean isProven() {
        return isHealthy() && breaker.isClosed() && good - bad > 0;
    }

    /** Whether the next health check may wait for the interval. */
    boolean isSettled() {
        return breaker.isClosed() && good - bad > 0 && !isSuspect();
    }

    /** When an answer came last, or when it was made. */
    long heardNanos() {
        return heard;
    }

    /** Asks for one call; whoever gets it says how it ended. */
    boolean tryEnter() {
        return unresponsive == null && breaker.tryEnter();
    }

    /** What a call that has just entered remembers until it ends. */
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
        boolean cold = warm == 0 || begun - warm < 0; // it may have waited for classes to be loaded there
        if (warm == 0) {
            warm = now;
        }
        if (slowNanos != 0 && nanos >= slowNanos && !cold) {
            lastSlow = "; the last slow one took " + TimeUnit.NANOSECONDS.toMillis(nanos) + " ms";
        }
        answered(now);
        breaker.succeeded(period, cold ? 0 : nanos);
        tellChange();
    }

    /**
     * A call got no answer of the service.
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
            tellChange();
        } else {
            breaker.released(period);
        }
        if (reason == Reason.TIMEOUT && unresponsive == null && now - heard > RECENT_NANOS) {
            hold("a call got no answer (" + ended(call, reason, what) + ")", now);
        }
    }

    private static String ended(String call, Reason reason, String what) {
        return call + " ended as " + inShort(reason, what);
    }

    /** Without the addresses and numbers that Dubbo adds. */
    private static String inShort(Reason reason, String what) {
        int end = what.indexOf(", provider: ");
        return reason + ": " + what.substring(0, Math.min(end < 0 ? what.length() : end, LONGEST_TEXT));
    }

    /** Lets no call through before something is answered, if a health check asks for that now. */
    private void hold(String because, long now) {
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

    /** A health check is sent; if it says something new, calls wait for its answer. */
    void probing(boolean news, long now) {
        if (firstProbe == 0) {
            firstProbe = now;
        }
        Unresponsive waiting = unresponsive;
        if (news && waiting != null) {
            waiting.heldUntil = now + holdNanos;
        }
    }

    /**
     * Where calls wait for an answer: how long yet, nanoseconds; 0 where they do not.
     */
    long held() {
        Unresponsive waiting = unresponsive;
        return waiting == null || connection.activeInvokers() == null
                ? 0
                : Math.max(0, waiting.heldUntil - System.nanoTime());
    }

    /** Ends when something is answered; has ended where nothing is waited for. */
    CompletableFuture<Void> answer() {
        Unresponsive waiting = unresponsive;
        return waiting == null ? CompletableFuture.completedFuture(null) : waiting.answered;
    }

    /** A call that nobody watches to its end, such as a stream, took it, or none did after all. */
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
        if (!answeredEver || now - heard > RECENT_NANOS / 2) { // not for every call: many threads write it
            heard = now;
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
     * A health check was not answered by the destination. Where a gateway said so at once calls may find out by themselves,
     * and are not refused: the first after the cause has gone passes.
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
            heard = now;
            resume();
        }
        tellChange();
        listener.onHeartbeat(island, address(), null);
    }

    private boolean isCold(long now) {
        return !answeredEver && now - firstProbe < COLD_NANOS;
    }

    /** Notes that the connection is lost, so that the endpoint has to prove itself again. */
    void noteLoss() {
        if (connection.activeInvokers() == null) {
            bad = System.nanoTime();
            roundTrip = null;
            warm = 0;
        }
        tellChange();
    }

    /** After whatever may have changed it, and from time to time. */
    private void tellChange() {
        if (isTaking() != toldOpen) {
            tell();
        }
    }

    private boolean isTaking() {
        Unresponsive waiting = unresponsive;
        return breaker.isClosed() && (waiting == null || isHeld(waiting));
    }

    private synchronized void tell() {
        boolean taking = isTaking();
        if (taking == toldOpen) {
            return;
        }
        toldOpen = taking;
        if (taking) {
            log.info("highway: " + name() + " takes calls again");
        } else { // it may open again many times before it closes
            log.warn("highway: " + name() + " takes no calls for now: " + why());
        }
        listener.onBreaker(island, address(), !taking);
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
