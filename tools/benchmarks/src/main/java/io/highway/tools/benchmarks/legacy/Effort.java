// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.legacy;

import java.time.Duration;

/**
 * How much is measured.
 *
 * @param counted calls of each variant and size whose bytes are counted
 * @param warmUps how many slices of time each variant is called at most before anything else
 * @param warmUp how long such a slice is
 * @param rounds how often each case is measured
 * @param time for all cases together
 */
record Effort(int counted, int warmUps, Duration warmUp, int rounds, Duration time) {

    /** Eight minutes. */
    static final Effort FULL = new Effort(300, 25, Duration.ofSeconds(4), 7, Duration.ofMinutes(4));

    /** One or two. */
    static final Effort QUICK = new Effort(100, 20, Duration.ofMillis(500), 3, Duration.ofSeconds(24));
}
