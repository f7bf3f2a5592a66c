// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.chaos.load;

import java.time.Duration;

/**
 * The rate of calls.
 *
 * @param interval from one call of a thread to its next, at least
 * @param maximumUnderWay asynchronous calls of one consumer that have not ended
 */
public record Pace(Duration interval, int maximumUnderWay) {

    /** Steady, with enough calls in flight that calls waiting for their timeout do not slow it down. */
    public static final Pace STEADY = new Pace(Duration.ofMillis(15), 256);

    /** As fast as answers arrive. */
    public static final Pace FAST = new Pace(Duration.ZERO, 32);
}
