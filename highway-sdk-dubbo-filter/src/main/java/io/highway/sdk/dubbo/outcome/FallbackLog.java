// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.outcome;

import java.util.concurrent.atomic.AtomicLong;
import org.apache.dubbo.common.logger.Logger;
import org.apache.dubbo.common.logger.LoggerFactory;

/**
 * Logs that calls of a reference are answered otherwise, at home or by a mock: the first one at once, then how many, every ten
 * seconds at most. Thread-safe.
 */
public final class FallbackLog {

    private static final Logger log = LoggerFactory.getLogger(FallbackLog.class);
    private static final long INTERVAL_NANOS = 10_000_000_000L;

    private final String how;
    private final AtomicLong next = new AtomicLong(System.nanoTime());
    private final AtomicLong silent = new AtomicLong();

    /**
     * Has logged nothing yet.
     *
     * @param how what becomes of the calls, such as {@code is served at home}
     */
    public FallbackLog(String how) {
        this.how = how;
    }

    /** Notes one call and the reason. */
    public void note(String call, String why) {
        long now = System.nanoTime();
        long due = next.get();
        if (now - due < 0 || !next.compareAndSet(due, now + INTERVAL_NANOS)) {
            silent.incrementAndGet();
            return;
        }
        long more = silent.getAndSet(0);
        log.warn("highway: " + call + " " + how + ": " + why
                + (more == 0 ? "" : " (and " + more + " calls since the last such line)"));
    }
}
