// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.security;

import io.highway.tools.fixtures.time.Waiting;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** Calls at a fixed rate, whether they are answered or not. */
final class Flood {

    static final int PER_SECOND = 2000;

    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1) / PER_SECOND;
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final int POLL_MILLIS = 50;

    private Flood() {}

    /** Sends calls for some seconds, then waits until all have ended, at most five seconds. */
    @SuppressWarnings("FutureReturnValueIgnored") // only its end counts
    static void send(Supplier<? extends CompletableFuture<?>> call, int seconds) {
        int calls = seconds * PER_SECOND;
        AtomicInteger ended = new AtomicInteger();
        long next = System.nanoTime();
        for (int i = 0; i < calls; i++) {
            call.get().whenComplete((value, thrown) -> ended.incrementAndGet());
            next += PAUSE_NANOS;
            LockSupport.parkNanos(next - System.nanoTime());
        }
        boolean unused = Waiting.until(PATIENCE, POLL_MILLIS, () -> ended.get() >= calls);
    }
}
