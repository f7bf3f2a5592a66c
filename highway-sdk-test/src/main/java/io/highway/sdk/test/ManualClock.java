// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.test;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** Time that only the test moves, nanoseconds. Thread-safe. */
final class ManualClock implements LongSupplier {

    private final AtomicLong now = new AtomicLong(System.nanoTime());

    /** How far the test has moved it. */
    private final AtomicLong advanced = new AtomicLong();

    /** What the calls of a thread have taken: calls that run at the same time do not delay each other. */
    private final ThreadLocal<Long> taken = ThreadLocal.withInitial(() -> 0L);

    private final Set<Pending> pending = ConcurrentHashMap.newKeySet();

    /**
     * A call that is not answered yet.
     *
     * @param left nanoseconds until it fails
     */
    private record Pending(CompletableFuture<?> answer, AtomicLong left, Throwable late) {}

    @Override
    public long getAsLong() {
        return now.get();
    }

    /** The test moves it. */
    void advance(Duration time) {
        now.addAndGet(time.toNanos());
        advanced.addAndGet(time.toNanos());
        for (Pending call : List.copyOf(pending)) { // who waits for it may call again
            if (call.left.addAndGet(-time.toNanos()) <= 0) {
                call.answer.completeExceptionally(call.late);
            }
        }
    }

    /** A call of this thread takes as long. */
    void take(long begun, Duration time) {
        taken.set(taken.get() + time.toNanos());
        now.accumulateAndGet(begun + time.toNanos(), (present, end) -> end - present > 0 ? end : present);
    }

    /** What the calls of this thread have taken, and the test has added. */
    long taken() {
        return taken.get() + advanced.get();
    }

    /** Fails a call once the test has moved the clock as far. */
    void failAfter(Duration time, CompletableFuture<?> answer, Throwable late) {
        Pending call = new Pending(answer, new AtomicLong(time.toNanos()), late);
        pending.add(call);
        CompletableFuture<?> unused = answer.whenComplete((value, failure) -> pending.remove(call));
    }
}
