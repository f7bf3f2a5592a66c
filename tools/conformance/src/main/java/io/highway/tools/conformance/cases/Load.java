// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.conformance.cases;

import io.highway.tools.conformance.bench.Bench;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.IntConsumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Concurrent callers, each of which makes its calls one after the other. */
final class Load {

    private static final int SHOWN = 3;
    private static final long SEED = 39;

    /** One call; throws if its result is wrong. */
    @FunctionalInterface
    interface Call {
        /** Makes the call under this id. */
        void make(String id, Random random) throws Exception;
    }

    private Load() {}

    /** Starts a thread for each caller. */
    static List<Thread> start(int callers, IntConsumer caller) {
        return IntStream.range(0, callers)
                .mapToObj(number -> {
                    Thread thread = new Thread(() -> caller.accept(number), "caller-" + number);
                    thread.setDaemon(true);
                    thread.start();
                    return thread;
                })
                .toList();
    }

    /** Returns how many calls there were: none has failed, and each has run once. The cause of its failure is that of a call. */
    static int run(Bench bench, String island, int callers, int callsOfEach, Call call) throws InterruptedException {
        String prefix = bench.newId("load") + "/";
        Queue<Exception> failures = new ConcurrentLinkedQueue<>();
        List<Thread> threads = start(callers, caller -> {
            Random random = new Random(SEED + caller);
            for (int number = 0; number < callsOfEach; number++) {
                try {
                    call.make(prefix + caller + "/" + number, random);
                } catch (Exception e) {
                    failures.add(e);
                }
            }
        });
        for (Thread thread : threads) {
            thread.join();
        }
        int calls = callers * callsOfEach;
        if (!failures.isEmpty()) {
            throw new Unmet(
                    "no call to " + island + " to fail",
                    failures.size() + " of " + calls + ": "
                            + failures.stream()
                                    .map(failure -> Expect.shown(Expect.unwrapped(failure)))
                                    .distinct()
                                    .limit(SHOWN)
                                    .collect(Collectors.joining(" | ")),
                    failures.element());
        }
        Map<String, Integer> executions = bench.islands().ledger(island).executionsOf(prefix);
        Expect.same("calls that ran", calls, executions.size());
        executions.forEach((id, times) -> Expect.same(id, 1, times));
        return calls;
    }
}
