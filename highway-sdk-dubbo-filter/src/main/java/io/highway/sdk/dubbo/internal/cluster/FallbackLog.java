// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.cluster;

import java.util.concurrent.atomic.AtomicLong;
import org.apache.dubbo.common.logger.Logger;
import org.apache.dubbo.common.logger.LoggerFactory;

/**
 * Logs calls of a reference that home or a mock answers instead: the first one at once, then their number, at most
 * every ten seconds. Thread-safe.
 */
final class FallbackLog {

    private static final Logger log = LoggerFactory.getLogger(FallbackLog.class);
    private static final long INTERVAL_NANOS = 10_000_000_000L;

    private final String how;
    private final AtomicLong next = new AtomicLong(System.nanoTime());
    private final AtomicLong silent = new AtomicLong();

    /**
     * Creates a log without entries.
     *
     * @param how how the calls are answered, such as {@code is served at home}
     */
    FallbackLog(String how) {
        this.how = how;
    }

    /** Records one call and the reason. */
    void note(String call, String why) {
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
