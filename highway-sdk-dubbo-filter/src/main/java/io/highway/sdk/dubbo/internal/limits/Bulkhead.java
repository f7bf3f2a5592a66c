// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.limits;

import com.netflix.concurrency.limits.Limit;
import com.netflix.concurrency.limits.Limiter;
import com.netflix.concurrency.limits.limit.Gradient2Limit;
import com.netflix.concurrency.limits.limit.SettableLimit;
import com.netflix.concurrency.limits.limit.WindowedLimit;
import com.netflix.concurrency.limits.limiter.AbstractLimiter;
import com.netflix.concurrency.limits.limiter.SimpleLimiter;
import io.highway.sdk.dubbo.TrafficClass;
import io.highway.sdk.dubbo.internal.policy.IslandPolicy.Concurrency;
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

/** The concurrency limit of the calls of one class to an island. Thread-safe. */
public final class Bulkhead {

    /** The maximum number of waiting calls; more are refused at once. */
    private static final int MOST_WAITING = 1000;

    private volatile Concurrency concurrency;
    private final TrafficClass calls;
    private final LongSupplier clock;
    private final @Nullable AbstractLimiter<Long> limiter;
    private final SettableLimit fixed;

    /** Waiting calls, the next one first. */
    private final Deque<CompletableFuture<@Nullable Permit>> waiting = new ConcurrentLinkedDeque<>();

    private final AtomicInteger waitingCount = new AtomicInteger();

    /** The limit of another kind that this one has replaced, while calls have permits of it. */
    private volatile @Nullable Bulkhead before;

    /** The limit that has replaced this one. */
    private volatile @Nullable Bulkhead next;

    public Bulkhead(Concurrency concurrency, TrafficClass calls) {
        this(concurrency, calls, System::nanoTime);
    }

    /** With a clock in nanoseconds. */
    public Bulkhead(Concurrency concurrency, TrafficClass calls, LongSupplier clock) {
        this.concurrency = concurrency;
        this.calls = calls;
        this.clock = clock;
        this.fixed = SettableLimit.startingAt(concurrency.max());
        this.limiter = concurrency.isUnlimited() ? null : limiter();
    }

    private AbstractLimiter<Long> limiter() {
        return SimpleLimiter.newBuilder()
                .limit(concurrency.adaptive() ? adaptive() : fixed)
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

    /**
     * The limit for other settings. Calls in flight count for it, too: otherwise both limits would add up until they end.
     *
     * @param before the limit until now, or null
     */
    public static Bulkhead after(@Nullable Bulkhead before, Concurrency next, TrafficClass calls) {
        if (before != null && before.follow(next)) {
            return before;
        }
        Bulkhead created = new Bulkhead(next, calls);
        if (before != null) {
            created.before = before;
            before.next = created;
        }
        return created;
    }

    /** False if they need another kind of limit. */
    private boolean follow(Concurrency next) {
        if (next.adaptive() != concurrency.adaptive() || next.isUnlimited() != concurrency.isUnlimited()) {
            return false;
        }
        if (!next.equals(concurrency)) {
            concurrency = next;
            fixed.setLimit(next.max());
            admitNext();
        }
        return true;
    }

    /** The calls that have permits of limits before this one. */
    private int inFlightBefore() {
        Bulkhead old = before;
        if (old == null) {
            return 0;
        }
        int held = old.inFlight() + old.inFlightBefore();
        if (held == 0) {
            before = null;
        }
        return held;
    }

    /** Whether permits are unlimited, so that no call needs one. */
    public boolean isUnlimited() {
        return concurrency.isUnlimited();
    }

    /**
     * Acquires a permit, at once or within {@code max-wait}. Of several waiting calls the latest goes first, so that
     * some are served in time if the island is overloaded; of bulk calls the earliest, since all are to be served. Only
     * if there is a limit.
     *
     * @param left remaining time of the call, milliseconds
     * @return the permit, to be completed once with the result of the call; null if none is free
     */
    public @Nullable Permit enter(long left) {
        CompletableFuture<@Nullable Permit> place = enterLater(left);
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
    public CompletableFuture<@Nullable Permit> enterLater(long left) {
        Permit permit = permit();
        long millis = Math.min(left, concurrency.maxWaitMillis());
        if (permit != null || millis <= 0) {
            return CompletableFuture.completedFuture(permit);
        }
        return await(millis);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // it only listens
    private CompletableFuture<@Nullable Permit> await(long millis) {
        if (waitingCount.incrementAndGet() > MOST_WAITING) {
            waitingCount.decrementAndGet();
            return CompletableFuture.completedFuture(null);
        }
        CompletableFuture<@Nullable Permit> place = new CompletableFuture<>();
        place.whenComplete((permit, thrown) -> {
            waiting.removeIf(CompletableFuture::isDone);
            waitingCount.decrementAndGet();
        });
        if (calls == TrafficClass.BULK) {
            waiting.addLast(place);
        } else {
            waiting.addFirst(place);
        }
        place.completeOnTimeout(null, millis, TimeUnit.MILLISECONDS);
        admitNext(); // a permit may have become free meanwhile
        return place;
    }

    private @Nullable Permit permit() {
        AbstractLimiter<Long> known = Objects.requireNonNull(limiter, "unlimited");
        int old = inFlightBefore();
        return old > 0 && known.getInflight() + old >= known.getLimit()
                ? null
                : known.acquire(0L).map(Permit::new).orElse(null);
    }

    private void admitNext() {
        Bulkhead later = next;
        if (later != null) { // no call waits for an unlimited limit, but calls may wait for one after it
            later.admitNext();
        }
        while (!waiting.isEmpty()) {
            Permit permit = permit();
            if (permit == null) {
                return;
            }
            CompletableFuture<@Nullable Permit> next = waiting.pollFirst();
            if (next == null || !next.complete(permit)) {
                permit.released.onIgnore();
            }
        }
    }

    /** The permit of one call; releasing it admits the next one. */
    public final class Permit {

        private final Limiter.Listener released;

        private Permit(Limiter.Listener released) {
            this.released = released;
        }

        /** The call was answered. */
        public void onSuccess() {
            released.onSuccess();
            admitNext();
        }

        /** The call tells nothing about the island. */
        public void onIgnore() {
            released.onIgnore();
            admitNext();
        }

        /** The call timed out. */
        public void onDropped() {
            released.onDropped();
            admitNext();
        }
    }

    /** The class of the calls. */
    public TrafficClass trafficClass() {
        return calls;
    }

    /** The calls that have a permit; 0 if they need none. */
    public int inFlight() {
        AbstractLimiter<Long> known = limiter;
        return known == null ? 0 : known.getInflight();
    }

    /** The calls that wait for a permit now. */
    public int waiting() {
        return Math.max(0, waitingCount.get());
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
