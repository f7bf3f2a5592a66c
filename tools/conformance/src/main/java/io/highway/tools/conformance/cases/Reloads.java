// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.conformance.cases;

import io.highway.tools.conformance.bench.Bench;
import io.highway.tools.conformance.bench.Client;
import io.highway.tools.conformance.bench.Islands;
import io.highway.tools.conformance.bench.NotOffered;
import io.highway.tools.conformance.cases.Case.When;
import io.highway.tools.conformance.service.Ledger;
import io.highway.tools.conformance.service.StreamOrder;
import io.highway.tools.gateways.HomeGateway;
import io.highway.tools.gateways.Protocol;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/** Long calls and streams in flight when home's gateway is replaced, stops, or ends connections, and short ones beside them. */
final class Reloads {

    private static final String ISLAND = "shanghai";
    private static final int LONG_MILLIS = 20_000;
    private static final int LONG_ENDS_WITHIN_SECONDS = 35;
    private static final int MESSAGES = 41;
    private static final int MESSAGE_BYTES = 16;
    private static final int CALLERS = 50;
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long AFTERWARDS_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final int RELOADS = 10;
    private static final int SHOWN = 3;

    /** Dubbo's default; the kit's clients wait for 100 ms only, which hides what that time does to connections that end. */
    private static final Map<String, String> DEFAULT_SHUTDOWN = Map.of("dubbo.service.shutdown.wait", "10000");

    private Reloads() {}

    static List<Case> cases() {
        return List.of(
                Case.all("long calls at a reload", Reloads::reload).when(When.ALONE_LONG),
                Case.all("long calls at a drain", Reloads::drain).when(When.ALONE_LONG),
                Case.triple("long calls at a connection limit", Reloads::limit).when(When.ALONE_LONG),
                Case.all(
                                "ten reloads",
                                (bench, protocol) ->
                                        tenReloads(bench, protocol, NotOffered.ifUnsupported(() -> home(bench))))
                        .when(When.ALONE_LONG),
                Case.triple(
                                "ten reloads, limited connections",
                                (bench, protocol) -> tenReloads(bench, protocol, another(bench, protocol, true)))
                        .when(When.ALONE_LONG));
    }

    private static String reload(Bench bench, Protocol protocol) throws Exception {
        HomeGateway home = NotOffered.ifUnsupported(() -> home(bench));
        try (Client client = newClient(bench, protocol, home)) {
            LongOnes first = new LongOnes(bench, client, protocol);
            try (ShortOnes calls = new ShortOnes(bench, client)) {
                home.reload();
                first.awaitDelivered();
                home.awaitReplaced();
                LockSupport.parkNanos(AFTERWARDS_NANOS);
                return calls.end() + first;
            }
        }
    }

    /** Two gateways of home, of which one stops; each has a long call. */
    private static String drain(Bench bench, Protocol protocol) throws Exception {
        HomeGateway home = NotOffered.ifUnsupported(() -> home(bench));
        HomeGateway leaving = another(bench, protocol, false);
        try (Client client = newClient(bench, protocol, home, leaving)) {
            LongOnes one = new LongOnes(bench, client, protocol);
            LongOnes two = new LongOnes(bench, client, protocol);
            try (ShortOnes calls = new ShortOnes(bench, client)) {
                leaving.drain();
                one.awaitDelivered();
                two.awaitDelivered();
                leaving.awaitDrained();
                LockSupport.parkNanos(AFTERWARDS_NANOS);
                return calls.end() + one;
            }
        }
    }

    private static String limit(Bench bench, Protocol protocol) throws Exception {
        HomeGateway limited = another(bench, protocol, true);
        try (Client client = newClient(bench, protocol, limited)) {
            LongOnes first = new LongOnes(bench, client, protocol);
            try (ShortOnes calls = new ShortOnes(bench, client)) {
                first.awaitDelivered();
                return calls.end() + first;
            }
        } finally {
            limited.drain();
        }
    }

    private static String tenReloads(Bench bench, Protocol protocol, HomeGateway gateway) throws Exception {
        try (Client client = newClient(bench, protocol, gateway);
                ShortOnes calls = new ShortOnes(bench, client)) {
            for (int number = 0; number < RELOADS; number++) {
                LongOnes call = new LongOnes(bench, client, protocol);
                gateway.reload();
                call.awaitDelivered();
                calls.requireNoneFailed();
            }
            gateway.awaitReplaced();
            LockSupport.parkNanos(AFTERWARDS_NANOS);
            String all = calls.end();
            return RELOADS + " reloads, 0 lost, each long call delivered; " + all;
        }
    }

    private static HomeGateway home(Bench bench) {
        return bench.gateways().home();
    }

    private static HomeGateway another(Bench bench, Protocol protocol, boolean limited) throws Exception {
        bench.entrance(protocol, ISLAND);
        return NotOffered.ifUnsupported(() -> bench.gateways().another(limited));
    }

    /** A client of these gateways only. */
    private static Client newClient(Bench bench, Protocol protocol, HomeGateway... gateways) throws Exception {
        Map<String, String> addresses = new HashMap<>();
        for (String island : Islands.ALL) {
            List<String> all = new ArrayList<>();
            for (HomeGateway gateway : gateways) {
                all.add(gateway.entrance(protocol, island)
                        .orElseThrow(() -> new NotOffered("no entrance for " + protocol.word()))
                        .plain());
            }
            addresses.put(island, String.join(",", all));
        }
        Client client =
                bench.newClient(protocol, "reload", island -> addresses.getOrDefault(island, ""), DEFAULT_SHUTDOWN);
        client.awaitConnected();
        for (int call = 0; call < gateways.length; call++) {
            client.to(ISLAND, () -> client.desk().answer(bench.newId("warm"), "x"));
        }
        return client;
    }

    /** A call and a server stream of 20 s each, which have reached the provider. */
    private static final class LongOnes {

        private final String id;
        private final CompletableFuture<String> call;
        private final Received<byte[]> stream = new Received<>();
        private final boolean hasStream;

        LongOnes(Bench bench, Client client, Protocol protocol) throws Exception {
            this.id = bench.newId("long");
            this.hasStream = protocol == Protocol.TRIPLE;
            this.call = client.to(ISLAND, () -> client.desk().answerIn(id, id, LONG_MILLIS));
            if (hasStream) {
                int pause = LONG_MILLIS / (MESSAGES - 1);
                client.send(ISLAND, new StreamOrder(id, MESSAGES, MESSAGE_BYTES, pause, false), stream);
            }
            Ledger ledger = bench.islands().ledger(ISLAND);
            int expected = hasStream ? 2 : 1;
            Expect.becomes(
                    () -> ledger.executions(id) == expected,
                    5000,
                    "long ones at the provider",
                    () -> String.valueOf(ledger.executions(id)));
        }

        void awaitDelivered() throws Exception {
            try {
                Expect.same(
                        "answer of the long call",
                        ISLAND + " " + id,
                        call.get(LONG_ENDS_WITHIN_SECONDS, TimeUnit.SECONDS));
            } catch (TimeoutException e) {
                throw new Unmet("the answer of the long call", "none in " + LONG_ENDS_WITHIN_SECONDS + " s", e);
            } catch (ExecutionException e) {
                throw new Unmet("the answer of the long call", Expect.shown(Expect.unwrapped(e)), e);
            }
            if (hasStream) {
                stream.awaitEnd(LONG_ENDS_WITHIN_SECONDS);
                Expect.same("messages of the stream", MESSAGES, stream.values().size());
            }
        }

        @Override
        public String toString() {
            return hasStream ? ", call and stream of 20 s delivered" : ", call of 20 s delivered";
        }
    }

    /** Callers that make short calls until they are ended. */
    private static final class ShortOnes implements AutoCloseable {

        private final Ledger ledger;
        private final String prefix;
        private final Queue<String> failures = new ConcurrentLinkedQueue<>();
        private final Map<Integer, Integer> passed = new ConcurrentHashMap<>();
        private final AtomicBoolean ended = new AtomicBoolean();
        private final List<Thread> threads;

        ShortOnes(Bench bench, Client client) {
            this.ledger = bench.islands().ledger(ISLAND);
            this.prefix = bench.newId("short") + "/";
            this.threads = Load.start(CALLERS, caller -> call(client, caller));
        }

        private void call(Client client, int caller) {
            for (int number = 0; !ended.get(); number++) {
                String id = prefix + caller + "/" + number;
                try {
                    Expect.answer(client, ISLAND, id, "x");
                    passed.merge(caller, 1, Integer::sum);
                } catch (Exception e) {
                    failures.add(Expect.shown(Expect.unwrapped(e)));
                }
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }

        void requireNoneFailed() {
            Expect.holds(
                    failures.isEmpty(),
                    "no short call to fail",
                    failures.size() + " failed, " + count() + " passed: "
                            + String.join(
                                    " | ",
                                    failures.stream().distinct().limit(SHOWN).toList()));
        }

        private int count() {
            return passed.values().stream().mapToInt(Integer::intValue).sum();
        }

        /** Ends them; none has failed, and each has run once. */
        String end() {
            close();
            requireNoneFailed();
            for (int caller = 0; caller < CALLERS; caller++) {
                Map<String, Integer> executions = ledger.executionsOf(prefix + caller + "/");
                Expect.same("calls of caller " + caller + " that ran", passed.get(caller), executions.size());
                executions.forEach((id, times) -> Expect.same(id, 1, times));
            }
            return count() + " short calls, 0 failed";
        }

        @Override
        public void close() {
            ended.set(true);
            try {
                for (Thread thread : threads) {
                    thread.join(Client.TIMEOUT_MILLIS * 2L);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
