// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.ops;

import io.highway.sdk.dubbo.CallOutcome;
import io.highway.sdk.dubbo.OutcomeListener;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Keeps the outcome of the last call to each island. Thread-safe. */
public final class LastOutcomes implements OutcomeListener {

    /**
     * With {@code unknown-islands=gateway} callers may name any island; beyond this number all outcomes are dropped.
     */
    private static final int MAX_ISLANDS = 1000;

    private final Map<String, LastOutcome> byIsland = new ConcurrentHashMap<>();

    /**
     * The last call to an island.
     *
     * @param at when it ended, for display
     * @param nanos the same as {@code System.nanoTime}, which is monotonic
     */
    public record LastOutcome(CallOutcome outcome, Instant at, long nanos) {

        /** Whether it ended within this time. */
        public boolean isWithin(Duration duration) {
            return System.nanoTime() - nanos <= duration.toNanos();
        }
    }

    @Override
    public void onOutcome(CallOutcome outcome) {
        String island = outcome.island();
        if (island != null) {
            if (byIsland.size() >= MAX_ISLANDS) {
                byIsland.clear();
            }
            byIsland.put(island, new LastOutcome(outcome, Instant.now(), System.nanoTime()));
        }
    }

    /** The last call to an island, or null if there was none. */
    public @Nullable LastOutcome of(String island) {
        return byIsland.get(island);
    }
}
