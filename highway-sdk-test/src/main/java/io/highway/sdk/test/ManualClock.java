// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.test;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** Time that only the test moves, nanoseconds. */
final class ManualClock implements LongSupplier {

    private final AtomicLong now = new AtomicLong(System.nanoTime());

    @Override
    public long getAsLong() {
        return now.get();
    }

    void advance(Duration time) {
        now.addAndGet(time.toNanos());
    }

    /** Moves to this time, unless it is past. */
    void advanceTo(long nanos) {
        now.accumulateAndGet(nanos, (present, wanted) -> wanted - present > 0 ? wanted : present);
    }
}
