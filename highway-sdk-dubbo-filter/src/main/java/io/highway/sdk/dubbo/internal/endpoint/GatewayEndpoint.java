// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.endpoint;

import io.highway.sdk.dubbo.GatewayAddress;
import io.highway.sdk.dubbo.HighwayReport.Endpoint.State;
import io.highway.sdk.dubbo.NetworkListener;
import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.TunnelKind;
import io.highway.sdk.dubbo.internal.config.IslandPolicy.Breaking;
import io.highway.sdk.dubbo.internal.connection.GatewayConnection;
import io.highway.sdk.dubbo.internal.evidence.Failure;
import io.highway.sdk.dubbo.internal.limits.Listeners;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.dubbo.common.logger.Logger;
import org.apache.dubbo.common.logger.LoggerFactory;
import org.jspecify.annotations.Nullable;

/**
 * One gateway address as used for one island, and its health. The first status that applies, by the connection and the
 * table of {@link HealthState}:
 *
 * <ol>
 *   <li><i>down</i>: its connection is lost; calls use another endpoint
 *   <li><i>open</i>: its breaker is open, or it is unresponsive; calls are refused
 *   <li><i>misrouted</i>: the guard of another island answered; other endpoints come first
 *   <li><i>half-open</i>: its breaker is; a few calls are admitted
 *   <li><i>suspect</i>: an answer is awaited; calls without another endpoint wait
 *   <li><i>silent</i>: health checks do not reach the island; other endpoints come first
 *   <li><i>suspect</i>: something sent over it got no answer; other endpoints come first
 *   <li><i>unknown</i>: nothing has been answered over it yet; calls use it
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

    private static final Logger log = LoggerFactory.getLogger(GatewayEndpoint.class);

    private final String island;
    private final String name;
    private final GatewayConnection connection;
    private final Breaking breaking;
    private final EndpointBreaker breaker;
    private final EndpointHealth health;
    private volatile Predicate<GatewayEndpoint> probe;
    private final Listeners<NetworkListener> listeners;

    /** Whether an endpoint with another breaker has replaced it, which reports changes from then on. */
    private volatile boolean replaced;

    /** Whether the last reported state accepts calls. */
    private volatile boolean reportedOpen = true;

    /**
     * Creates an endpoint.
     *
     * @param island the destination's id
     * @param name its name in messages
     * @param probe requests a health check at once; returns whether one is in flight then
     */
    GatewayEndpoint(
            String island,
            String name,
            GatewayConnection connection,
            Breaking breaking,
            EndpointHealth health,
            Predicate<GatewayEndpoint> probe,
            Listeners<NetworkListener> listeners) {
        this.island = island;
        this.name = name;
        this.connection = connection;
        this.breaking = breaking;
        this.breaker = new EndpointBreaker(island + " over " + connection.name(), breaking, health.clock());
        this.health = health;
        this.probe = probe;
        this.listeners = listeners;
    }

    /**
     * The endpoint for another policy of its island: this one, or one with another breaker if its settings change.
     *
     * @param probed requests a health check at once; returns whether one is in flight then
     */
    GatewayEndpoint with(Breaking next, Predicate<GatewayEndpoint> probed) {
        if (next.equals(breaking)) {
            probe = probed;
            return this;
        }
        GatewayEndpoint successor = new GatewayEndpoint(island, name, connection, next, health, probed, listeners);
        successor.reportedOpen = reportedOpen;
        replaced = true;
        return successor;
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

    /** Its health apart from the breaker. */
    EndpointHealth health() {
        return health;
    }

    /** The state in each column of {@link HealthState}. */
    Set<HealthState> states() {
        return EnumSet.of(health.answers().state(), health.active().state(), breaker.state());
    }

    /** Its health now. */
    public State status() {
        if (!connection.isUp()) {
            return State.DOWN;
        }
        Set<HealthState> states = states();
        if (states.contains(HealthState.OPEN) || states.contains(HealthState.UNRESPONSIVE)) {
            return State.OPEN;
        }
        if (health.active().misrouted() != null) {
            return State.MISROUTED;
        }
        if (states.contains(HealthState.HALF_OPEN)) {
            return State.HALF_OPEN;
        }
        if (states.contains(HealthState.SILENT) && !states.contains(HealthState.AWAITED)) {
            return State.SILENT;
        }
        if (!states.contains(HealthState.RESPONSIVE)) {
            return State.SUSPECT;
        }
        return health.passive().hasEverAnswered() ? State.UP : State.UNKNOWN;
    }

    /** Its problem, in words, or null while it is up or unknown. */
    public @Nullable String problem() {
        return switch (status()) {
            case UP, UNKNOWN, UNUSED -> null;
            case DOWN -> connection.problem();
            case SUSPECT -> Objects.requireNonNullElse(health.answers().problem(), "a call got no answer");
            case MISROUTED ->
                "the gateway leads to another island (" + health.active().misrouted() + ")";
            case SILENT -> "heartbeats do not arrive (" + health.active().silence() + ")";
            case HALF_OPEN -> "the breaker admits a few calls";
            case OPEN -> "the breaker is open: " + why();
        };
    }

    /** The round trip of the last health check, or null if none was answered since the last disconnect. */
    public @Nullable Duration roundTrip() {
        return health.active().roundTrip();
    }

    /** Whether the endpoint is reported as suspect. */
    boolean isSuspected() {
        State status = status();
        return status == State.SUSPECT || status == State.SILENT || status == State.MISROUTED;
    }

    /** Whether the endpoint is deprioritised. */
    boolean isSuspect() {
        return health.answers().state() != HealthState.RESPONSIVE
                || health.active().misrouted() != null;
    }

    /** Whether calls wait or are refused until any answer arrives. */
    boolean isUnresponsive() {
        return health.answers().isUnresponsive();
    }

    /** Whether health checks in a row are reported not to reach the island. */
    boolean isSilent() {
        return health.active().state() == HealthState.SILENT;
    }

    /** Whether calls may use it, and it is not suspect. */
    boolean isHealthy() {
        return connection.isUp() && !breaker.isOpen() && !isSuspect() && !isSilent();
    }

    /** Whether an answer has arrived since its last problem. */
    boolean isProven() {
        return isHealthy() && breaker.isClosed() && health.passive().isProven();
    }

    /** Whether the next health check is due only after the interval. */
    boolean isSettled() {
        return breaker.isClosed() && health.passive().isProven() && !isSuspect();
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
        breaker.succeeded(period, health.callAnswered(begun));
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
        Reason reason = failure.reason();
        String ended = call + " ended as " + failure.inShort();
        health.callFailed(reason);
        if (failure.isMisrouted()) {
            health.misrouted(failure);
        } else if (failure.isRefusedThere()) {
            health.islandReached(health.clock().getAsLong());
        }
        if (FAILED.contains(reason)) {
            breaker.failed(period, health.clock().getAsLong() - begun, ended, thrown);
            reportChange();
        } else {
            breaker.released(period);
        }
        if (reason == Reason.TIMEOUT
                && health.callTimedOut("a call got no answer (" + ended + ")")
                && !probe.test(this)) {
            health.checkNotSent();
        }
    }

    /** How long calls still wait for an answer, nanoseconds; 0 if they do not wait. */
    long waitNanos() {
        return !connection.isUp() ? 0 : health.answers().waitNanos();
    }

    /** Ends an admitted call whose result is not observed, such as a stream, or that was not made after all. */
    public void released(int period) {
        breaker.released(period);
    }

    /** A health check was answered. */
    void echoed(Duration took, int slowMillis) {
        boolean isFirst = health.active().roundTrip(took);
        health.checkAnswered();
        breaker.probed(took.toNanos());
        reportChange();
        health.active().logIfSlow(took, slowMillis, isFirst);
        listeners.forEach(one ->
                one.onHealthCheck(new NetworkListener.HealthCheck(island, address(), took, connection.trafficClass())));
    }

    /**
     * The destination did not answer a health check. If a gateway reported that at once, calls are not refused: the
     * first one after the cause has gone succeeds.
     */
    void missed(Failure problem) {
        health.checkMissed(problem);
        reportChange();
        listeners.forEach(one ->
                one.onHealthCheck(new NetworkListener.HealthCheck(island, address(), null, connection.trafficClass())));
    }

    /** The guard of another island answered a health check: the path works, and leads elsewhere. */
    void misrouted(Failure problem) {
        health.misrouted(problem);
        reportChange();
    }

    /** Records the loss of the connection: the endpoint is unproven until the next answer. */
    void noteLoss() {
        if (!connection.isUp()) {
            health.connectionLost();
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
        return breaker.isClosed() && health.answers().state() != HealthState.UNRESPONSIVE;
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
        listeners.forEach(one -> one.onBreakerChange(
                new NetworkListener.BreakerChange(island, address(), !taking, connection.trafficClass())));
    }

    private String why() {
        String unresponsive = health.answers().problem();
        return unresponsive != null ? unresponsive : breaker.why();
    }

    @Override
    public String toString() {
        return name;
    }
}
