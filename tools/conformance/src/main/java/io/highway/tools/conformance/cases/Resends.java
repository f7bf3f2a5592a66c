// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.conformance.cases;

import io.highway.tools.conformance.bench.Bench;
import io.highway.tools.conformance.bench.Client;
import io.highway.tools.conformance.bench.Islands;
import io.highway.tools.conformance.cases.Case.When;
import io.highway.tools.gateways.Protocol;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Whether a gateway sends a call again that a provider has read. */
final class Resends {

    private static final String ISLAND = Islands.REPLACEABLE;
    private static final int[] LENGTHS = {2 << 10, 1 << 20};

    /** At a time over connections with one call each: some of these are kept ones, others new. */
    private static final int OVER_HTTP = 4;

    /** Over one connection: with health checks fewer than the five failures that eject an endpoint of Envoy. */
    private static final int TOGETHER = 2;

    private static final long PATIENCE_MILLIS = 10_000;

    private Resends() {}

    static List<Case> cases() {
        return List.of(Case.all("gateway resends", Resends::run).when(When.ALONE));
    }

    /** A provider halts while it serves calls, and another one, at the same address, takes those that come then. */
    private static String run(Bench bench, Protocol protocol) throws Exception {
        List<String> twice = new ArrayList<>();
        int count = protocol == Protocol.HTTP ? OVER_HTTP : TOGETHER;
        try (Client client = bench.newClient(protocol, "resends", Bench.withoutBreaker(ISLAND))) {
            for (int length : LENGTHS) {
                Runnable replace = bench.islands().startNext(ISLAND);
                Expect.passes("calls that pass", bench, client, ISLAND, PATIENCE_MILLIS);
                String prefix = bench.newId("resends") + "-";
                List<CompletableFuture<String>> calls = new ArrayList<>();
                for (int call = 0; call < count; call++) {
                    String id = prefix + call;
                    String text = "x".repeat(length);
                    calls.add(client.to(ISLAND, () -> client.desk().answerIn(id, text, Client.LONG_MILLIS)));
                }
                Expect.becomes(
                        () -> executions(bench, prefix) == count,
                        PATIENCE_MILLIS,
                        count + " calls in the ledger",
                        () -> String.valueOf(executions(bench, prefix)));
                replace.run();
                Expect.becomes(
                        () -> calls.stream().allMatch(CompletableFuture::isDone) || executions(bench, prefix) > 0,
                        PATIENCE_MILLIS,
                        "an end of the calls",
                        () -> "none");
                int again = executions(bench, prefix);
                if (again > 0) {
                    twice.add(again + " of " + count + " calls with " + length
                            + " bytes ran again when their provider halted");
                }
            }
        }
        Expect.holds(
                twice.isEmpty(),
                "each call once in the ledger",
                String.join(", ", twice) + "; the setting: " + bench.adviceOnRetries());
        return LENGTHS.length * count + " calls whose provider halted, each once in the ledger";
    }

    /** At the provider that is there now. */
    private static int executions(Bench bench, String prefix) {
        return bench.islands().ledger(ISLAND).executionsOf(prefix).values().stream()
                .mapToInt(Integer::intValue)
                .sum();
    }
}
