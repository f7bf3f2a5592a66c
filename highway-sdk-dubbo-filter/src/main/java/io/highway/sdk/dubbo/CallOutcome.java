// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How one call ended that was meant for an island. Immutable.
 *
 * @param call {@code interface#method}
 * @param intent what was asked, and where that came from
 * @param island the destination, or null if what was asked for is no known island
 * @param gateway the address that carried it, or was the last to try; null if none was tried
 * @param outcome how its way out ended
 * @param reason why it did not simply arrive; null if it did
 * @param servedAtHome whether the policy lets home serve it instead, which is what happens next
 * @param duration from the decision to the end of its way out; without the time home took, if home serves it
 */
public record CallOutcome(
        String call,
        Intent intent,
        @Nullable String island,
        @Nullable GatewayAddress gateway,
        Outcome outcome,
        @Nullable Reason reason,
        boolean servedAtHome,
        Duration duration) {

    /** What carried the call, or null if nothing was tried. */
    public @Nullable TunnelKind tunnel() {
        return gateway == null ? null : gateway.kind();
    }
}
