// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Sets what {@link HighwayOutcome} returns. Internal: public for other packages of this module only, not part of the API,
 * and free to change. Thread-safe.
 */
public final class InternalOutcomes {

    private InternalOutcomes() {}

    /**
     * Sets the outcome of this thread's most recent island-bound call, or clears it.
     *
     * @param outcome the outcome, or null
     */
    public static void publishLast(@Nullable CallOutcome outcome) {
        HighwayOutcome.publish(outcome);
    }

    /**
     * An island-bound call begins on this thread.
     *
     * @return what records it, if the body of {@link IslandCalls} makes it; otherwise null
     */
    public static @Nullable Object begin() {
        CallRecorder recorder = CallRecorder.running();
        if (recorder != null) {
            recorder.begin();
        }
        return recorder;
    }

    /**
     * Such a call is routed.
     *
     * @param recorder from {@link #begin}
     * @param outcome its outcome once it has ended
     */
    public static void routed(Object recorder, Supplier<@Nullable CallOutcome> outcome) {
        ((CallRecorder) recorder).routed(outcome);
    }

    /**
     * Such a call returns.
     *
     * @param recorder from {@link #begin}
     */
    public static void end(Object recorder) {
        ((CallRecorder) recorder).end();
    }
}
