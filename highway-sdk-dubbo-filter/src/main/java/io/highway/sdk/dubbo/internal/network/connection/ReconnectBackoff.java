// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.network.connection;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The pause before the next attempt to connect: none, unless the gateway accepted the last connection and did not answer
 * over it; then it doubles with each attempt. Changed by one thread at a time, read by all.
 */
final class ReconnectBackoff {

    /** The first pause: a gateway that has not answered will likely not answer a moment later. */
    private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private static final long LONGEST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(5);

    /** A connection that is up for so long ends the backoff. */
    private static final long ENDS_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final LongSupplier clock;

    /** 0 unless the last connection was accepted without an answer. */
    private volatile long pauseNanos;

    private volatile long triedNanos;

    ReconnectBackoff(LongSupplier clock) {
        this.clock = clock;
        this.triedNanos = clock.getAsLong();
    }

    boolean isActive() {
        return pauseNanos > 0;
    }

    /** Whether the pause is over. */
    boolean isDue() {
        return clock.getAsLong() - triedNanos >= pauseNanos;
    }

    /** Whether the last attempt was so long ago that a connection which is still up has proved itself. */
    boolean isOld() {
        return clock.getAsLong() - triedNanos > ENDS_NANOS;
    }

    /** An attempt has ended. */
    void tried(boolean inVain) {
        triedNanos = clock.getAsLong();
        pauseNanos = inVain ? Math.min(LONGEST_PAUSE_NANOS, Math.max(FIRST_PAUSE_NANOS, 2 * pauseNanos)) : 0;
    }

    void end() {
        pauseNanos = 0;
    }
}
