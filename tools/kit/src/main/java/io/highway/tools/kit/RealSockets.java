// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.kit;

import io.highway.tools.kit.check.Check;
import io.highway.tools.kit.check.Check.Result;
import io.highway.tools.kit.user.RealTest;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/** With real sockets: many classes of three islands in one process, and in four at a time. */
final class RealSockets {

    private static final int MOST_SECONDS = 60;
    private static final int PARALLEL = 4;

    /** Classes until pools and caches have their size. */
    static final int WARM_UP = 3;

    /** The process that runs alone. */
    private static final String ALONE = "level-2-of-1-0";

    private final TestRuns runs;
    private final int classes;
    private final int rounds;
    private boolean isAloneDone;

    RealSockets(TestRuns runs, boolean quick) {
        this.runs = runs;
        this.classes = quick ? 6 : 20;
        this.rounds = quick ? 1 : 3;
    }

    List<Check> checks() {
        return List.of(
                new Check(
                        "level 2: " + rounds + " of " + rounds + " runs green, " + classes + " classes each",
                        () -> rounds(1)),
                new Check("level 2: threads and descriptors are flat", this::flat),
                new Check("level 2: the same in 4 JVMs at a time", () -> rounds(PARALLEL)));
    }

    private Result rounds(int parallel) throws IOException {
        isAloneDone |= parallel == 1;
        int green = 0;
        long slowest = 0;
        for (int round = 0; round < rounds; round++) {
            List<String> names = IntStream.range(0, parallel)
                    .mapToObj(i -> "level-2-of-" + parallel + "-" + i)
                    .toList();
            names.forEach(name -> runs.start(name, Collections.nCopies(classes, RealTest.class)));
            boolean allGreen = true;
            for (String name : names) {
                List<ClassRun> run = runs.end(name);
                allGreen &= run.size() == classes && run.stream().allMatch(ClassRun::isGreen);
                slowest = Math.max(
                        slowest,
                        run.stream().mapToLong(ClassRun::sinceStart).max().orElse(0));
            }
            green += allGreen ? 1 : 0;
        }
        return new Result(
                green == rounds && slowest <= MOST_SECONDS * 1_000L,
                green + " green, the slowest took " + slowest + " ms of at most " + MOST_SECONDS + " s");
    }

    private Result flat() throws IOException {
        if (!isAloneDone) {
            Result unused = rounds(1);
        }
        List<Settled> settled = ClassRun.numbers(runs.log(ALONE), Settled.class)
                .map(values -> new Settled(values[0], values[1]))
                .toList();
        Settled early = settled.get(0);
        Settled late = settled.get(1);
        return new Result(
                late.threads() <= early.threads() && late.descriptors() <= early.descriptors(),
                early + " after class " + WARM_UP + ", " + late + " after class " + classes);
    }
}
