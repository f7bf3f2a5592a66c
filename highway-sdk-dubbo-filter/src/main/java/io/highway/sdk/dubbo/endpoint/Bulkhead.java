// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.endpoint;

import com.netflix.concurrency.limits.Limit;
import com.netflix.concurrency.limits.Limiter;
import com.netflix.concurrency.limits.limit.FixedLimit;
import com.netflix.concurrency.limits.limit.Gradient2Limit;
import com.netflix.concurrency.limits.limit.WindowedLimit;
import com.netflix.concurrency.limits.limiter.AbstractLimiter;
import com.netflix.concurrency.limits.limiter.SimpleLimiter;
import io.highway.sdk.dubbo.policy.IslandPolicy.Concurrency;
import java.util.Deque;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The concurrency limit of calls to an island. Thread-safe. */
public final class Bulkhead {

    /** The maximum number of waiting calls; more are refused at once. */
    private static final int MOST_WAITING = 1000;

    private final Concurrency concurrency;
    private final @Nullable AbstractLimiter<Long> limiter;

    /** Waiting calls, the latest first. */
    private final Deque<CompletableFuture<Limiter.@Nullable Listener>> waiting = new ConcurrentLinkedDeque<>();

    private final AtomicInteger waitingCount = new AtomicInteger();

    Bulkhead(Concurrency concurrency) {
        this(concurrency, System::nanoTime);
    }

    /** With a clock in nanoseconds. */
    Bulkhead(Concurrency concurrency, LongSupplier clock) {
        this.concurrency = concurrency;
        this.limiter = concurrency.isUnlimited() ? null : limiter(concurrency, clock);
    }

    private static AbstractLimiter<Long> limiter(Concurrency concurrency, LongSupplier clock) {
        return SimpleLimiter.newBuilder()
                .limit(concurrency.adaptive() ? adaptive() : FixedLimit.of(concurrency.max()))
                .nanoClock(clock)
                .build();
    }

    /**
     * Compares the duration of calls with the average, so that methods of unequal duration do not mislead it, as they
     * would a limit that compares with the minimum. Chosen by simulation: on a connection of 1560 calls/s with 64
     * callers it halves the duration of a call at full throughput.
     */
    private static Limit adaptive() {
        return WindowedLimit.newBuilder()
                .build(Gradient2Limit.newBuilder()
                        .initialLimit(20)
                        .minLimit(2)
                        .maxConcurrency(1000)
                        .rttTolerance(1.2)
                        .build());
    }

    /** Whether permits are unlimited, so that no call needs one. */
    public boolean isUnlimited() {
        return concurrency.isUnlimited();
    }

    /**
     * Acquires a permit, at once or within {@code max-wait}; of several waiting calls the latest goes first. Only if
     * there is a limit.
     *
     * @param left remaining time of the call, milliseconds
     * @return the permit, to be completed once with the result of the call; null if none is free
     */
    public Limiter.@Nullable Listener enter(long left) {
        CompletableFuture<Limiter.@Nullable Listener> place = enterLater(left);
        try {
            return place.get(Math.min(left, concurrency.maxWaitMillis()), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (TimeoutException | ExecutionException e) {
            // no permit, unless one became free at this moment
        }
        return place.complete(null) ? null : place.join();
    }

    /**
     * Acquires a permit as {@link #enter} does, but blocks no thread. The future may complete on the thread of a call
     * that releases its permit.
     *
     * @param left remaining time of the call, milliseconds
     * @return the permit, to be completed once with the result of the call; null if none is free
     */
    public CompletableFuture<Limiter.@Nullable Listener> enterLater(long left) {
        Limiter.Listener permit = permit();
        long millis = Math.min(left, concurrency.maxWaitMillis());
        if (permit != null || millis <= 0) {
            return CompletableFuture.completedFuture(permit == null ? null : new Visit(permit));
        }
        return await(millis);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // it only listens
    private CompletableFuture<Limiter.@Nullable Listener> await(long millis) {
        if (waitingCount.incrementAndGet() > MOST_WAITING) {
            waitingCount.decrementAndGet();
            return CompletableFuture.completedFuture(null);
        }
        CompletableFuture<Limiter.@Nullable Listener> place = new CompletableFuture<>();
        place.whenComplete((permit, thrown) -> {
            waiting.removeIf(CompletableFuture::isDone);
            waitingCount.decrementAndGet();
        });
        waiting.addFirst(place);
        place.completeOnTimeout(null, millis, TimeUnit.MILLISECONDS);
        admitNext(); // a permit may have become free meanwhile
        return place;
    }

    private Limiter.@Nullable Listener permit() {
        return Objects.requireNonNull(limiter, "unlimited").acquire(0L).orElse(null);
    }

    private void admitNext() {
        while (!waiting.isEmpty()) {
            Limiter.Listener permit = permit();
            if (permit == null) {
                return;
            }
            CompletableFuture<Limiter.@Nullable Listener> next = waiting.pollFirst();
            if (next == null || !next.complete(new Visit(permit))) {
                permit.onIgnore();
            }
        }
    }

    /** A call that has a permit; releasing it admits the next one. */
    private final class Visit implements Limiter.Listener {

        private final Limiter.Listener permit;

        Visit(Limiter.Listener permit) {
            this.permit = permit;
        }

        @Override
        public void onSuccess() {
            permit.onSuccess();
            admitNext();
        }

        @Override
        public void onIgnore() {
            permit.onIgnore();
            admitNext();
        }

        @Override
        public void onDropped() {
            permit.onDropped();
            admitNext();
        }
    }

    /** Whether calls wait for a permit. */
    public boolean waits() {
        return concurrency.maxWaitMillis() > 0;
    }

    /** The current limit, or null if there is none. */
    public @Nullable Integer maxConcurrent() {
        AbstractLimiter<Long> known = limiter;
        return known == null ? null : known.getLimit();
    }

    /** The current limit, in words. */
    public String limit() {
        AbstractLimiter<Long> known = limiter;
        return known == null ? "unlimited" : known.getLimit() + (concurrency.adaptive() ? " (auto)" : "");
    }
}
