// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.test;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** Time that only the test moves, nanoseconds. Thread-safe. */
final class ManualClock implements LongSupplier {

    /** More calls than a test leaves; fewer than a loop of calls makes, each at the end of another. */
    private static final int MOST_AT_THE_END = 1_000;

    private final AtomicLong now = new AtomicLong(System.nanoTime());

    /** How far the test has moved it. */
    private final AtomicLong advanced = new AtomicLong();

    /** What the calls of a thread have taken: calls that run at the same time do not delay each other. */
    private final ThreadLocal<Long> taken = ThreadLocal.withInitial(() -> 0L);

    private final List<Pending> pending = new CopyOnWriteArrayList<>();

    /**
     * What happens to a call in flight.
     *
     * @param due when, by this clock
     */
    private record Pending(long due, Runnable end) {}

    @Override
    public long getAsLong() {
        return now.get();
    }

    /** The test moves it; calls in flight end on the way, each at its time: who waits for one may call again. */
    void advance(Duration time) {
        long end = now.get() + time.toNanos();
        advanced.addAndGet(time.toNanos());
        for (Optional<Pending> next = next(end); next.isPresent(); next = next(end)) {
            end(next.get());
        }
        moveTo(end);
    }

    private Optional<Pending> next(long end) {
        return pending.stream().filter(one -> one.due <= end).min(Comparator.comparingLong(Pending::due));
    }

    private void end(Pending one) {
        if (pending.remove(one)) {
            moveTo(one.due);
            one.end.run();
        }
    }

    /** Ends all calls in flight, each at its time, and those that code makes at their ends; a loop of them has an end. */
    void endAll() {
        for (int ended = 0; !pending.isEmpty() && ended < MOST_AT_THE_END; ended++) {
            next(Long.MAX_VALUE).ifPresent(this::end);
        }
        pending.clear();
    }

    private void moveTo(long time) {
        now.accumulateAndGet(time, (present, end) -> end - present > 0 ? end : present); // nanoTime may overflow
    }

    /** A call of this thread takes as long. */
    void take(long begun, Duration time) {
        taken.set(taken.get() + time.toNanos());
        moveTo(begun + time.toNanos());
    }

    /** What the calls of this thread have taken, and the test has added. */
    long taken() {
        return taken.get() + advanced.get();
    }

    /** Ends a call once the test has moved the clock as far, or as much time has passed: tested code may wait for it. */
    private Pending after(Duration time, Runnable end) {
        Pending one = new Pending(now.get() + time.toNanos(), end);
        pending.add(one);
        CompletableFuture.delayedExecutor(time.toMillis(), TimeUnit.MILLISECONDS)
                .execute(() -> end(one));
        return one;
    }

    /** Fails a call after this time. */
    void failAfter(Duration time, CompletableFuture<?> answer, Throwable late) {
        Pending one = after(time, () -> answer.completeExceptionally(late));
        CompletableFuture<?> unused = answer.whenComplete((value, failure) -> pending.remove(one));
    }

    /** Runs tasks after this time. */
    Executor delayed(Duration time) {
        return task -> after(time, task);
    }
}
