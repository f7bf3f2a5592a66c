// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.kit;

import io.highway.tools.kit.check.Check;
import io.highway.tools.kit.check.Check.Result;
import io.highway.tools.kit.user.IslandsTest;
import io.highway.tools.kit.user.ShopTest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.ToLongFunction;

/** Without sockets: what the first and the second class of a process cost, and leave. */
final class Speed {

    private static final int RUNS = 3;
    private static final int FIRST_MILLIS = 3_000;
    private static final int SECOND_MILLIS = 150;
    private static final int TESTS = 6;

    private final TestRuns runs;
    private final List<List<ClassRun>> seen = new ArrayList<>();

    Speed(TestRuns runs) {
        this.runs = runs;
    }

    List<Check> checks() {
        return List.of(
                new Check("level 1: 0 sockets are open, 0 threads are left", ofRuns(() -> {
                    long sockets = most(ClassRun::sockets);
                    long threads = most(ClassRun::left);
                    return new Result(sockets + threads == 0, sockets + " sockets, " + threads + " threads");
                })),
                new Check("level 1: 6 tests at most 3 s after the start of the JVM", ofRuns(() -> {
                    boolean green = seen.stream()
                            .allMatch(run ->
                                    run.get(0).tests() == TESTS && run.stream().allMatch(ClassRun::isGreen));
                    long millis = fastest(0, ClassRun::sinceStart);
                    return new Result(green && millis <= FIRST_MILLIS, millis + " ms" + (green ? "" : ", not green"));
                })),
                new Check("level 1: the second class at most 150 ms", ofRuns(() -> {
                    long millis = fastest(1, ClassRun::millis);
                    return new Result(millis <= SECOND_MILLIS, millis + " ms");
                })));
    }

    private Callable<Result> ofRuns(Callable<Result> check) {
        return () -> {
            for (int i = seen.size(); i < RUNS; i++) {
                runs.start("level-1-" + i, List.of(IslandsTest.class, ShopTest.class));
                List<ClassRun> run = runs.end("level-1-" + i);
                if (run.size() != 2) {
                    return new Result(false, "see " + runs.log("level-1-" + i));
                }
                seen.add(run);
            }
            return check.call();
        };
    }

    private long most(ToLongFunction<ClassRun> value) {
        return seen.stream().flatMap(List::stream).mapToLong(value).max().orElseThrow();
    }

    /** The run that other processes have slowed down least. */
    private long fastest(int index, ToLongFunction<ClassRun> value) {
        return seen.stream()
                .mapToLong(run -> value.applyAsLong(run.get(index)))
                .min()
                .orElseThrow();
    }
}
