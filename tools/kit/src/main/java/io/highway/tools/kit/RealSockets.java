// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.kit;

import io.highway.tools.kit.Check.Result;
import io.highway.tools.kit.user.RealTest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;

/** With real sockets: many classes of three islands in one process, and in four at a time. */
final class RealSockets {

    private static final int MOST_SECONDS = 60;
    private static final int PARALLEL = 4;

    /** Classes until pools and caches have their size. */
    private static final int WARM_UP = 3;

    private final TestRuns runs;
    private final int classes;
    private final int rounds;
    private final List<ClassRun> alone = new ArrayList<>();

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
                if (parallel == 1) {
                    alone.clear();
                    alone.addAll(run);
                }
            }
            green += allGreen ? 1 : 0;
        }
        return new Result(
                green == rounds && slowest <= MOST_SECONDS * 1_000L,
                green + " green, the slowest took " + slowest + " ms of at most " + MOST_SECONDS + " s");
    }

    private Result flat() throws IOException {
        if (alone.isEmpty()) {
            rounds(1);
        }
        String threads = range(ClassRun::threads);
        String descriptors = range(ClassRun::descriptors);
        boolean flat = grows(ClassRun::threads) <= 0 && grows(ClassRun::descriptors) <= 0;
        return new Result(flat, "threads " + threads + ", descriptors " + descriptors);
    }

    private long grows(ToLongFunction<ClassRun> value) {
        return value.applyAsLong(alone.get(alone.size() - 1)) - value.applyAsLong(alone.get(WARM_UP - 1));
    }

    private String range(ToLongFunction<ClassRun> value) {
        return value.applyAsLong(alone.get(WARM_UP - 1)) + " after class " + WARM_UP + ", "
                + value.applyAsLong(alone.get(alone.size() - 1)) + " after class " + alone.size();
    }
}
