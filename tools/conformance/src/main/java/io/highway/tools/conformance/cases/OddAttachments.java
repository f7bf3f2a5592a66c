// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.conformance.cases;

import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.Reason;
import io.highway.tools.conformance.bench.Bench;
import io.highway.tools.conformance.bench.Client;
import io.highway.tools.conformance.bench.Islands;
import io.highway.tools.gateways.Protocol;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.dubbo.rpc.RpcContext;
import org.jspecify.annotations.Nullable;

/**
 * Attachments that HTTP/2 cannot carry, in both directions, each beside ten calls in flight on the same connection. Over
 * Triple they are left out or refused as not sent; the other tunnels carry them.
 */
final class OddAttachments {

    private static final int NEIGHBOURS = 10;
    private static final int NEIGHBOURS_MILLIS = 250;
    private static final int SECONDS = 20;

    private static final List<String> NAMES_OF_CONNECTIONS = List.of(
            "connection",
            "content-length",
            "content-type",
            "expect",
            "host",
            "http2-settings",
            "keep-alive",
            "proxy-connection",
            "te",
            "transfer-encoding",
            "upgrade");

    private static final List<String> ODD_NAMES =
            List.of(" ", "a b", "a:b", ":a", "a/b", "a@b", "a[b]", "a\nb", "省", "café");

    /** Ordinary ones that some HTTP implementations treat in their own way. */
    private static final List<Map.Entry<String, String>> CARRIED = List.of(
            Map.entry("a!#$%&'*+-.^_`|~b", "x"),
            Map.entry("x_y.z", "x"),
            Map.entry("note", " x "),
            Map.entry("note", "a\tb"),
            Map.entry("note", ""),
            Map.entry("note", "caf\u00e9"),
            Map.entry("note", "\u0085"),
            Map.entry("note", "\u00ff\u0080"));

    private OddAttachments() {}

    static List<Case> cases() {
        return List.of(
                Case.all("odd request attachments", OddAttachments::requests),
                Case.all("odd response attachments", OddAttachments::responses));
    }

    private static List<Map.Entry<String, String>> refused() {
        return Stream.concat(
                        ODD_NAMES.stream().map(name -> Map.entry(name, "x")),
                        IntStream.of(0, 1, '\n', '\r', 0x1f, 0x7f)
                                .mapToObj(c -> Map.entry("note", "a" + (char) c + "b")))
                .toList();
    }

    private static List<Map.Entry<String, String>> leftOut() {
        return NAMES_OF_CONNECTIONS.stream()
                .map(name -> Map.entry(name, "close"))
                .toList();
    }

    private static String requests(Bench bench, Protocol protocol) throws Exception {
        try (Client client = bench.newClient(protocol, "odd-requests", Map.of())) {
            List<String> problems = new ArrayList<>();
            List<Map.Entry<String, String>> served = new ArrayList<>(leftOut());
            served.addAll(CARRIED);
            for (Map.Entry<String, String> each : served) {
                problems.add(beside(bench, client, each, () -> served(bench, client, protocol, each)));
            }
            for (Map.Entry<String, String> each : refused()) {
                problems.add(beside(
                        bench,
                        client,
                        each,
                        () -> protocol == Protocol.TRIPLE
                                ? refused(bench, client, each)
                                : served(bench, client, protocol, each)));
            }
            return verdict(problems);
        }
    }

    private static String responses(Bench bench, Protocol protocol) throws Exception {
        try (Client client = bench.newClient(protocol, "odd-responses", Map.of())) {
            List<String> problems = new ArrayList<>();
            for (Map.Entry<String, String> each : Stream.of(leftOut(), CARRIED, refused())
                    .flatMap(List::stream)
                    .toList()) {
                problems.add(beside(bench, client, each, () -> answered(bench, client, each)));
            }
            return verdict(problems);
        }
    }

    private static String verdict(List<String> problems) {
        List<String> found = problems.stream().filter(Objects::nonNull).toList();
        Expect.holds(
                found.isEmpty(),
                "each is served, or refused as not sent, beside calls that are answered",
                found.size() + ": " + found);
        return problems.size() + " kinds, each beside " + NEIGHBOURS + " calls";
    }

    /** What went wrong, or null. */
    private interface Probe {
        @Nullable
        String run() throws Exception;
    }

    private static @Nullable String beside(
            Bench bench, Client client, Map.Entry<String, String> attachment, Probe probe) {
        String what = Expect.shown(attachment.toString().replace("\n", "LF").replace("\r", "CR"));
        List<CompletableFuture<String>> neighbours = new ArrayList<>();
        try {
            String id = bench.newId("neighbour");
            for (int i = 0; i < NEIGHBOURS; i++) {
                neighbours.add(client.to("shanghai", () -> client.desk().answerIn(id, "x", NEIGHBOURS_MILLIS)));
            }
            String problem = probe.run();
            if (problem != null) {
                return what + " " + problem;
            }
        } catch (Exception e) {
            return what + " " + Expect.shown(e);
        }
        int lost = 0;
        for (CompletableFuture<String> neighbour : neighbours) {
            try {
                Object unused = neighbour.get(SECONDS, TimeUnit.SECONDS);
            } catch (Exception e) {
                lost++;
            }
        }
        return lost == 0 ? null : what + " lost " + lost + " neighbours";
    }

    private static @Nullable String served(
            Bench bench, Client client, Protocol protocol, Map.Entry<String, String> attachment) throws Exception {
        String id = bench.newId("odd");
        for (String island : Islands.among(protocol, "shanghai", "guangdong", "yunnan")) {
            Map<String, String> seen = client.to(island, () -> {
                RpcContext.getClientAttachment().setAttachment(attachment.getKey(), attachment.getValue());
                return client.desk().attachments(id);
            });
            String came = seen.get(attachment.getKey());
            boolean isRight = NAMES_OF_CONNECTIONS.contains(attachment.getKey()) // Dubbo 3.3 hides them from services
                    ? protocol != Protocol.TRIPLE || came == null
                    : came != null && came.strip().equals(attachment.getValue().strip());
            if (!isRight) {
                return "arrived in " + island + " as " + came;
            }
        }
        return null;
    }

    private static @Nullable String refused(Bench bench, Client client, Map.Entry<String, String> attachment) {
        String id = bench.newId("odd");
        HighwayException ended = Expect.refused(
                "a refusal",
                () -> client.to("shanghai", () -> {
                    RpcContext.getClientAttachment().setAttachment(attachment.getKey(), attachment.getValue());
                    return client.desk().attachments(id);
                }));
        boolean isRight = ended.reason() == Reason.NOT_TUNNELLABLE
                && !ended.mayHaveRun()
                && bench.islands().executions(id) == 0;
        return isRight ? null : Expect.shown(ended);
    }

    private static @Nullable String answered(Bench bench, Client client, Map.Entry<String, String> attachment)
            throws Exception {
        String id = bench.newId("odd");
        client.to("shanghai", () -> client.desk()
                .attachThese(id, Map.of(attachment.getKey(), attachment.getValue(), "kept", "yes")));
        Map<String, Object> came = RpcContext.getClientResponseContext().getObjectAttachments();
        return "yes".equals(came.get("kept")) ? null : "lost another attachment: " + came;
    }
}
