// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.test;

import io.highway.sdk.dubbo.Reason;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What happens to calls of an island.
 *
 * @param down its gateways accept no connection
 * @param lost calls are executed, and never answered
 * @param delay the time that a call takes
 * @param refusal why calls are refused, or null
 */
record Fault(boolean down, boolean lost, Duration delay, @Nullable Reason refusal) {

    static final Fault NONE = new Fault(false, false, Duration.ZERO, null);
    static final Fault DOWN = new Fault(true, false, Duration.ZERO, null);
    static final Fault LOST = new Fault(false, true, Duration.ZERO, null);

    static Fault delays(Duration time) {
        return new Fault(false, false, time, null);
    }

    static Fault refuses(Reason reason) {
        return new Fault(false, false, Duration.ZERO, reason);
    }
}
