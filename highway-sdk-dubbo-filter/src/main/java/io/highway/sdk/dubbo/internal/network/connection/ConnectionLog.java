// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.network.connection;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.dubbo.common.logger.Logger;
import org.apache.dubbo.common.logger.LoggerFactory;
import org.jspecify.annotations.Nullable;

/** The log lines about the connections to one gateway: one for each change. Thread-safe. */
final class ConnectionLog {

    /** One line a minute, after some that follow each other at once. */
    private static final long INTERVAL_NANOS = TimeUnit.MINUTES.toNanos(1);

    private static final int LINES_AT_ONCE = 6;

    private static final Logger log = LoggerFactory.getLogger(ConnectionLog.class);

    private final String gateway;
    private final LongSupplier clock;
    private String logged = "";

    /** The time up to which lines have been used up. */
    private long usedNanos;

    /** Why connections with other certificates, or to another address, could not be made; null if they were. */
    private @Nullable String notRenewed;

    ConnectionLog(String gateway, LongSupplier clock) {
        this.gateway = gateway;
        this.clock = clock;
        this.usedNanos = clock.getAsLong() - LINES_AT_ONCE * INTERVAL_NANOS;
    }

    /** Logs the state if it, or its cause, has changed; later, when it is asked again, if there have been many lines. */
    synchronized void state(boolean up, String problem) {
        String state = up ? "up" : problem;
        long now = clock.getAsLong();
        if (state.equals(logged) || now - usedNanos < INTERVAL_NANOS) {
            return;
        }
        usedNanos = Math.max(usedNanos, now - LINES_AT_ONCE * INTERVAL_NANOS) + INTERVAL_NANOS;
        logged = state;
        if (up) {
            log.info("highway: gateway " + gateway + " is up");
        } else {
            log.warn("highway: gateway " + gateway + " is down (" + problem + "), reconnecting");
        }
    }

    /** Logs that new connections replace those with other certificates, or to another address, or why they do not. */
    synchronized void renewal(@Nullable String failure) {
        if (failure == null) {
            log.info("highway: gateway " + gateway + " has other certificates, or another address: new calls use a new"
                    + " connection, those in flight end over the old one");
        } else if (!failure.equals(notRenewed)) {
            log.warn(
                    "highway: gateway " + gateway + " has other certificates, or another address, and no new connection"
                            + " can be made (" + failure + "); the old one stays in use");
        }
        notRenewed = failure;
    }
}
