// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.caller.endpoint;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * When one endpoint is probed, one probe at a time:
 *
 * <ol>
 *   <li>at once, when a call over a healthy endpoint got no answer
 *   <li>half a second after the last probe at the earliest, when a call is refused because the endpoint does not answer
 *   <li>at the interval, while it is healthy
 *   <li>while it is not: after 300 ms, then with a backoff that doubles with each failed probe, up to the interval
 * </ol>
 *
 * The backoff starts again when a probe is answered, and with a new connection if the previous one had brought an
 * answer. So an endpoint that accepts connections and answers nothing costs one probe per interval.
 *
 * <p>Thread-safe.
 */
final class ProbeSchedule {

    static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(300);
    static final long WANTED_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private static final int MOST_DOUBLINGS = 20;

    /** From the end of the probe before, so that calls do not wait for one probe after the other. */
    private static final long LONG_AGO_NANOS = TimeUnit.SECONDS.toNanos(4);

    /** Why a probe may be sent. */
    enum Cause {
        TIME,
        WANTED,
        CALL_UNANSWERED
    }

    /**
     * A probe to be sent now.
     *
     * @param number its sequence number
     * @param awaitable whether it is the first over its connection, or the first in a long time: calls may wait for its
     *     answer
     */
    record Probe(int number, boolean awaitable) {}

    private final LongSupplier intervalNanos;
    private boolean isNew = true;
    private long connectedNanos;
    private boolean due = true;
    private boolean first = true;
    private long askedNanos;
    private long endedNanos;

    /** Consecutive unanswered probes. */
    private int failures;

    private int number;
    private boolean outstanding;

    /** With the interval, which may change. */
    ProbeSchedule(LongSupplier intervalNanos) {
        this.intervalNanos = intervalNanos;
    }

    private long pauseNanos() {
        int doublings = Math.min(Math.max(failures - 1, 0), MOST_DOUBLINGS);
        return Math.min(FIRST_PAUSE_NANOS << doublings, intervalNanos.getAsLong());
    }

    /**
     * Starts a probe if it is time for one.
     *
     * @param healthy whether the endpoint has no problem
     * @param lastAnswerNanos time of the last answer of the endpoint
     */
    synchronized @Nullable Probe begin(boolean healthy, long lastAnswerNanos, Cause cause, long now) {
        if (isNew) {
            isNew = false;
            if (outstanding) { // its result does not concern the new connection
                outstanding = false;
                failures++;
                number++;
            }
            if (lastAnswerNanos - connectedNanos > 0) {
                due = true;
                failures = 0;
            }
            connectedNanos = now;
            first = true;
        }
        if (outstanding || (!due && now - askedNanos < pause(healthy, cause))) {
            return null;
        }
        boolean awaitable = first || now - endedNanos > LONG_AGO_NANOS;
        due = false;
        first = false;
        askedNanos = now;
        outstanding = true;
        number++;
        return new Probe(number, awaitable);
    }

    private long pause(boolean healthy, Cause cause) {
        return switch (cause) {
            case CALL_UNANSWERED -> 0;
            case WANTED -> Math.min(pauseNanos(), WANTED_PAUSE_NANOS);
            case TIME -> healthy ? intervalNanos.getAsLong() : pauseNanos();
        };
    }

    /** The connection is lost. */
    synchronized void lost() {
        isNew = true;
    }

    /** Ends a probe; returns whether its result still applies: its connection is the one in use. */
    synchronized boolean end(Probe probe, boolean answered, long now) {
        if (probe.number != number) {
            return false;
        }
        outstanding = false;
        endedNanos = now;
        failures = answered ? 0 : failures + 1;
        return true;
    }

    /** Whether a probe is in flight. */
    synchronized boolean isOutstanding() {
        return outstanding;
    }
}
