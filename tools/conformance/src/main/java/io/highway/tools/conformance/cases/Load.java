// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.conformance.cases;

import io.highway.tools.conformance.bench.Bench;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;

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

    /** Returns how many calls there were: none has failed, and each has run once. */
    static int run(Bench bench, String island, int callers, int callsOfEach, Call call) throws InterruptedException {
        String prefix = bench.newId("load") + "/";
        Queue<String> failures = new ConcurrentLinkedQueue<>();
        List<Thread> threads = new ArrayList<>();
        for (int caller = 0; caller < callers; caller++) {
            int own = caller;
            Thread thread = new Thread(
                    () -> {
                        Random random = new Random(SEED + own);
                        for (int number = 0; number < callsOfEach; number++) {
                            try {
                                call.make(prefix + own + "/" + number, random);
                            } catch (Exception e) {
                                failures.add(Expect.shown(Expect.unwrapped(e)));
                            }
                        }
                    },
                    "load-" + caller);
            thread.setDaemon(true);
            thread.start();
            threads.add(thread);
        }
        for (Thread thread : threads) {
            thread.join();
        }
        int calls = callers * callsOfEach;
        Expect.holds(
                failures.isEmpty(),
                "no call to " + island + " to fail",
                failures.size() + " of " + calls + ": "
                        + failures.stream().distinct().limit(SHOWN).collect(Collectors.joining(" | ")));
        Map<String, Integer> executions = bench.islands().ledger(island).executionsOf(prefix);
        Expect.same("calls that ran", calls, executions.size());
        executions.forEach((id, times) -> Expect.same(id, 1, times));
        return calls;
    }
}
