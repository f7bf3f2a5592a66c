// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo;

import io.highway.sdk.dubbo.outcome.CallOutcome;
import io.highway.sdk.dubbo.outcome.CallWatch;
import java.util.Optional;

/**
 * How the current thread's last call ended that was meant for an island, for callers that want to know more than its value: which gateway carried
 * it, how long that took, whether home served it instead.
 *
 * <p>It is there from the end of a synchronous call until the thread's next call to an island. Calls that stay home leave it
 * as it is. Asynchronous calls clear it, since they end on other threads; an
 * {@link io.highway.sdk.dubbo.outcome.OutcomeListener} hears of all of them.
 */
public final class HighwayOutcome {

    private HighwayOutcome() {}

    /** How that call ended; empty if it was not synchronous, or there was none. */
    public static Optional<CallOutcome> last() {
        return CallWatch.last();
    }
}
