// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of one island-bound call. Immutable.
 *
 * @param call {@code interface#method}
 * @param intent which island the call asked for, and the source of that request
 * @param island the destination, or null if the call asked for an unknown island
 * @param gateway the address of the last attempt, or null if there was none
 * @param outcome how the tunnelled call ended
 * @param reason why it was not delivered, or null if it was
 * @param servedAtHome whether home serves the call instead
 * @param duration from the decision to the end of the tunnelled call; the time of a fallback is not included
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

    /** The tunnel of the last attempt, or null if there was none. */
    public @Nullable TunnelKind tunnel() {
        return gateway == null ? null : gateway.kind();
    }
}
