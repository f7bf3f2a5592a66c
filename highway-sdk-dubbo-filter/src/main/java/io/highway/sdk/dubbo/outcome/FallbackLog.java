// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.outcome;

import java.util.concurrent.atomic.AtomicLong;
import org.apache.dubbo.common.logger.Logger;
import org.apache.dubbo.common.logger.LoggerFactory;

/** Says that calls of a reference are served at home: the first one at once, then how many, every ten seconds at most. */
public final class FallbackLog {

    private static final Logger log = LoggerFactory.getLogger(FallbackLog.class);
    private static final long INTERVAL_NANOS = 10_000_000_000L;

    private final AtomicLong next = new AtomicLong(System.nanoTime());
    private final AtomicLong silent = new AtomicLong();

    void note(String call, String why) {
        long now = System.nanoTime();
        long due = next.get();
        if (now - due < 0 || !next.compareAndSet(due, now + INTERVAL_NANOS)) {
            silent.incrementAndGet();
            return;
        }
        long more = silent.getAndSet(0);
        log.warn("highway: " + call + " is served at home: " + why
                + (more == 0 ? "" : " (and " + more + " calls since the last such line)"));
    }
}
