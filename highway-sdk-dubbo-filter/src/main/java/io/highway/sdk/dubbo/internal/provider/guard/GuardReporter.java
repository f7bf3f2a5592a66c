// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.provider.guard;

import io.highway.sdk.dubbo.GuardListener;
import io.highway.sdk.dubbo.GuardListener.GuardEvent;
import io.highway.sdk.dubbo.internal.limits.Listeners;
import io.highway.sdk.dubbo.internal.limits.LogLimit;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.dubbo.common.logger.Logger;
import org.apache.dubbo.common.logger.LoggerFactory;
import org.jspecify.annotations.Nullable;

/**
 * Reports what the guard does to the listeners and the log. The log has at most one line per minute, caller, reason and rule, and at
 * most 1,000 such combinations at a time; the rest share one. Thread-safe.
 */
final class GuardReporter {

    private static final Logger log = LoggerFactory.getLogger(GuardReporter.class);

    private static final int SECONDS_BETWEEN_LINES = 60;
    private static final long SWEEP_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final int MAX_KEYS = 1_000;
    private static final Key OTHERS = new Key("", null, "");

    private final Map<Key, LogLimit> lines = new ConcurrentHashMap<>();
    private final LongSupplier clock;

    // guarded by this
    private long nextSweep;

    private record Key(String reason, @Nullable String rule, String who) {}

    /** With a monotonic clock in nanoseconds. */
    GuardReporter(LongSupplier clock) {
        this.clock = clock;
        this.nextSweep = clock.getAsLong();
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
        Key key = new Key(event.reason(), event.rule(), who);
        LogLimit known = lines.get(key);
        long suppressed = (known != null ? known : limitOf(key)).take();
        if (suppressed >= 0) {
            log.warn("highway: the guard " + (event.isShadow() ? "would refuse " : "refuses ")
                    + event.interfaceName() + "#" + event.methodName() + " for " + who
                    + (event.peer() == null || event.caller() == null ? "" : " from " + event.peer()) + ": " + message
                    + (suppressed == 0 ? "" : " (and " + suppressed + " times since the last line)"));
        }
    }

    /** Looks for a place at most once a second, so that a flood of callers costs little. */
    private synchronized LogLimit limitOf(Key key) {
        long now = clock.getAsLong();
        if (lines.size() >= MAX_KEYS && now - nextSweep >= 0) {
            nextSweep = now + SWEEP_NANOS;
            lines.values().removeIf(LogLimit::isDue);
        }
        return lines.computeIfAbsent(
                lines.size() < MAX_KEYS ? key : OTHERS, any -> new LogLimit(SECONDS_BETWEEN_LINES, clock));
    }
}
