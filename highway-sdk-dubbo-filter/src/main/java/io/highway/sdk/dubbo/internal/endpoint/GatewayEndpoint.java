// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.endpoint;

import io.highway.sdk.dubbo.GatewayAddress;
import io.highway.sdk.dubbo.NetworkListener;
import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.TunnelKind;
import io.highway.sdk.dubbo.internal.config.IslandPolicy.Breaking;
import io.highway.sdk.dubbo.internal.connection.GatewayConnection;
import io.highway.sdk.dubbo.internal.evidence.Failure;
import io.highway.sdk.internal.Texts;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
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
     * Reasons that count as failed calls. A lost connection does not count, since all its calls fail at once and the
     * next one may use a new connection. A call that was not forwarded does not count either: it costs little and may
     * concern one service.
     */
    private static final Set<Reason> FAILED = EnumSet.of(Reason.TIMEOUT, Reason.GATEWAY_ERROR);

    /** Reasons that prove an answer of a gateway, although not of the island. */
    private static final Set<Reason> GATEWAY_ANSWERED = EnumSet.of(Reason.NOT_FORWARDED, Reason.GATEWAY_ERROR);

    private static final Logger log = LoggerFactory.getLogger(GatewayEndpoint.class);

    private final String island;
    private final String name;
    private final GatewayConnection connection;
    private final Breaking breaking;
    private final EndpointBreaker breaker;
    private final PassiveHealth passive;
    private final ActiveHealth active;
    private final Unresponsiveness unanswered;
    private final ProbeSchedule schedule;
    private final LongSupplier holdNanos;
    private volatile Predicate<GatewayEndpoint> probe;
    private final NetworkListener listener;

    /** Whether an endpoint with another breaker has replaced it, which reports changes from then on. */
    private volatile boolean replaced;

    /** Whether the last reported state accepts calls. */
    private volatile boolean reportedOpen = true;

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

        private final String word = Texts.word(this);

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
     * @param island the destination's id
     * @param services its services that it is used for, or empty text, for messages
     * @param probe requests a health check at once; returns whether one is in flight then
     * @param holdNanos how long calls wait for the answer of a health check
     */
    GatewayEndpoint(
            String island,
            String services,
            GatewayConnection connection,
            Breaking breaking,
            ProbeSchedule schedule,
            LongSupplier holdNanos,
            Predicate<GatewayEndpoint> probe,
            NetworkListener listener) {
        this.island = island;
        this.name = "island " + island + services + " over " + connection.name();
        this.connection = connection;
        this.breaking = breaking;
        this.breaker = breaker(breaking);
        this.passive = new PassiveHealth();
        this.active = new ActiveHealth(name);
        this.unanswered = new Unresponsiveness();
        this.schedule = schedule;
        this.holdNanos = holdNanos;
        this.probe = probe;
        this.listener = listener;
    }

    /** One with another breaker and the same health. */
    private GatewayEndpoint(GatewayEndpoint before, Breaking breaking, Predicate<GatewayEndpoint> probe) {
        this.island = before.island;
        this.name = before.name;
        this.connection = before.connection;
        this.breaking = breaking;
        this.breaker = breaker(breaking);
        this.passive = before.passive;
        this.active = before.active;
        this.unanswered = before.unanswered;
        this.schedule = before.schedule;
        this.holdNanos = before.holdNanos;
        this.probe = probe;
        this.listener = before.listener;
        this.reportedOpen = before.reportedOpen;
        before.replaced = true;
    }

    private EndpointBreaker breaker(Breaking settings) {
        return new EndpointBreaker(island + " over " + connection.name(), settings, System::nanoTime);
    }

    /**
     * The endpoint for another policy of its island: this one, or one with another breaker if its settings change.
     *
     * @param probed requests a health check at once; returns whether one is in flight then
     */
    GatewayEndpoint with(Breaking next, Predicate<GatewayEndpoint> probed) {
        if (!next.equals(breaking)) {
            return new GatewayEndpoint(this, next, probed);
        }
        probe = probed;
        return this;
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
        if (breaker.isOpen() || unanswered.refusesCalls()) {
            return HealthStatus.OPEN;
        }
        if (breaker.isHalfOpen()) {
            return HealthStatus.HALF_OPEN;
        }
        return isSilent() && !isUnresponsive()
                ? HealthStatus.SILENT
                : isSuspect() ? HealthStatus.SUSPECT : HealthStatus.UP;
    }

    /** Its problem, in words, or null while it is up. */
    public @Nullable String problem() {
        return switch (status()) {
            case UP -> null;
            case DOWN -> connection.problem();
            case SUSPECT -> Objects.requireNonNullElse(unanswered.problem(), "a call got no answer");
            case SILENT -> "heartbeats do not arrive (" + active.silence() + ")";
            case HALF_OPEN -> "the breaker admits a few calls";
            case OPEN -> "the breaker is open: " + why();
        };
    }

    /** The round trip of the last health check, or null if none was answered since the last disconnect. */
    public @Nullable Duration roundTrip() {
        return active.roundTrip();
    }

    /** Whether the endpoint is reported as suspect. */
    boolean isSuspected() {
        HealthStatus status = status();
        return status == HealthStatus.SUSPECT || status == HealthStatus.SILENT;
    }

    /** Whether the endpoint is deprioritised. */
    boolean isSuspect() {
        return isUnresponsive() || passive.isSuspect();
    }

    /** Whether calls wait or are refused until any answer arrives. */
    boolean isUnresponsive() {
        return unanswered.isUnresponsive();
    }

    /** Whether health checks in a row are reported not to reach the island. */
    boolean isSilent() {
        return active.isSilent();
    }

    /** Whether calls may use it, and it is not suspect. */
    boolean isHealthy() {
        return connection.activeInvokers() != null && !breaker.isOpen() && !isSuspect() && !isSilent();
    }

    /** Whether an answer has arrived since its last problem. */
    boolean isProven() {
        return isHealthy() && breaker.isClosed() && passive.isProven();
    }

    /** Whether the next health check is due only after the interval. */
    boolean isSettled() {
        return breaker.isClosed() && passive.isProven() && !isSuspect();
    }

    /** Time of the last answer, or of its creation. */
    long lastAnswerNanos() {
        return passive.lastAnswerNanos();
    }

    /** Admits one call, if it may; the call must report its result. */
    boolean tryEnter() {
        return !isUnresponsive() && breaker.tryEnter();
    }

    /** Whether {@link #tryEnter} may admit a call now; while half-open, it admits a few. Changes nothing. */
    boolean admits() {
        return !isUnresponsive() && breaker.admits();
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
        boolean first = passive.isFirst(begun, now);
        answered(now);
        breaker.succeeded(period, first ? 0 : now - begun); // the first never counts as slow
        reportChange();
    }

    /**
     * A call got no answer from the service.
     *
     * @param period from {@link #period()}
     * @param begun when it began
     * @param call its method
     */
    public void failed(int period, long begun, String call, Failure failure, Throwable thrown) {
        long now = System.nanoTime();
        Reason reason = failure.reason();
        String ended = call + " ended as " + failure.inShort();
        passive.failed(reason, now);
        if (FAILED.contains(reason)) {
            breaker.failed(period, now - begun, ended, thrown);
            reportChange();
        } else {
            breaker.released(period);
        }
        if (reason == Reason.TIMEOUT && !isUnresponsive() && !passive.hasJustAnswered(now)) {
            suspendUntilAnswered("a call got no answer (" + ended + ")", now);
        }
    }

    /** Makes calls wait until any answer arrives, if a health check can be sent now. */
    private void suspendUntilAnswered(String because, long now) {
        if (unanswered.callUnanswered(because, now + holdNanos.getAsLong()) && !probe.test(this)) {
            unanswered.end();
        }
    }

    /** A health check is sent; calls wait for its answer if it is {@code awaitable}. */
    void probing(boolean awaitable, long now) {
        active.sent(now);
        if (awaitable) {
            unanswered.hold(now + holdNanos.getAsLong());
        }
    }

    /** How long calls still wait for an answer, nanoseconds; 0 if they do not wait. */
    long waitNanos() {
        return connection.activeInvokers() == null ? 0 : unanswered.waitNanos();
    }

    /** Completes with the next answer; already complete if no answer is awaited. */
    CompletableFuture<Void> answer() {
        return unanswered.answer();
    }

    /** Ends an admitted call whose result is not observed, such as a stream, or that was not made after all. */
    public void released(int period) {
        breaker.released(period);
    }

    private void answered(long now) {
        passive.answered(now);
        active.answered();
        unanswered.end();
    }

    /** A health check was answered. */
    void echoed(Duration took, int slowMillis) {
        boolean isFirst = active.roundTrip(took);
        answered(System.nanoTime());
        breaker.probed(took.toNanos());
        reportChange();
        active.logIfSlow(took, slowMillis, isFirst);
        listener.onHealthCheck(
                NetworkListener.HealthCheck.answered(island, address(), took, connection.trafficClass()));
    }

    /**
     * The destination did not answer a health check. If a gateway reported that at once, calls are not refused: the
     * first one after the cause has gone succeeds.
     */
    void missed(Failure problem) {
        long now = System.nanoTime();
        String why = problem.inShort();
        passive.suspect(now);
        boolean silent = active.missed(why);
        if (problem.reason() == Reason.TIMEOUT) {
            boolean mayBeStarting = !passive.hasEverAnswered() && active.mayBeStarting(now);
            unanswered.checkUnanswered("heartbeats are not answered (" + why + ")", silent && !mayBeStarting, now);
        } else if (GATEWAY_ANSWERED.contains(problem.reason())) {
            passive.answeredByGateway(now);
            unanswered.end();
        }
        reportChange();
        listener.onHealthCheck(NetworkListener.HealthCheck.missed(island, address(), connection.trafficClass()));
    }

    /** No health checks run: nothing waits for the answer of one, and the results of earlier ones do not count. */
    void notProbed() {
        active.forget();
        unanswered.end();
    }

    /** Records the loss of the connection: the endpoint is unproven until the next answer. */
    void noteLoss() {
        if (connection.activeInvokers() == null) {
            passive.connectionLost(System.nanoTime());
            active.connectionLost();
        }
        reportChange();
    }

    /** Called after possible changes, and periodically. */
    private void reportChange() {
        if (isTaking() != reportedOpen && !replaced) {
            report();
        }
    }

    private boolean isTaking() {
        return breaker.isClosed() && !unanswered.refusesCalls();
    }

    private synchronized void report() {
        boolean taking = isTaking();
        if (taking == reportedOpen) {
            return;
        }
        reportedOpen = taking;
        if (taking) {
            log.info("highway: " + name + " takes calls again");
        } else { // it may open many times before it closes; logged once
            log.warn("highway: " + name + " takes no calls for now: " + why());
        }
        listener.onBreakerChange(
                NetworkListener.BreakerChange.of(island, address(), !taking, connection.trafficClass()));
    }

    private String why() {
        String unresponsive = unanswered.problem();
        return unresponsive != null ? unresponsive : breaker.why();
    }

    @Override
    public String toString() {
        return name;
    }
}
