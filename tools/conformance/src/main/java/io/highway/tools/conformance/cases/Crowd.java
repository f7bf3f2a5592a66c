// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.conformance.cases;

import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.Reason;
import io.highway.tools.conformance.bench.Bench;
import io.highway.tools.conformance.bench.Client;
import io.highway.tools.conformance.bench.Islands;
import io.highway.tools.conformance.service.Ledger;
import io.highway.tools.fixtures.faults.FaultyLink;
import io.highway.tools.gateways.Protocol;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;

/** Many calls at once over one connection. */
final class Crowd {

    private static final int SECONDS = 30;
    private static final int CALLERS = 300;
    private static final int REFUSED = 5000;
    private static final int REFUSED_BYTES = 40 << 10;
    private static final int CALLS_OF_EACH = 5;

    private Crowd() {}

    static List<Case> cases() {
        return List.of(
                Case.both("200 calls in flight", (bench, protocol) -> together(bench, protocol, 200)),
                Case.both("10,000 calls in flight", (bench, protocol) -> together(bench, protocol, 10_000)),
                Case.all("300 callers", Crowd::callers),
                Case.all("mixed sizes", MixedSizes::run),
                Case.triple("5,000 refusals", (bench, protocol) -> refusals(bench)));
    }

    /** Dubbo's client resets a stream that is answered before its request was sent whole; too many may cost the connection. */
    private static String refusals(Bench bench) throws Exception {
        try (Client client =
                bench.newClient(Protocol.TRIPLE, "refusals", Map.of("highway.defaults.breaker.failure-rate", "none"))) {
            byte[] body = new byte[REFUSED_BYTES];
            Map<Reason, Integer> reasons = new ConcurrentHashMap<>();
            IntStream.range(0, REFUSED).parallel().forEach(number -> {
                HighwayException refusal = Expect.refused(
                        "a refusal",
                        () -> client.to(Islands.UNKNOWN, () -> client.desk().take("refusal", body)));
                reasons.merge(refusal.reason(), 1, Integer::sum);
            });
            Expect.same("reasons", Map.of(Reason.NOT_FORWARDED, REFUSED), reasons);
            return REFUSED + " calls of " + (REFUSED_BYTES >> 10) + " KB to an unknown island, none lost";
        }
    }

    /** More than the streams that HAProxy (100) and nginx (128) allow on a connection where nothing else is configured. */
    private static String callers(Bench bench, Protocol protocol) throws Exception {
        try (Client client =
                bench.newClient(protocol, "callers", Map.of("highway.islands.shanghai.timeout", SECONDS + "s"))) {
            client.to("shanghai", () -> client.desk().answer(bench.newId("warm"), "x"));
            int calls = Load.run(
                    bench,
                    "shanghai",
                    CALLERS,
                    CALLS_OF_EACH,
                    (id, random) -> Expect.same("answer", "shanghai x", client.to("shanghai", () -> client.desk()
                            .answerLater(id, "x")
                            .get(SECONDS, TimeUnit.SECONDS))));
            return calls + " calls of " + CALLERS + " callers";
        }
    }

    /** The provider answers none before all have arrived, and then in another order. */
    private static String together(Bench bench, Protocol protocol, int calls) throws Exception {
        try (FaultyLink link = bench.link(protocol, "shanghai")) {
            Map<String, String> overLink = Map.of(
                    "highway.islands.shanghai.gateways." + protocol.word(),
                    "gateway.zhejiang.test:" + link.port(),
                    "highway.islands.shanghai.timeout",
                    SECONDS + "s");
            try (Client client = bench.newClient(protocol, "crowd", overLink)) {
                return together(bench, client, link, calls);
            }
        }
    }

    private static String together(Bench bench, Client client, FaultyLink link, int calls) throws Exception {
        client.to("shanghai", () -> client.desk().answer(bench.newId("warm"), "x"));
        long before = link.traffic().connections().sum();
        String id = bench.newId("crowd");
        Ledger ledger = bench.islands().ledger("shanghai");
        Queue<Integer> order = new ConcurrentLinkedQueue<>();
        List<CompletableFuture<Integer>> answers = new ArrayList<>();
        for (int number = 0; number < calls; number++) {
            int own = number;
            CompletableFuture<Integer> answer =
                    client.to("shanghai", () -> client.desk().together(id, own, calls));
            answers.add(answer.whenComplete((value, failure) -> order.add(own)));
        }
        try {
            CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new)).get(SECONDS + 5, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw new Unmet(calls + " answers", order.size() + ", and " + ledger.executions(id) + " calls came", e);
        } catch (Exception e) {
            long failed = answers.stream()
                    .filter(CompletableFuture::isCompletedExceptionally)
                    .count();
            throw new Unmet(
                    calls + " calls in flight at once",
                    ledger.executions(id) + " at the provider, " + failed + " failed: "
                            + Expect.shown(Expect.unwrapped(e)),
                    e);
        }
        for (int number = 0; number < calls; number++) {
            Expect.same(
                    "answer to request " + number, number, answers.get(number).join());
        }
        Expect.same("executions", calls, ledger.executions(id));
        long overtaken = overtaken(new ArrayList<>(order));
        Expect.holds(overtaken > calls / 4, "answers in another order than the requests", overtaken + " overtook");
        Expect.same("further connections", 0L, link.traffic().connections().sum() - before);
        return "each answer to its request, " + overtaken + " overtook another, over the connection that was there";
    }

    /** How many ended before the one that had started just before them. */
    private static long overtaken(List<Integer> order) {
        long count = 0;
        for (int at = 1; at < order.size(); at++) {
            if (order.get(at) < order.get(at - 1)) {
                count++;
            }
        }
        return count;
    }
}
