// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.limits;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.apache.dubbo.common.logger.Logger;
import org.jspecify.annotations.Nullable;

/** Log lines that peers or calls cause: the first at once, and then one per interval. Thread-safe. */
public final class LogLimit {

    private static final int SECONDS = 10;

    private final long intervalNanos;
    private final LongSupplier nanos;
    private final AtomicLong next;
    private final AtomicLong leftOut = new AtomicLong();

    /** With ten seconds between lines. */
    public LogLimit() {
        this(SECONDS);
    }

    /** With another interval. */
    public LogLimit(int seconds) {
        this(seconds, System::nanoTime);
    }

    /** With another clock in nanoseconds. */
    public LogLimit(int seconds, LongSupplier nanos) {
        this.intervalNanos = TimeUnit.SECONDS.toNanos(seconds);
        this.nanos = nanos;
        this.next = new AtomicLong(nanos.getAsLong());
    }

    /** Whether a line would be logged now. */
    public boolean isDue() {
        return nanos.getAsLong() - next.get() >= 0;
    }

    /** How many lines were left out before this one, which is to be logged; -1 if it is left out, too. */
    public long take() {
        long now = nanos.getAsLong();
        long due = next.get();
        if (now - due < 0 || !next.compareAndSet(due, now + intervalNanos)) {
            leftOut.incrementAndGet();
            return -1;
        }
        return leftOut.getAndSet(0);
    }

    /** Logs a line, with how many were left out before it, or leaves it out. */
    public void warn(Logger log, String line) {
        warn(log, line, null);
    }

    /** As {@link #warn(Logger, String)}, with the stack trace of an exception. */
    public void warn(Logger log, String line, @Nullable Throwable thrown) {
        long more = take();
        if (more >= 0) {
            log.warn(more == 0 ? line : line + " (and " + more + " more since the last such line)", thrown);
        }
    }
}
