// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.application;

import io.highway.sdk.dubbo.CallOutcome;
import io.highway.sdk.dubbo.OutcomeListener;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.dubbo.rpc.Invocation;
import org.jspecify.annotations.Nullable;

/** Keeps the outcome of the last call to each island. Thread-safe. */
public final class LastOutcomes implements OutcomeListener {

    /**
     * Each rule may name other islands; beyond this number all outcomes are dropped.
     */
    private static final int MAX_ISLANDS = 1000;

    private final Map<String, LastOutcome> byIsland = new ConcurrentHashMap<>();

    LastOutcomes() {}

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

    @Override
    public void onOutcome(CallOutcome outcome, Invocation unused) {
        remember(outcome);
    }

    /** Replaces the last outcome of its island. */
    public void remember(CallOutcome outcome) {
        String island = outcome.island();
        if (island == null) {
            return;
        }
        if (byIsland.size() >= MAX_ISLANDS && !byIsland.containsKey(island)) {
            byIsland.clear();
        }
        byIsland.put(island, new LastOutcome(outcome, System.nanoTime()));
    }

    /** The last call to an island, or null if there was none. */
    public @Nullable LastOutcome of(String island) {
        return byIsland.get(island);
    }
}
