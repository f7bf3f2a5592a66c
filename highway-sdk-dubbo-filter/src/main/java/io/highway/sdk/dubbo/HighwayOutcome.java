// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Outcome of this thread's most recent island-bound call: which gateway carried it, how long that took, whether home
 * served it instead.
 *
 * <p>It is available from the end of a synchronous call until the thread's next island-bound call. Calls that stay home
 * leave it unchanged. Asynchronous calls clear it, since they end on other threads; an {@link OutcomeListener} receives
 * every outcome.
 */
public final class HighwayOutcome {

    /** Kept until the thread's next call, so it must not reference objects of Dubbo or of the application. */
    private static final ThreadLocal<@Nullable CallOutcome> LAST = new ThreadLocal<>();

    private HighwayOutcome() {}

    /** {@return the outcome; empty if the most recent call was asynchronous, or there was none} */
    public static Optional<CallOutcome> last() {
        return Optional.ofNullable(LAST.get());
    }

    /** Sets or clears the outcome of this thread. Called by {@link InternalOutcomes}. */
    static void publish(@Nullable CallOutcome outcome) {
        LAST.set(outcome);
    }
}
