// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.caller.endpoint;

import io.github.resilience4j.core.metrics.FixedSizeSlidingWindowMetrics;
import io.github.resilience4j.core.metrics.Metrics.Outcome;
import io.github.resilience4j.core.metrics.Snapshot;
import io.highway.sdk.dubbo.internal.policy.IslandPolicy.Breaking;
import java.util.concurrent.TimeUnit;

/** The last calls over one endpoint, and whether too many of them failed or were slow. Thread-safe. */
final class RecentCalls {

    /** The size of the sliding window, and the minimum number of calls in it that decide. */
    private static final int WINDOW = 100;

    private static final int LEAST_CALLS = 20;

    private final Breaking limits;
    private final int least;
    private final FixedSizeSlidingWindowMetrics calls;
    private volatile String lastFailed = "";
    private volatile String lastSlow = "";

    /** What the calls so far decide. */
    enum Verdict {
        UNDECIDED,
        WITHIN_LIMIT,
        OVER_LIMIT
    }

    private RecentCalls(Breaking limits, int size, int least) {
        this.limits = limits;
        this.least = least;
        this.calls = new FixedSizeSlidingWindowMetrics(size);
    }

    static RecentCalls of(Breaking limits) {
        return new RecentCalls(limits, WINDOW, LEAST_CALLS);
    }

    /** The calls of a trial, all of which decide. */
    static RecentCalls ofTrial(Breaking limits, int calls) {
        return new RecentCalls(limits, calls, calls);
    }

    Breaking limits() {
        return limits;
    }

    Verdict answered(long nanos) {
        boolean isSlow = isSlow(nanos);
        if (isSlow) {
            lastSlow = "; the last slow one took " + TimeUnit.NANOSECONDS.toMillis(nanos) + " ms";
        }
        return count(nanos, isSlow ? Outcome.SLOW_SUCCESS : Outcome.SUCCESS);
    }

    /** @param what describes the call in words */
    Verdict failed(long nanos, String what) {
        lastFailed = "; the last that failed: " + what;
        return count(nanos, isSlow(nanos) ? Outcome.SLOW_ERROR : Outcome.ERROR);
    }

    private boolean isSlow(long nanos) {
        return limits.slowCallMillis() != 0 && nanos >= TimeUnit.MILLISECONDS.toNanos(limits.slowCallMillis());
    }

    private Verdict count(long nanos, Outcome outcome) {
        if (limits.failureRate() == 0) {
            return Verdict.UNDECIDED;
        }
        Snapshot now = calls.record(nanos, TimeUnit.NANOSECONDS, outcome);
        if (now.getTotalNumberOfCalls() < least) {
            return Verdict.UNDECIDED;
        }
        return now.getFailureRate() >= limits.failureRate() || now.getSlowCallRate() >= limits.failureRate()
                ? Verdict.OVER_LIMIT
                : Verdict.WITHIN_LIMIT;
    }

    @Override
    public String toString() {
        Snapshot now = calls.getSnapshot();
        return now.getNumberOfFailedCalls() + " of the last " + now.getTotalNumberOfCalls() + " calls failed and "
                + now.getTotalNumberOfSlowCalls() + " were slow" + lastFailed + lastSlow;
    }
}
