// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.limits;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Log lines that peers or calls cause: the first at once, and then one in ten seconds. Thread-safe. */
public final class LogLimit {

    private static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final AtomicLong next = new AtomicLong(System.nanoTime());
    private final AtomicLong leftOut = new AtomicLong();

    /** The end of a line that may be written now, which says how many were left out; null if none may. */
    public @Nullable String next() {
        long now = System.nanoTime();
        long due = next.get();
        if (now - due < 0 || !next.compareAndSet(due, now + INTERVAL_NANOS)) {
            leftOut.incrementAndGet();
            return null;
        }
        long more = leftOut.getAndSet(0);
        return more == 0 ? "" : " (and " + more + " more since the last such line)";
    }
}
