// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.conformance.cases;

import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.Reason;
import io.highway.tools.conformance.bench.Bench;
import io.highway.tools.conformance.bench.Client;
import io.highway.tools.conformance.bench.Islands;
import io.highway.tools.conformance.bench.NotOffered;
import io.highway.tools.conformance.cases.Case.When;
import io.highway.tools.gateways.Protocol;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Providers and gateways that stop and restart. */
final class Outages {

    private static final String DOWN = Islands.REPLACEABLE;
    private static final long QUICK_MILLIS = 3000;
    private static final long BACK_MILLIS = 10_000;
    private static final int CALLERS = 8;
    private static final int ROUNDS = 50;
    private static final long BEFORE_AND_AFTER_MILLIS = 1000;

    private Outages() {}

    static List<Case> cases() {
        return List.of(
                Case.all("provider down and back", Outages::providerDown),
                Case.all("home gateway replaced under load", Outages::replaced).when(When.ALONE),
                Case.all("gateways outlive a provider", Outages::outlived).when(When.ALONE));
    }

    /**
     * A provider dies with calls in flight, it comes back, and then a client stops with calls in flight: no gateway may
     * die with them, since it carries other calls, too.
     */
    private static String outlived(Bench bench, Protocol protocol) throws Exception {
        bench.entrance(protocol, DOWN);
        int ended;
        try (Client client = bench.newClient(protocol, "outlived", Bench.withoutBreaker(DOWN))) {
            Expect.passes("calls that pass", bench, client, DOWN, BACK_MILLIS);
            passTogether(bench, client); // so that gateways have connections that they use again
            List<CompletableFuture<Integer>> lost = inFlight(bench, client);
            bench.islands().kill(DOWN);
            CompletableFuture.allOf(lost.toArray(CompletableFuture[]::new))
                    .handle((all, failure) -> "")
                    .get(Client.TIMEOUT_MILLIS * 2L, TimeUnit.MILLISECONDS);
            ended = lost.size();
            bench.islands().restart(DOWN);
            Expect.passes("calls that pass again", bench, client, DOWN, BACK_MILLIS);
            for (int round = 0; round < ROUNDS; round++) {
                passTogether(bench, client); // so that memory that is given up is used again
            }
            inFlight(bench, client);
        }
        Client other = bench.client(protocol);
        Expect.passes("calls of others that pass", bench, other, DOWN, BACK_MILLIS);
        passTogether(bench, other);
        return ended + " calls in flight when the provider died, " + CALLERS
                + " when their client left; others are served";
    }

    private static void passTogether(Bench bench, Client client) throws Exception {
        String id = bench.newId("together");
        List<CompletableFuture<Integer>> calls = call(client, id, CALLERS);
        CompletableFuture.allOf(calls.toArray(CompletableFuture[]::new))
                .get(Client.TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** Calls that have reached the provider, which answers none of them. */
    private static List<CompletableFuture<Integer>> inFlight(Bench bench, Client client) throws Exception {
        String id = bench.newId("in-flight");
        List<CompletableFuture<Integer>> calls = call(client, id, CALLERS + 1);
        Expect.becomes(
                () -> bench.islands().ledger(DOWN).executions(id) == CALLERS,
                BACK_MILLIS,
                CALLERS + " calls in flight",
                () -> String.valueOf(bench.islands().ledger(DOWN).executions(id)));
        return calls;
    }

    /** Calls that are answered when {@code count} have come. */
    private static List<CompletableFuture<Integer>> call(Client client, String id, int count) throws Exception {
        List<CompletableFuture<Integer>> calls = new ArrayList<>();
        for (int number = 0; number < CALLERS; number++) {
            int own = number;
            calls.add(client.to(DOWN, () -> client.desk().together(id, own, count)));
        }
        return calls;
    }

    private static String providerDown(Bench bench, Protocol protocol) throws Exception {
        try (Client client = bench.newClient(protocol, "outage", Map.of())) {
            // the case before has just done the same over the other protocol, and a gateway may still avoid the
            // provider
            Expect.passes("calls that pass", bench, client, DOWN, BACK_MILLIS);
            bench.islands().kill(DOWN);
            HighwayException failure = null;
            for (int call = 0; call < 3; call++) {
                long begun = System.nanoTime();
                failure = Expect.refused(
                        "an error", () -> client.to(DOWN, () -> client.desk().answer(bench.newId("down"), "x")));
                long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
                Expect.holds(
                        millis < QUICK_MILLIS && failure.reason() != Reason.TIMEOUT,
                        "an error within " + QUICK_MILLIS + " ms that is no timeout",
                        Expect.shown(failure) + " after " + millis + " ms");
            }
            bench.islands().restart(DOWN);
            long begun = System.nanoTime();
            Expect.passes("calls that pass again", bench, client, DOWN, BACK_MILLIS);
            long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
            return (failure == null ? "" : Expect.end(failure)) + "; passed " + millis + " ms after it was back";
        }
    }

    private record Ended(String id, @Nullable String answer, @Nullable Exception failure) {}

    private static String replaced(Bench bench, Protocol protocol) throws Exception {
        bench.entrance(protocol, "shanghai");
        String prefix = bench.newId("replaced") + "/";
        Queue<Ended> outcomes = new ConcurrentLinkedQueue<>();
        try (Client client = bench.newClient(protocol, "drain", Map.of())) {
            client.to("shanghai", () -> client.desk().answer(bench.newId("warm"), "x"));
            AtomicBoolean ended = new AtomicBoolean();
            List<Thread> callers = Load.start(CALLERS, caller -> call(client, prefix + caller + "/", outcomes, ended));
            try {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(BEFORE_AND_AFTER_MILLIS));
                NotOffered.ifUnsupported(() -> {
                    bench.gateways().replaceHome();
                    return "";
                });
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(BEFORE_AND_AFTER_MILLIS));
            } finally {
                ended.set(true);
                for (Thread caller : callers) {
                    caller.join(Client.TIMEOUT_MILLIS * 2);
                }
            }
            String last = bench.newId("after");
            Expect.same("answer after it", "shanghai x", client.to("shanghai", () -> client.desk()
                    .answer(last, "x")));
        }
        return account(bench.islands().ledger("shanghai").executionsOf(prefix), outcomes);
    }

    private static void call(Client client, String prefix, Queue<Ended> outcomes, AtomicBoolean ended) {
        for (int number = 0; !ended.get(); number++) {
            String id = prefix + number;
            try {
                String answer = client.to("shanghai", () -> client.desk().answer(id, id));
                outcomes.add(new Ended(id, answer, null));
            } catch (Exception e) {
                outcomes.add(new Ended(id, null, e));
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
            }
        }
    }

    /** Compares the outcomes that callers got with what the provider has executed. */
    private static String account(Map<String, Integer> executed, Queue<Ended> outcomes) {
        int delivered = 0;
        int notSent = 0;
        int lost = 0;
        for (Ended one : outcomes) {
            int times = executed.getOrDefault(one.id, 0);
            Expect.holds(times <= 1, "no call to run twice", one.id + " ran " + times + " times");
            if (one.answer != null) {
                Expect.same("answer", "shanghai " + one.id, one.answer);
                Expect.same("executions of a delivered call", 1, times);
                delivered++;
            } else if (one.failure instanceof HighwayException failure && !failure.mayHaveRun()) {
                Expect.holds(times == 0, "a call not to run that is not sent", Expect.shown(failure));
                notSent++;
            } else if (one.failure instanceof HighwayException) {
                lost++;
            } else {
                throw new Unmet("every failure in the SDK's words", Expect.shown(one.failure));
            }
        }
        Expect.holds(delivered > 0, "calls that are delivered", "none of " + outcomes.size());
        return outcomes.size() + " calls: " + delivered + " delivered, " + notSent + " not sent, " + lost
                + " lost without an answer, none doubled";
    }
}
