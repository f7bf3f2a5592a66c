// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.caller.endpoint;

import io.highway.sdk.dubbo.GatewayAddress;
import io.highway.sdk.dubbo.HighwayReport.Endpoint.State;
import io.highway.sdk.dubbo.NetworkListener;
import io.highway.sdk.dubbo.TunnelKind;
import io.highway.sdk.dubbo.internal.evidence.Failure;
import io.highway.sdk.dubbo.internal.limits.Listeners;
import io.highway.sdk.dubbo.internal.network.connection.ReconnectingLink;
import io.highway.sdk.dubbo.internal.policy.IslandPolicy.Breaking;
import java.time.Duration;
import java.util.function.Predicate;
import org.apache.dubbo.common.logger.Logger;
import org.apache.dubbo.common.logger.LoggerFactory;
import org.jspecify.annotations.Nullable;

/**
 * One gateway address as used for one island. Its status follows from its connection and its {@link HealthState}:
 *
 * <ol>
 *   <li><i>down</i>: its connection is lost; calls use another endpoint
 *   <li><i>open</i>: it is ejected or unresponsive; calls are refused
 *   <li><i>half-open</i>: it has a trial; a few calls are admitted
 *   <li><i>misrouted</i>: the guard of another island answered; other endpoints come first
 *   <li><i>silent</i>: suspect, and health checks do not reach the island; other endpoints come first
 *   <li><i>suspect</i>: something sent over it got no answer; other endpoints come first, or, as long as it is unresponsive
 *       and an answer is awaited, calls without another endpoint wait
 *   <li><i>unknown</i>: nothing has been answered over it yet; calls use it
 *   <li><i>up</i>
 * </ol>
 *
 * Thread-safe.
 */
public final class GatewayEndpoint {

    private static final Logger log = LoggerFactory.getLogger(GatewayEndpoint.class);

    private static final String OVERDUE = "nothing was received for three seconds, not even the answer to a heartbeat";

    private final String island;
    private final String name;
    private final ReconnectingLink connection;
    private final EndpointHealth health;
    private volatile Predicate<GatewayEndpoint> probe;
    private final Listeners<NetworkListener> listeners;

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
            ReconnectingLink connection,
            EndpointHealth health,
            Predicate<GatewayEndpoint> probe,
            Listeners<NetworkListener> listeners) {
        this.island = island;
        this.name = name;
        this.connection = connection;
        this.health = health;
        this.probe = probe;
        this.listeners = listeners;
    }

    /**
     * Follows another policy of its island.
     *
     * @param probed requests a health check at once; returns whether one is in flight then
     */
    GatewayEndpoint follow(Breaking next, Predicate<GatewayEndpoint> probed) {
        health.follow(next);
        probe = probed;
        return this;
    }

    /** The connection it uses. */
    public ReconnectingLink connection() {
        return connection;
    }

    /** The gateway address. */
    public GatewayAddress address() {
        return connection.address();
    }

    TunnelKind kind() {
        return connection.address().kind();
    }

    /** Its health apart from its connection. */
    EndpointHealth health() {
        return health;
    }

    /** Its health now. */
    public State status() {
        return connection.isUp() ? status(health.state()) : State.DOWN;
    }

    private State status(HealthState state) {
        return switch (state) {
            case UP -> connection.isOverdue() ? State.SUSPECT : health.hasEverAnswered() ? State.UP : State.UNKNOWN;
            case SUSPECT -> health.isSilent() ? State.SILENT : State.SUSPECT;
            case MISROUTED -> State.MISROUTED;
            case UNRESPONSIVE -> isAwaited() ? State.SUSPECT : State.OPEN;
            case EJECTED -> State.OPEN;
            case TRIAL -> State.HALF_OPEN;
        };
    }

    /** Whether calls wait for the answer of an unresponsive endpoint, which takes calls then. */
    private boolean isAwaited() {
        return health.waitNanos() > 0 && !health.mustProve();
    }

    /** Its problem, in words, or null while it is up or unknown. */
    public @Nullable String problem() {
        return switch (status()) {
            case UP, UNKNOWN, UNUSED -> null;
            case DOWN -> connection.problem();
            case SUSPECT, MISROUTED, SILENT, HALF_OPEN -> health.state() == HealthState.UP ? OVERDUE : health.problem();
            case OPEN -> "the breaker is open: " + health.problem();
        };
    }

    /** The round trip of the last health check, or null if none was answered since the last disconnect. */
    public @Nullable Duration roundTrip() {
        return health.roundTrip();
    }

    /** Whether other endpoints come first. */
    boolean isSuspect() {
        return switch (health.state()) {
            case UP -> connection.isOverdue();
            case TRIAL, EJECTED -> health.isTroubled();
            case SUSPECT, MISROUTED, UNRESPONSIVE -> true;
        };
    }

    /** Whether calls wait or are refused until any answer arrives. */
    boolean isUnresponsive() {
        return health.state() == HealthState.UNRESPONSIVE;
    }

    /** Whether calls may use it, and it is not suspect. */
    boolean isHealthy() {
        HealthState state = health.state();
        return connection.isUp() && (state == HealthState.UP || (state == HealthState.TRIAL && !health.isTroubled()));
    }

    /** Whether an answer has arrived since its last problem. */
    boolean isProven() {
        return connection.isUp() && isSettled();
    }

    /** Whether the next health check is due only after the interval. */
    boolean isSettled() {
        return health.state() == HealthState.UP && health.isProven();
    }

    /** Admits one call, if it may; the call must report its result. */
    boolean tryEnter() {
        return health.tryEnter();
    }

    /** Whether {@link #tryEnter} may admit a call now; a trial admits a few. Changes nothing. */
    boolean admits() {
        return health.admits();
    }

    /** The trial of a call that was just admitted; the call reports it when it ends. */
    public int trial() {
        return health.trial();
    }

    /**
     * A call was answered, by a value or an exception of the service.
     *
     * @param trial from {@link #trial()}
     * @param begun when it began
     */
    public void delivered(int trial, long begun) {
        health.callAnswered(trial, begun);
        reportChange();
    }

    /**
     * A call got no answer from the service.
     *
     * @param trial from {@link #trial()}
     * @param begun when it began
     * @param call its method
     */
    public void failed(int trial, long begun, String call, Failure failure) {
        health.callFailed(trial, begun, failure, call + " ended as " + failure.inShort(), () -> probe.test(this));
        reportChange();
    }

    /** How long calls still wait for an answer, nanoseconds; 0 if they do not wait. */
    long waitNanos() {
        return connection.isUp() ? health.waitNanos() : 0;
    }

    /** Ends an admitted call whose result is not observed, such as a stream, or that was not made after all. */
    public void released(int trial) {
        health.released(trial);
    }

    /** A health check was answered. */
    void echoed(Duration took, int slowMillis) {
        health.checkAnswered(took, slowMillis);
        reportChange();
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
        if (isTaking() != reportedOpen) {
            report();
        }
    }

    private boolean isTaking() {
        return switch (health.state()) {
            case UP, SUSPECT -> true;
            case MISROUTED -> !health.mustProve();
            case UNRESPONSIVE -> reportedOpen && isAwaited(); // a further health check does not open it again
            case EJECTED, TRIAL -> false;
        };
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
            log.warn("highway: " + name + " takes no calls for now: " + health.problem());
        }
        listeners.forEach(one -> one.onBreakerChange(
                new NetworkListener.BreakerChange(island, address(), !taking, connection.trafficClass())));
    }

    @Override
    public String toString() {
        return name;
    }
}
