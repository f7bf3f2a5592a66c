// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.conformance.cases;

import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.Reason;
import io.highway.tools.conformance.bench.Bench;
import io.highway.tools.conformance.bench.Client;
import io.highway.tools.conformance.bench.Islands;
import io.highway.tools.conformance.cases.Case.When;
import io.highway.tools.conformance.service.StreamOrder;
import io.highway.tools.gateways.Protocol;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Deadlines and silence. */
final class Time {

    private static final int SLOW_MILLIS = 1500;
    private static final int LATE_MILLIS = 1300;
    private static final int IDLE_SECONDS = 90;

    private Time() {}

    static List<Case> cases() {
        return List.of(
                Case.all("deadline", Time::deadline),
                Case.all("idle 90 s, then a call", Time::idle).when(When.BESIDE),
                Case.triple("stream silent for 90 s", Time::silentStream).when(When.BESIDE));
    }

    private static String deadline(Bench bench, Protocol protocol) throws Exception {
        Client client = bench.client(protocol);
        String id = bench.newId("deadline");
        long begun = System.nanoTime();
        HighwayException late = Expect.refused(
                "a timeout", () -> client.to("shanghai", () -> client.desk().slow(id, "late", SLOW_MILLIS)));
        long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
        Expect.same("reason", Reason.TIMEOUT, late.reason());
        Expect.holds(late.mayHaveRun() && late.isTimeout(), "a timeout that may have run", Expect.shown(late));
        Expect.holds(
                millis < LATE_MILLIS,
                "the error after about " + Client.SHORT_MILLIS + " ms",
                "after " + millis + " ms");
        Map<String, String> wire = bench.islands().ledger("shanghai").wire(id);
        String timeout = String.valueOf(wire.get("timeout"));
        Expect.holds(
                timeout.matches("\\d+") && Integer.parseInt(timeout) <= Client.SHORT_MILLIS,
                "the deadline on the wire, at most " + Client.SHORT_MILLIS,
                timeout);
        Expect.becomes(
                () -> {
                    String other = bench.newId("meanwhile");
                    requireRight(client, other);
                    return bench.islands().ledger("shanghai").events(id).contains("answered");
                },
                5000,
                "the late answer",
                () -> "none");
        for (int call = 0; call < 20; call++) {
            requireRight(client, bench.newId("afterwards"));
        }
        return "timeout after " + millis + " ms, the provider received " + timeout
                + " ms; the late answer harmed nobody";
    }

    private static void requireRight(Client client, String id) {
        try {
            Expect.answer(client, "shanghai", id, id);
        } catch (Unmet e) {
            throw e;
        } catch (Exception e) {
            throw new Unmet("calls beside the late one to pass", Expect.shown(e), e);
        }
    }

    /** No calls for a while; the SDK's own heartbeats continue, as in every application. */
    private static String idle(Bench bench, Protocol protocol) throws Exception {
        try (Client client = bench.newClient(protocol, "idle", Map.of())) {
            List<String> islands = Islands.among(protocol, "shanghai", "beijing", "yunnan");
            for (String island : islands) {
                client.to(island, () -> client.desk().answer(bench.newId("before"), "x"));
            }
            TimeUnit.SECONDS.sleep(IDLE_SECONDS);
            for (String island : islands) {
                String id = bench.newId("idle");
                long begun = System.nanoTime();
                Expect.answer(client, island, id, "y");
                long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
                Expect.holds(millis < 1000, "an answer within 1000 ms", "one after " + millis + " ms");
            }
            return "the first call after it passed, in " + String.join(", ", islands);
        }
    }

    private static String silentStream(Bench bench, Protocol protocol) throws Exception {
        try (Client client = bench.newClient(protocol, "silent", Map.of())) {
            Received<byte[]> received = new Received<>();
            StreamOrder order = new StreamOrder(bench.newId("silent"), 2, 16, IDLE_SECONDS * 1000, false);
            client.send("shanghai", order, received);
            received.awaitEnd(IDLE_SECONDS + 10);
            Expect.same("messages", 2, received.values().size());
            return "the message after it arrived";
        }
    }
}
