// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.endpoint;

import io.highway.sdk.dubbo.internal.endpoint.HealthState.Event;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.dubbo.common.logger.Logger;
import org.apache.dubbo.common.logger.LoggerFactory;
import org.jspecify.annotations.Nullable;

/** The active health of an endpoint: the results of its health checks, the second column of {@link HealthState}. Thread-safe. */
final class ActiveHealth {

    /** The time that a peer which has never answered has for its first answer: it may be starting. */
    private static final long COLD_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static final long TRY_AGAIN_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static final Logger log = LoggerFactory.getLogger(ActiveHealth.class);

    private final String endpoint;
    private volatile HealthState state = HealthState.PASSING;
    private volatile long firstProbe;
    private volatile @Nullable Duration roundTrip;
    private volatile String silence = "";
    private volatile @Nullable String misrouted;
    private volatile long misroutedNanos;
    private volatile boolean isMisroutingLogged;
    private boolean wasSlow;

    /** With the endpoint's name, for the log. */
    ActiveHealth(String endpoint) {
        this.endpoint = endpoint;
    }

    HealthState state() {
        return state;
    }

    private synchronized HealthState on(Event event) {
        state = state.on(event);
        return state;
    }

    /** Why the last health check without an answer got none. */
    String silence() {
        return silence;
    }

    /** What the guard of another island has answered, if it was the last to answer. */
    @Nullable
    String misrouted() {
        return misrouted;
    }

    /** The guard of another island answered. Logs that once until the route is mended for good. */
    synchronized void misrouted(String why, long now) {
        if (misrouted == null) {
            misroutedNanos = now;
        }
        misrouted = why;
        if (!isMisroutingLogged) {
            isMisroutingLogged = true;
            log.warn("highway: " + endpoint + " leads to another island (" + why + "): correct the gateway's route."
                    + " Calls use other endpoints of the island, or fail");
        }
    }

    /** The island has answered. Runs for every call. */
    void routed(long now) {
        if (isMisroutingLogged) { // also after a miss or another connection
            mended(now);
        }
    }

    /** After a short time it is no line, nor is the next time: a balancer may lead to both islands alternately. */
    private synchronized void mended(long now) {
        if (isMisroutingLogged && now - misroutedNanos > TRY_AGAIN_NANOS) {
            isMisroutingLogged = false;
            log.info("highway: " + endpoint + " leads to its island again");
        }
        misrouted = null;
    }

    /** The round trip of the last health check, or null if none was answered since the last disconnect. */
    @Nullable
    Duration roundTrip() {
        return roundTrip;
    }

    /** Whether the first health check was sent so recently that its peer may still be starting. */
    boolean mayBeStarting(long now) {
        return now - firstProbe < COLD_NANOS;
    }

    void sent(long now) {
        if (firstProbe == 0) {
            firstProbe = now;
        }
    }

    /** A call or a health check was answered, or none runs any more. Runs for every call. */
    void passed(Event event) {
        if (state != HealthState.PASSING) {
            HealthState unused = on(event);
        }
    }

    /** A health check was answered; returns whether it was the first since the last disconnect. */
    boolean roundTrip(Duration took) {
        boolean isFirst = roundTrip == null;
        roundTrip = took;
        return isFirst;
    }

    /**
     * Logs once when health checks become slow, and once when they are in time again. A slow first one is not logged:
     * the processes on the way may have just started.
     */
    void logIfSlow(Duration took, int slowMillis, boolean isFirst) {
        boolean slow = took.toMillis() > slowMillis;
        if (slow != wasSlow && !(slow && isFirst)) {
            if (slow) {
                log.warn("highway: " + endpoint + " answers heartbeats slowly: " + took.toMillis()
                        + " ms, and highway.heartbeat.slow is " + slowMillis + " ms");
            } else {
                log.info("highway: " + endpoint + " answers heartbeats in time again: " + took.toMillis() + " ms");
            }
            wasSlow = slow;
        }
    }

    /** A health check got no answer; returns the state then. */
    HealthState missed(String why) {
        silence = why;
        misrouted = null; // nothing answers
        return on(Event.CHECK_MISSED);
    }

    /** The next connection may lead elsewhere. */
    void connectionLost() {
        misrouted = null;
        roundTrip = null;
    }

    /** No health checks run any more: a call has to find out whether the route is mended. */
    void forget(long now) {
        if (now - misroutedNanos > TRY_AGAIN_NANOS) {
            misrouted = null;
        }
        passed(Event.CHECKS_STOPPED);
        roundTrip = null;
    }
}
