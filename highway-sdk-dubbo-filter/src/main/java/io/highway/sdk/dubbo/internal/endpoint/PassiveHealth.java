// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.endpoint;

import java.util.concurrent.TimeUnit;

/** When an endpoint was answered and had a problem last, by its calls and its health checks. Thread-safe. */
final class PassiveHealth {

    /**
     * An answer within this time proves that the endpoint is alive: an unanswered call is then a problem of its service
     * alone.
     */
    private static final long RECENT_NANOS = TimeUnit.MILLISECONDS.toNanos(300);

    /** Time of the first answer after the last problem, and of that problem. */
    private volatile long good;

    private volatile long bad;

    /** Time of the last answer, to within {@link #RECENT_NANOS}; meaningful once {@code answeredEver}. */
    private volatile long lastAnswered;

    private volatile boolean answeredEver;

    /** When the first call over the connection was answered; 0 until then. */
    private volatile long warm;

    /** Begins unproven. */
    PassiveHealth(long now) {
        good = now;
        bad = now;
        lastAnswered = now;
    }

    /** Whether an answer has arrived since the last problem. */
    boolean isProven() {
        return good - bad > 0;
    }

    boolean hasEverAnswered() {
        return answeredEver;
    }

    /** Time of the last answer, or of its creation. */
    long lastAnswerNanos() {
        return lastAnswered;
    }

    /** Whether it has answered so recently that an unanswered call does not concern the endpoint. */
    boolean hasJustAnswered(long now) {
        return now - lastAnswered <= RECENT_NANOS;
    }

    /**
     * Whether an answered call began before the first answer over the connection: it may have been slow because the
     * provider loaded classes.
     */
    boolean isFirst(long begun, long now) {
        boolean first = warm == 0 || begun - warm < 0;
        if (warm == 0) {
            warm = now;
        }
        return first;
    }

    /** The island has answered a call or a health check. Runs for every call, so it writes only what changes. */
    void answered(long now) {
        if (good - bad <= 0) {
            good = now;
        }
        if (!answeredEver || now - lastAnswered > RECENT_NANOS / 2) { // not for every call: many threads would write it
            lastAnswered = now;
            answeredEver = true;
        }
    }

    /** A gateway has answered, although not the island. */
    void answeredByGateway(long now) {
        lastAnswered = now;
    }

    /** Unproven until the next answer. */
    void failed(long now) {
        bad = now;
    }

    /** Its connection is lost: unproven until the next answer. */
    void connectionLost(long now) {
        bad = now;
        warm = 0;
    }
}
