// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.caller.route;

import io.highway.sdk.dubbo.Intent;
import io.highway.sdk.dubbo.IntentSource;
import org.jspecify.annotations.Nullable;

/** Observes the sources of an intent while they are asked in order. */
@FunctionalInterface
public interface IntentTrace {

    /** For calls: observes nothing, so that the first answer wins. */
    IntentTrace NONE = (source, said) -> said;

    /**
     * Called with the answer of each source that is asked.
     *
     * @param said the answer, or null if the source has none
     * @return the answer, which ends the search unless it is null
     */
    @Nullable
    Intent heard(IntentSource source, @Nullable Intent said);
}
