// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.benchmarks.gateways;

import java.time.Duration;

/**
 * How a run spends its time.
 *
 * @param rounds how often each case is measured
 * @param total how long all calls take together
 */
record Pace(int rounds, Duration total) {

    private static final int PARTS_WARM_UP = 4;
    private static final int PARTS_MANY = 2;
    private static final int PARTS_ONE = 1;

    /**
     * How long a case takes each time.
     *
     * @param warmUp once
     * @param many in each round, with many callers
     * @param one in each round, with one
     */
    record Slices(Duration warmUp, Duration many, Duration one) {}

    /** For so many cases. */
    Slices slices(int cases) {
        Duration part = total.dividedBy((long) cases * (PARTS_WARM_UP + (long) rounds * (PARTS_MANY + PARTS_ONE)));
        return new Slices(
                part.multipliedBy(PARTS_WARM_UP), part.multipliedBy(PARTS_MANY), part.multipliedBy(PARTS_ONE));
    }
}
