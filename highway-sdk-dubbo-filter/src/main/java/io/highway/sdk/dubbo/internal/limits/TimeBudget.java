// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.limits;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The time of a call: each wait of it ends by what is left here. Immutable.
 *
 * @param clock monotonic, nanoseconds
 * @param start by this clock
 * @param millis the whole time
 */
public record TimeBudget(LongSupplier clock, long start, long millis) {

    private static final int TENTHS = 10;
    private static final long LEAST_REST_MILLIS = 20;
    private static final long MOST_REST_MILLIS = 500;

    /** One that begins now. */
    public static TimeBudget of(long millis) {
        return new TimeBudget(System::nanoTime, System.nanoTime(), millis);
    }

    /** What is left, milliseconds, for a wait without which nothing can follow; 0 or less once it is used up. */
    public long left() {
        return millis - TimeUnit.NANOSECONDS.toMillis(clock.getAsLong() - start);
    }

    /** What is left for a wait that may be in vain: as much is kept for the next attempt or the fallback. */
    public long leftForOneOfTwo() {
        return left() / 2;
    }

    /** What is left for a wait after which nothing was sent: a tenth, 20 to 500 ms, is kept for the next attempt or the fallback. */
    public long leftBeforeSending() {
        long rest = Math.min(MOST_REST_MILLIS, Math.max(LEAST_REST_MILLIS, millis / TENTHS));
        return Math.max(0, left() - rest);
    }
}
