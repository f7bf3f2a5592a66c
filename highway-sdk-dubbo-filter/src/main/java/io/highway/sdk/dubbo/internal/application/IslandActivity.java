// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.application;

import io.highway.sdk.dubbo.CallOutcome;
import io.highway.sdk.dubbo.Outcome;
import io.highway.sdk.dubbo.OutcomeListener;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import org.apache.dubbo.rpc.Invocation;
import org.jspecify.annotations.Nullable;

/** Keeps the outcome of the last call to each island, and counts the calls of the last minute. Thread-safe. */
public final class IslandActivity implements OutcomeListener {

    /**
     * Each rule may name other islands; beyond this number all outcomes are dropped.
     */
    private static final int MAX_ISLANDS = 1000;

    private static final int SECONDS = 60;

    private final Map<String, Calls> byIsland = new ConcurrentHashMap<>();
    private final LongSupplier clock;

    IslandActivity(LongSupplier clock) {
        this.clock = clock;
    }

    /**
     * The last call to an island.
     *
     * @param nanos when it ended, as {@code System.nanoTime}
     */
    public record LastOutcome(CallOutcome outcome, long nanos) {

        /** When it ended, for display. */
        public Instant endedAt() {
            return Instant.now().minusNanos(System.nanoTime() - nanos);
        }

        /** Whether it ended within this time. */
        public boolean isWithin(Duration duration) {
            return System.nanoTime() - nanos <= duration.toNanos();
        }
    }

    /**
     * The calls to an island that ended in the last minute.
     *
     * @param failures those that were not delivered
     */
    public record Minute(int calls, int failures) {}

    /** The calls to one island, by the second in which they ended. Thread-safe. */
    private final class Calls {

        private final int[] ended = new int[SECONDS];
        private final int[] failed = new int[SECONDS];
        private long second;
        private volatile @Nullable LastOutcome last;

        synchronized void add(boolean isDelivered) {
            int now = now();
            ended[now]++;
            failed[now] += isDelivered ? 0 : 1;
        }

        synchronized Minute minute() {
            int unused = now();
            return new Minute(IntStream.of(ended).sum(), IntStream.of(failed).sum());
        }

        /** The place of this second; forgets what is older than a minute. */
        private int now() {
            long now = TimeUnit.NANOSECONDS.toSeconds(clock.getAsLong());
            for (long next = Math.max(second, now - SECONDS) + 1; next <= now; next++) {
                ended[Math.floorMod(next, SECONDS)] = 0;
                failed[Math.floorMod(next, SECONDS)] = 0;
            }
            second = now;
            return Math.floorMod(now, SECONDS);
        }
    }

    @Override
    public void onOutcome(CallOutcome outcome, Invocation unused) {
        remember(outcome);
    }

    /** Replaces the last outcome of its island. A call that another island answered instead failed where it was asked for. */
    public void remember(CallOutcome outcome) {
        String island = outcome.island();
        if (island == null) {
            return;
        }
        Calls calls = calls(island);
        calls.add(outcome.outcome() == Outcome.DELIVERED);
        calls.last = new LastOutcome(outcome, System.nanoTime());
        String asked = outcome.askedIsland();
        if (outcome.fallbackReason() != null && asked != null && !asked.equals(island)) {
            calls(asked).add(false);
        }
    }

    private Calls calls(String island) {
        if (byIsland.size() >= MAX_ISLANDS && !byIsland.containsKey(island)) {
            byIsland.clear();
        }
        return byIsland.computeIfAbsent(island, first -> new Calls());
    }

    /** The last call to an island, or null if there was none. */
    public @Nullable LastOutcome of(String island) {
        Calls calls = byIsland.get(island);
        return calls == null ? null : calls.last;
    }

    /** The calls to an island that ended in the last minute. */
    public Minute lastMinute(String island) {
        Calls calls = byIsland.get(island);
        return calls == null ? new Minute(0, 0) : calls.minute();
    }
}
