// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.thinlink;

import static org.assertj.core.api.Assertions.assertThat;

import com.alibaba.fastjson2.JSON;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlanTest {

    @Test
    void commandNamesWhatIsNotMeasuredByDefault() {
        Plan plan = new Plan(Effort.QUICK, EnumSet.of(Part.ZSTD, Part.DOWNLOADS), List.of(30, 10), Cells.ALL);

        assertThat(plan.command())
                .isEqualTo("tools/benchmarks/run.sh thin-link --quick --only zstd,downloads --rates 30,10");
        assertThat(JSON.parseObject(JSON.toJSONString(plan), Plan.class)).isEqualTo(plan);
        assertThat(plan.compressionRates()).containsExactly(10, 30);
        assertThat(Plan.of(Effort.FULL).command()).isEqualTo("tools/benchmarks/run.sh thin-link");
    }

    @Test
    void commandNamesTheCellsOfLongLinks() {
        Cells cells = new Cells(List.of(60), List.of(Cells.bytes("80KB"), Cells.bytes("4mb")), List.of(8));
        Plan plan = new Plan(Effort.FULL, EnumSet.of(Part.LONG), List.of(), cells);

        assertThat(plan.command())
                .isEqualTo("tools/benchmarks/run.sh thin-link --only long --rtt 60 --size 80KB,4MB --callers 8");
        assertThat(JSON.parseObject(JSON.toJSONString(plan), Plan.class)).isEqualTo(plan);
        assertThat(plan.longCells().of(60))
                .hasSize(2 * 2)
                .contains(new Cells.Cell(60, 80 << 10, 8, false), new Cells.Cell(60, 4 << 20, 8, true));
    }

    @Test
    void longLinksHaveNoCasesThatAddNothing_unlessTheyAreChosen() {
        Cells.Cell large = new Cells.Cell(60, 4 << 20, 64, false);

        assertThat(Cells.ALL.of(60)).hasSize(2 * (3 * 3 - 1)).doesNotContain(large);
        assertThat(Cells.ALL.of(120)).hasSize(7 + 3);
        assertThat(new Cells(List.of(60), List.of(4 << 20), List.of(64)).of(60)).contains(large);
    }
}
