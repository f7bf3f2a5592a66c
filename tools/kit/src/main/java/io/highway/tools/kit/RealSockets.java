// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.kit;

import io.highway.tools.kit.check.Check;
import io.highway.tools.kit.check.Check.Result;
import io.highway.tools.kit.user.RealTest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** With real sockets: many classes of three islands in one process, and in four at a time. */
final class RealSockets {

    private static final int MOST_SECONDS = 60;
    private static final int PARALLEL = 4;

    /** Classes until pools and caches have their size. */
    static final int WARM_UP = 3;

    private final TestRuns runs;
    private final int classes;
    private final int rounds;
    private final Set<Integer> done = new HashSet<>();

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
                new Check("level 2: the same in 4 JVMs at a time", () -> rounds(PARALLEL)),
                new Check("level 2: threads and descriptors are flat in each JVM", this::flat));
    }

    private Result rounds(int parallel) throws IOException {
        done.add(parallel);
        int green = 0;
        long slowest = 0;
        for (int round = 0; round < rounds; round++) {
            List<String> names = names(parallel, round).toList();
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

    /** The processes of a round. */
    private static Stream<String> names(int parallel, int round) {
        return IntStream.range(0, parallel).mapToObj(i -> "level-2-round-" + round + "-of-" + parallel + "-" + i);
    }

    private Result flat() throws IOException {
        boolean isFlat = true;
        List<String> seen = new ArrayList<>();
        for (int parallel : List.of(1, PARALLEL)) {
            if (!done.contains(parallel)) {
                Result unused = rounds(parallel);
            }
            for (String name : IntStream.range(0, rounds)
                    .boxed()
                    .flatMap(round -> names(parallel, round))
                    .toList()) {
                List<Settled> settled = ClassRun.numbers(runs.log(name), Settled.class)
                        .map(values -> new Settled(values[0], values[1]))
                        .toList();
                Settled early = settled.get(0);
                Settled late = settled.get(1);
                isFlat &= late.threads() <= early.threads() && late.descriptors() <= early.descriptors();
                seen.add(early + ", then " + late);
            }
        }
        return new Result(isFlat, "after " + WARM_UP + " and after " + classes + " classes: " + seen);
    }
}
