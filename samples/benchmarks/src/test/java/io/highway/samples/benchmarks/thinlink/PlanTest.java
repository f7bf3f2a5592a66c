// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.benchmarks.thinlink;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlanTest {

    @Test
    void commandNamesWhatIsNotMeasuredByDefault() {
        Plan plan = new Plan(Effort.QUICK, EnumSet.of(Part.ZSTD, Part.DOWNLOADS), List.of(30, 10));

        assertThat(plan.command())
                .isEqualTo("samples/benchmarks/run.sh thin-link --quick --only zstd,downloads --rates 30,10");
        assertThat(Plan.of(
                        plan.words().get(0), plan.words().get(1), plan.words().get(2)))
                .isEqualTo(plan);
        assertThat(plan.compressionRates()).containsExactly(10, 30);
        assertThat(Plan.of(Effort.FULL).command()).isEqualTo("samples/benchmarks/run.sh thin-link");
    }
}
