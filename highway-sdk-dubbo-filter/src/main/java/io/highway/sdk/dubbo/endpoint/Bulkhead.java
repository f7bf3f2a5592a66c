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

/** How many calls to an island may be under way at once. Thread-safe. */
public final class Bulkhead {

    /** More are refused at once. */
    private static final int MOST_WAITING = 1000;

    private final Concurrency concurrency;
    private final @Nullable AbstractLimiter<Long> limiter;

    /** Calls that wait, the last one first. */
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
     * Compares how long calls take with how long they took on average, so methods of unequal length do not mislead it as
     * they would a limit that compares with the shortest. Chosen by simulation: on a connection of 1560 calls/s with 64 callers it
     * halves the time of a call at full throughput.
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

    /** Whether permits are unlimited, so that nobody need enter. */
    public boolean isUnlimited() {
        return concurrency.isUnlimited();
    }

    /**
     * Lets a call in, at once or within {@code max-wait}; of several that wait the last one goes first. Only where there is a
     * limit.
     *
     * @param left how long the call may take yet, milliseconds
     * @return whom to tell how it ended, once; or null if no permit is left
     */
    public Limiter.@Nullable Listener enter(long left) {
        CompletableFuture<Limiter.@Nullable Listener> place = enterLater(left);
        try {
            return place.get(Math.min(left, concurrency.maxWaitMillis()), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (TimeoutException | ExecutionException e) {
            // no permit, if none has come at this very moment
        }
        return place.complete(null) ? null : place.join();
    }

    /**
     * Lets a call in as {@link #enter} does, and keeps no thread waiting. The future may end on the thread of a call that
     * leaves.
     *
     * @param left how long the call may take yet, milliseconds
     * @return whom to tell how it ended, once; or null if no permit is left
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
        letNextIn(); // one may have left meanwhile
        return place;
    }

    private Limiter.@Nullable Listener permit() {
        return Objects.requireNonNull(limiter, "unlimited").acquire(0L).orElse(null);
    }

    private void letNextIn() {
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

    /** A call that is in; another one may enter when it leaves. */
    private final class Visit implements Limiter.Listener {

        private final Limiter.Listener permit;

        Visit(Limiter.Listener permit) {
            this.permit = permit;
        }

        @Override
        public void onSuccess() {
            permit.onSuccess();
            letNextIn();
        }

        @Override
        public void onIgnore() {
            permit.onIgnore();
            letNextIn();
        }

        @Override
        public void onDropped() {
            permit.onDropped();
            letNextIn();
        }
    }

    /** Whether calls wait for a permit. */
    public boolean waits() {
        return concurrency.maxWaitMillis() > 0;
    }

    /** How many calls may be under way now, in words. */
    public String limit() {
        AbstractLimiter<Long> known = limiter;
        return known == null ? "unlimited" : known.getLimit() + (concurrency.adaptive() ? " (auto)" : "");
    }
}
