// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.limits;

import com.netflix.concurrency.limits.limit.AbstractLimit;
import java.util.concurrent.TimeUnit;

/**
 * As many bulk calls in flight as keep the network link busy, with about one request waiting for it: an interactive
 * request then finds about two requests of bulk calls before it, one on the link and one behind.
 *
 * <ol>
 *   <li>With a limit of 1, the latency per byte of a few calls is that of a link without a queue.
 *   <li>With a limit {@code n}, {@code n * (latency without a queue / latency)} requests are on their way and the others
 *       wait. The next limit is that number plus one, rounded: it grows by one while nothing waits, and shrinks at once.
 *   <li>Every ten seconds it returns to 1 for a few calls and measures again, since the link may have changed.
 *   <li>A timeout halves it.
 * </ol>
 *
 * Latencies count per byte, as a window of small requests would seem fast otherwise. Thread-safe.
 */
final class BulkLimit extends AbstractLimit {

    private static final int MOST = 1000;

    /** Calls that are not measured after the start: they may wait for a connection. */
    private static final int COLD_CALLS = 3;

    private static final int CALLS_ALONE = 5;
    private static final int CALLS_OF_A_WINDOW = 12;
    private static final long MEASURE_AGAIN_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** Measuring takes at most this part of the time. */
    private static final int LEAST_TIMES_BETWEEN = 100;

    private int cold = COLD_CALLS;

    /** Nanoseconds per byte without a queue. */
    private double alone;

    private long measureAgain;

    /** The limit before it was measured again. */
    private int before = 1;

    private long windowBegan;
    private int calls;
    private int mostInFlight;
    private double nanos;
    private double bytes;

    /**
     * Creates the limit.
     *
     * @param now the time, nanoseconds
     */
    BulkLimit(long now) {
        super(1);
        windowBegan = now;
    }

    /** Called without the size of the request, which {@link #ended} needs. */
    @Override
    protected int _update(long startTime, long rtt, int inflight, boolean didDrop) {
        return getLimit();
    }

    /**
     * A call was answered.
     *
     * @param begun when it got its permit, nanoseconds
     * @param now the time, nanoseconds
     * @param size of the request, bytes
     * @param inFlight the calls in flight when it got its permit, with it
     */
    synchronized void ended(long begun, long now, long size, int inFlight) {
        if (cold > 0) {
            cold--;
            windowBegan = now;
            return;
        }
        if (begun - windowBegan < 0) {
            return; // sent under another limit
        }
        calls++;
        mostInFlight = Math.max(mostInFlight, inFlight);
        nanos += now - begun;
        bytes += Math.max(size, 1);
        int limit = getLimit();
        if (calls >= (limit == 1 ? CALLS_ALONE : CALLS_OF_A_WINDOW)) {
            next(following(limit, now), now);
        }
    }

    /** A call with a permit from {@code begun} has timed out. */
    synchronized void timedOut(long begun, long now) {
        if (begun - windowBegan >= 0) { // those that time out together count once
            before = 1;
            next(Math.max(1, getLimit() / 2), now);
        }
    }

    private int following(int limit, long now) {
        if (limit == 1) {
            alone = nanos / bytes;
            measureAgain = now + Math.max(MEASURE_AGAIN_NANOS, LEAST_TIMES_BETWEEN * (now - windowBegan));
            int following = Math.max(2, before);
            before = 1;
            return following;
        }
        if (now - measureAgain >= 0) {
            before = limit;
            return 1;
        }
        if (mostInFlight < limit) {
            return limit; // there were too few calls to tell
        }
        alone = Math.min(alone, nanos / bytes); // the link is faster than it was
        return (int) Math.min(MOST, Math.round(limit * alone * bytes / nanos + 1));
    }

    private void next(int limit, long now) {
        windowBegan = now;
        calls = 0;
        mostInFlight = 0;
        nanos = 0;
        bytes = 0;
        setLimit(limit);
    }
}
