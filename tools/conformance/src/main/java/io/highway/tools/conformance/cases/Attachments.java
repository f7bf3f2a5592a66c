// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.conformance.cases;

import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.Reason;
import io.highway.tools.conformance.bench.Bench;
import io.highway.tools.conformance.bench.Client;
import io.highway.tools.conformance.service.Desk;
import io.highway.tools.gateways.Protocol;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.apache.dubbo.rpc.RpcContext;

/** Attachments in both directions, which Triple carries as headers and trailers. */
final class Attachments {

    private static final int KB = 1 << 10;
    private static final Pattern NAMES_HEADERS = Pattern.compile("(?i).*(header|too large|431|max.*size).*");
    private static final long QUICK_MILLIS = 3000;

    /** By default Envoy and HAProxy take some 100 headers. */
    private static final int MANY = 90;

    private Attachments() {}

    static List<Case> cases() {
        return List.of(
                Case.all("request attachments", Attachments::request),
                Case.all("response attachments", Attachments::response),
                Case.all("header budget", Attachments::budget));
    }

    private static String request(Bench bench, Protocol protocol) throws Exception {
        Client client = bench.client(protocol);
        String id = bench.newId("attachments");
        Map<String, String> sent = Map.of(
                "traceparent",
                "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
                "tenant",
                "a-b_c.d~e",
                "x-list",
                "a, b;c=\"d\"",
                "camelCase",
                "Kept");
        Map<String, String> seen = client.to("shanghai", () -> {
            sent.forEach(RpcContext.getClientAttachment()::setAttachment);
            return client.desk().attachments(id);
        });
        sent.forEach((key, value) -> Expect.same("attachment " + key, value, seen.get(key)));
        List<String> ours =
                seen.keySet().stream().filter(key -> key.startsWith("highway")).toList();
        Expect.holds(ours.isEmpty(), "no key of the SDK behind the guard", Expect.shown(ours));
        Map<String, String> wire = bench.islands().ledger("shanghai").wire(id);
        Expect.same("highway-island on the wire", "shanghai", wire.get("highway-island"));
        Expect.holds(
                String.valueOf(wire.get("highway-from")).startsWith(Bench.HOME + "/"),
                "highway-from on the wire",
                String.valueOf(wire.get("highway-from")));
        return sent.size() + " unchanged, none of the SDK's behind the guard";
    }

    private static String response(Bench bench, Protocol protocol) throws Exception {
        Client client = bench.client(protocol);
        String id = bench.newId("response");
        client.to("shanghai", () -> client.desk().attach(id, 20));
        Map<String, Object> came =
                new HashMap<>(RpcContext.getClientResponseContext().getObjectAttachments());
        for (int number = 0; number < 20; number++) {
            Expect.same("attachment answer-" + number, "value-" + number, came.get("answer-" + number));
        }
        return "20 unchanged";
    }

    private static String budget(Bench bench, Protocol protocol) throws Exception {
        // what goes over a limit may cost the connection, so it is not the shared one
        try (Client client = bench.newClient(protocol, "headers", Map.of())) {
            Desk desk = client.desk();
            String id = bench.newId("budget");
            for (int[] values : new int[][] {{1, 4}, {4, 4}}) {
                Map<String, String> seen = client.to("shanghai", () -> {
                    attach(values[0], values[1] * KB);
                    return desk.attachments(id);
                });
                for (int number = 0; number < values[0]; number++) {
                    Expect.same("attachment of " + values[1] + " KB", value(values[1] * KB), seen.get("big-" + number));
                }
            }
            Map<String, String> many = client.to("shanghai", () -> {
                attach(MANY, MANY);
                return desk.attachments(id);
            });
            for (int number = 0; number < MANY; number++) {
                Expect.same("one of " + MANY, value(MANY), many.get("big-" + number));
            }
            String beyond = beyond(bench, client, desk);
            Expect.passes("calls that pass afterwards", bench, client, "shanghai", 5000);
            return "4 KB, 4 x 4 KB and " + MANY + " small ones pass; 32 x 4 KB " + beyond;
        }
    }

    private static String beyond(Bench bench, Client client, Desk desk) {
        String id = bench.newId("beyond");
        long begun = System.nanoTime();
        try {
            client.to("shanghai", () -> {
                attach(32, 4 * KB);
                return desk.attachments(id);
            });
            return "pass";
        } catch (HighwayException e) {
            long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
            Expect.holds(
                    e.reason() != Reason.TIMEOUT && millis < QUICK_MILLIS,
                    "an answer or an error within " + QUICK_MILLIS + " ms",
                    Expect.shown(e) + " after " + millis + " ms");
            Expect.same("executions", 0, bench.islands().executions(id));
            boolean named =
                    NAMES_HEADERS.matcher(String.valueOf(e.getMessage())).find();
            return "fail as " + Expect.end(e) + ", in " + millis + " ms"
                    + (named ? "; the error names the headers" : "");
        } catch (Exception e) {
            throw new Unmet("an answer or the SDK's error", Expect.shown(e), e);
        }
    }

    private static void attach(int count, int bytes) {
        for (int number = 0; number < count; number++) {
            RpcContext.getClientAttachment().setAttachment("big-" + number, value(bytes));
        }
    }

    private static String value(int bytes) {
        return "v".repeat(bytes);
    }
}
