// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.caller.failover;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts the calls in flight of one reference, streams included. Thread-safe. */
final class InFlightCounter {

    private static final long POLL_MILLIS = 5;

    private final AtomicInteger count = new AtomicInteger();

    void began() {
        count.incrementAndGet();
    }

    void ended() {
        count.decrementAndGet();
    }

    /**
     * Waits until no call is in flight.
     *
     * @param end when to stop waiting, as {@link System#nanoTime()}
     * @return false if a call was in flight then, or if the thread was interrupted
     */
    boolean awaitNone(long end) {
        try {
            while (count.get() > 0 && end - System.nanoTime() > 0) {
                TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return count.get() <= 0;
    }
}
