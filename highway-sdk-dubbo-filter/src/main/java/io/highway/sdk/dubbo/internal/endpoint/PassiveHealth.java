// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.endpoint;

import io.highway.sdk.dubbo.Reason;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * The passive health of an endpoint: whether what was sent over it is answered. An answer proves it; a failure with a
 * possible network cause makes it suspect for five seconds, or until the next answer. Thread-safe.
 */
final class PassiveHealth {

    /** Failures that mark the endpoint as suspect (possible network cause). */
    private static final Set<Reason> SUSPICIOUS =
            EnumSet.of(Reason.TIMEOUT, Reason.CONNECTION_LOST, Reason.GATEWAY_ERROR, Reason.NOT_FORWARDED);

    /** How long an endpoint stays suspect if no health check decides earlier. */
    private static final long SUSPECT_NANOS = TimeUnit.SECONDS.toNanos(5);

    /**
     * An answer within this time proves that the endpoint is alive: an unanswered call is then a problem of its service
     * alone.
     */
    private static final long RECENT_NANOS = TimeUnit.MILLISECONDS.toNanos(300);

    /** When it stops being suspect; 0 if it is not. */
    private volatile long suspectUntil;

    /** Time of the first answer after the last problem, and of that problem. */
    private volatile long good;

    private volatile long bad = System.nanoTime();

    /** Time of the last answer, to within {@link #RECENT_NANOS}; meaningful once {@code answeredEver}. */
    private volatile long lastAnswered = System.nanoTime();

    private volatile boolean answeredEver;

    /** When the first call over the connection was answered; 0 until then. */
    private volatile long warm;

    boolean isSuspect() {
        long until = suspectUntil;
        return until != 0 && System.nanoTime() - until < 0;
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
        if (suspectUntil != 0) {
            suspectUntil = 0;
        }
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

    /** A call got no answer from the service. */
    void failed(Reason reason, long now) {
        if (SUSPICIOUS.contains(reason)) {
            suspect(now);
        }
    }

    /** The endpoint is suspect. */
    void suspect(long now) {
        suspectUntil = now + SUSPECT_NANOS;
        bad = now;
    }

    /** Its connection is lost: unproven until the next answer. */
    void connectionLost(long now) {
        bad = now;
        warm = 0;
    }
}
