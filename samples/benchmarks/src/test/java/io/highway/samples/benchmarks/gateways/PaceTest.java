// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.benchmarks.gateways;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class PaceTest {

    @Test
    void slicesOfAllCasesAndRoundsTakeTheWholeTime() {
        Pace pace = new Pace(7, Duration.ofSeconds(100));

        Pace.Slices slices = pace.slices(4);

        Duration ofOneCase =
                slices.warmUp().plus(slices.many().plus(slices.one()).multipliedBy(7));
        assertThat(ofOneCase.multipliedBy(4)).isCloseTo(Duration.ofSeconds(100), Duration.ofMillis(1));
    }
}
