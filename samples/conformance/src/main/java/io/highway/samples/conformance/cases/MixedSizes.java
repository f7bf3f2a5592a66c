// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.conformance.cases;

import io.highway.samples.conformance.bench.Bench;
import io.highway.samples.conformance.bench.Client;
import io.highway.samples.conformance.bench.Protocol;
import io.highway.samples.conformance.service.Noise;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/**
 * Bodies of all sizes side by side, both ways: a large one that waits for its window must not disturb the small ones, which
 * calls of one size never show.
 */
final class MixedSizes {

    private static final int CALLERS = 32;
    private static final int CALLS = 20;
    private static final int SMALLEST = 512;
    private static final int LARGEST = 200 << 10;
    private static final int SHOWN = 3;
    private static final long SEED = 39;

    private MixedSizes() {}

    /** With the SDK at the provider, and with Dubbo alone. */
    static String run(Bench bench, Protocol protocol) throws Exception {
        int calls = 0;
        for (String island : List.of("shanghai", Interop.ADVISED)) {
            calls += load(bench, protocol, island);
        }
        return calls + " calls of " + CALLERS + " callers, 0.5 to 200 KB";
    }

    private static int load(Bench bench, Protocol protocol, String island) throws Exception {
        Queue<String> failures = new ConcurrentLinkedQueue<>();
        AtomicInteger passed = new AtomicInteger();
        String prefix = bench.newId("mixed") + "/";
        try (Client client = bench.newClient(
                protocol, "mixed-" + island, Map.of("highway.islands." + island + ".breaker.failure-rate", "none"))) {
            client.to(island, () -> client.desk().answer(bench.newId("warm"), "x"));
            List<Thread> callers = new ArrayList<>();
            for (int caller = 0; caller < CALLERS; caller++) {
                int own = caller;
                Thread thread = new Thread(
                        () -> {
                            Random random = new Random(SEED + own);
                            for (int call = 0; call < CALLS; call++) {
                                String id = prefix + own + "/" + call;
                                try {
                                    call(client, island, id, random);
                                    passed.incrementAndGet();
                                } catch (Exception e) {
                                    failures.add(Expect.shown(Expect.unwrapped(e)));
                                }
                            }
                        },
                        "mixed-" + caller);
                thread.setDaemon(true);
                thread.start();
                callers.add(thread);
            }
            for (Thread caller : callers) {
                caller.join();
            }
        }
        Expect.holds(
                failures.isEmpty(),
                "no call to " + island + " to fail",
                failures.size() + " of " + (failures.size() + passed.get()) + ": "
                        + failures.stream().distinct().limit(SHOWN).collect(Collectors.joining(" | ")));
        bench.islands().ledger(island).executionsOf(prefix).forEach((id, times) -> Expect.same(id, 1, times));
        return passed.get();
    }

    /** Half of the bodies go there, half come back. */
    private static void call(Client client, String island, String id, Random random) throws Exception {
        int size = (int) (SMALLEST * Math.pow((double) LARGEST / SMALLEST, random.nextDouble()));
        byte[] body = Noise.bytes(size);
        if (random.nextBoolean()) {
            Expect.same("CRC of " + size + " bytes", Noise.crc(body), client.to(island, () -> client.desk()
                    .take(id, body)));
        } else {
            byte[] came = client.to(island, () -> client.desk().give(id, size));
            Expect.same("CRC of " + size + " bytes", Noise.crc(body), Noise.crc(came));
        }
    }
}
