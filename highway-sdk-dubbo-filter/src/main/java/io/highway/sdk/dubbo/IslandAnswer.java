// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo;

import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * What one island answered to {@link IslandCalls}. Immutable.
 *
 * @param <T> the type of the value
 * @param value the answer; null also for a method without a result, and if the call failed
 * @param failure why the call failed, such as a {@link HighwayException} or an exception of the service; null if it was
 *     answered
 * @param mayHaveRun whether the call may have run; true if it was answered
 */
public record IslandAnswer<T>(@Nullable T value, @Nullable Throwable failure, boolean mayHaveRun) {

    /** {@return whether the call was answered without an exception} */
    public boolean isAnswered() {
        return failure == null;
    }

    /**
     * {@return the value; null for a method without a result}
     *
     * @throws NoSuchElementException if the call failed; its cause is the failure
     */
    public @Nullable T orElseThrow() {
        if (failure != null) {
            throw new NoSuchElementException("the island has not answered: " + failure, failure);
        }
        return value;
    }
}
