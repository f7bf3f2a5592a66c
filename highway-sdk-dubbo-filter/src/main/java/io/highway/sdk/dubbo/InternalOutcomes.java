// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo;

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
}
