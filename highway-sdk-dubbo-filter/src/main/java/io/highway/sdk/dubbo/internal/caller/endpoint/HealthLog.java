// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.caller.endpoint;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.dubbo.common.logger.Logger;
import org.apache.dubbo.common.logger.LoggerFactory;

/** What the log says of one endpoint's route and health checks, each change once. Thread-safe. */
final class HealthLog {

    /** A route that is mended for a shorter time is none: a balancer may lead to both islands alternately. */
    static final long MENDED_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static final Logger log = LoggerFactory.getLogger(HealthLog.class);

    private final String endpoint;
    private volatile boolean isMisrouted;
    private long misroutedNanos;
    private boolean wasSlow;

    /** With the endpoint's name. */
    HealthLog(String endpoint) {
        this.endpoint = endpoint;
    }

    /** The guard of another island has answered; {@code isNew} if the island had answered since the last time. */
    synchronized void misrouted(String why, boolean isNew, long now) {
        if (isNew) {
            misroutedNanos = now;
        }
        if (!isMisrouted) {
            isMisrouted = true;
            log.warn("highway: " + endpoint + " leads to another island (" + why + "): correct the gateway's route."
                    + " Calls use other endpoints of the island, or fail");
        }
    }

    /** The island has answered. Runs for every call. */
    void routed(long now) {
        if (isMisrouted) { // also after a miss or another connection
            mended(now);
        }
    }

    private synchronized void mended(long now) {
        if (isMisrouted && now - misroutedNanos > MENDED_NANOS) {
            isMisrouted = false;
            log.info("highway: " + endpoint + " leads to its island again");
        }
    }

    /**
     * Logs once when health checks become slow, and once when they are in time again. A slow first one is not logged:
     * the processes on the way may have just started.
     */
    synchronized void checked(Duration took, int slowMillis, boolean isFirst) {
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
}
