// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.guard;

import io.highway.sdk.dubbo.GuardListener;
import io.highway.sdk.dubbo.GuardListener.GuardEvent;
import io.highway.sdk.dubbo.internal.limits.Listeners;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.apache.dubbo.common.logger.Logger;
import org.apache.dubbo.common.logger.LoggerFactory;
import org.jspecify.annotations.Nullable;

/**
 * Reports what the guard does to the listeners and the log. The log has at most one line per minute, caller, reason and rule, and at
 * most 1,000 such combinations at a time; the rest share one. Thread-safe.
 */
final class GuardReports {

    private static final Logger log = LoggerFactory.getLogger(GuardReports.class);

    private static final long MINUTE_NANOS = TimeUnit.MINUTES.toNanos(1);
    private static final long SWEEP_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final int MAX_KEYS = 1_000;
    private static final Key OTHERS = new Key("", null, "");

    private final Map<Key, Line> lines = new ConcurrentHashMap<>();
    private final LongSupplier clock;
    private final AtomicLong nextSweep;

    private record Key(String reason, @Nullable String rule, String who) {}

    GuardReports() {
        this(System::nanoTime);
    }

    /** With a monotonic clock in nanoseconds. */
    GuardReports(LongSupplier clock) {
        this.clock = clock;
        this.nextSweep = new AtomicLong(clock.getAsLong());
    }

    /**
     * Reports an event.
     *
     * @param message the text that the caller gets, or null if the guard refuses nothing
     */
    void report(GuardEvent event, @Nullable String message, Listeners<GuardListener> listeners) {
        listeners.forEach(listener -> listener.onGuard(event)); // the call is audited already
        if (message != null) {
            log(event, message);
        }
    }

    private void log(GuardEvent event, String message) {
        String who = event.caller() != null
                ? event.caller().toString()
                : event.peer() != null ? event.peer() : "an unknown caller";
        long now = clock.getAsLong();
        Key key = new Key(event.reason(), event.rule(), who);
        Line line = lines.get(key);
        if (line == null) {
            if (lines.size() >= MAX_KEYS) {
                sweep(now);
            }
            line = lines.computeIfAbsent(lines.size() < MAX_KEYS ? key : OTHERS, any -> new Line(now - MINUTE_NANOS));
        }
        long suppressed = line.next(now);
        if (suppressed >= 0) {
            log.warn("highway: the guard " + (event.isShadow() ? "would refuse " : "refuses ")
                    + event.interfaceName() + "#" + event.methodName() + " for " + who
                    + (event.peer() == null || event.caller() == null ? "" : " from " + event.peer()) + ": " + message
                    + (suppressed == 0 ? "" : " (and " + suppressed + " times since the last line)"));
        }
    }

    /** At most once a second, so that a flood of callers costs little. */
    private void sweep(long now) {
        long next = nextSweep.get();
        if (now - next >= 0 && nextSweep.compareAndSet(next, now + SWEEP_NANOS)) {
            lines.values().removeIf(line -> line.isQuiet(now));
        }
    }

    /** The log lines of one combination. */
    private static final class Line {

        private final LongAdder suppressed = new LongAdder();
        private final AtomicLong last;

        Line(long last) {
            this.last = new AtomicLong(last);
        }

        /** How often no line was written since the last one, if one is due; else -1. */
        long next(long now) {
            long before = last.get();
            if (now - before >= MINUTE_NANOS && last.compareAndSet(before, now)) {
                return suppressed.sumThenReset();
            }
            suppressed.increment();
            return -1;
        }

        boolean isQuiet(long now) {
            return now - last.get() >= MINUTE_NANOS;
        }
    }
}
