// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.conformance.cases;

import io.highway.sdk.dubbo.HighwayException;
import io.highway.tools.conformance.bench.Bench;
import io.highway.tools.conformance.bench.Client;
import io.highway.tools.conformance.bench.Islands;
import io.highway.tools.conformance.bench.NotOffered;
import io.highway.tools.conformance.bench.RawCall;
import io.highway.tools.conformance.bench.RawCall.Frame;
import io.highway.tools.conformance.bench.RawPeer;
import io.highway.tools.conformance.bench.RawPeer.Reply;
import io.highway.tools.conformance.service.Desk;
import io.highway.tools.gateways.Island;
import io.highway.tools.gateways.Protocol;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.dubbo.rpc.RpcContext;
import org.apache.dubbo.rpc.RpcException;
import org.apache.dubbo.rpc.service.GenericService;

/**
 * Only gateways may state that a call has not run, in a form that no service can give to its answers. What a service, a
 * filter or a peer other than Dubbo writes in its answers must never be taken for it.
 */
final class Words {

    private static final int SECONDS = 10;
    private static final String WITH_SDK = "shanghai";
    private static final String NOT_FORWARDED = "highway-not-forwarded";
    private static final String PATH = "/" + Desk.class.getName() + "/answer";
    private static final String[] TYPES = {"java.lang.String", "java.lang.String", "java.lang.String"};
    private static final long NOTICED_MILLIS = 20_000;
    private static final int SHOWN = 3;

    /** The ends of a service that claims not to have run. */
    private static final List<String> ENDINGS = List.of(
            "answer",
            "runtime",
            "later",
            "rpc-0",
            "rpc-1",
            "rpc-4",
            "rpc-6",
            "status-UNAVAILABLE",
            "status-UNIMPLEMENTED",
            "status-NOT_FOUND",
            "status-PERMISSION_DENIED");

    private Words() {}

    static List<Case> cases() {
        return List.of(
                Case.triple("refusals name the island", Words::refusals),
                Case.all("words of a service", Words::ofServices),
                Case.triple("words of a raw peer", Words::ofRawPeer));
    }

    /** Every text that is, was or resembles a statement of a gateway or of the SDK. */
    private static List<String> texts(String island) {
        return List.of(
                island + ";upstream-unreachable",
                "HIGHWAY-NOT-FORWARDED: " + island + ";upstream-unreachable",
                "HIGHWAY-NOT-FORWARDED: unknown-island " + island,
                "HIGHWAY-NOT-WRITTEN: 127.0.0.1:1",
                "HIGHWAY-REFUSED: wrong-island",
                "HIGHWAY-REFUSED: " + island + ";wrong-island",
                "upstream gateway.zhejiang.test:1 is unavailable",
                "Service not found:com.foo.Sms",
                "Invoker for gRPC not found",
                "org.apache.dubbo.remoting.RemotingException: Not found exported service: com.foo.Sms",
                "java.io.IOException: Connection reset by peer",
                "dubbo router: no healthy upstream for interface");
    }

    private static String refusals(Bench bench, Protocol protocol) throws Exception {
        requireRefusal("atlantis", RawCall.send(bench.entrance(protocol, "shanghai"), PATH, island("atlantis")));
        RawPeer peer = bench.islands().raw();
        peer.leave();
        try {
            // what is known of the island's provider is old at first, and an answer about a lost connection proves
            // nothing
            Expect.becomes(
                    () -> refused(bench, protocol), NOTICED_MILLIS, "a refusal for " + Islands.RAW, () -> "none");
            requireRefusal(Islands.RAW, RawCall.send(bench.entrance(protocol, Islands.RAW), PATH, island(Islands.RAW)));
        } finally {
            peer.listen();
        }
        Client client = bench.client(protocol);
        Expect.passes("calls that pass when it is back", bench, client, Islands.RAW, NOTICED_MILLIS);
        requireRemoved(bench, protocol);
        return "unknown island and refused connection: one HEADERS frame, status 14, the call's island first; a"
                + " provider's own are removed";
    }

    private static Map<String, String> island(String island) {
        return Map.of("highway-island", island);
    }

    private static boolean refused(Bench bench, Protocol protocol) {
        try {
            List<Frame> frames = RawCall.send(bench.entrance(protocol, Islands.RAW), PATH, island(Islands.RAW));
            return frames.get(0).fields().containsKey(NOT_FORWARDED);
        } catch (Exception e) {
            return false;
        }
    }

    private static void requireRefusal(String island, List<Frame> frames) {
        Frame first = frames.get(0);
        Map<String, String> fields = first.fields();
        Expect.holds(
                frames.size() == 1 && first.kind().equals("HEADERS") && first.end(),
                "one HEADERS frame with END_STREAM",
                Expect.shown(frames));
        Expect.same("HTTP status", "200", fields.get(":status"));
        Expect.same("grpc-status", "14", fields.get("grpc-status"));
        Expect.holds(
                String.valueOf(fields.get("content-type")).startsWith("application/grpc"),
                "content-type application/grpc",
                Expect.shown(fields));
        Expect.holds(
                String.valueOf(fields.get(NOT_FORWARDED)).startsWith(island + ";"),
                NOT_FORWARDED + ": " + island + ";<reason>",
                Expect.shown(fields));
    }

    /**
     * The gateway in front of providers removes this statement unless a gateway wrote it, and refusals unless the SDK's
     * guard wrote them.
     */
    private static void requireRemoved(Bench bench, Protocol protocol) throws Exception {
        Map<String, String> asked = Map.of(
                "highway-island",
                Islands.RAW,
                RawPeer.REPLY,
                Reply.TRAILERS_ONLY.name(),
                RawPeer.TEXT,
                Islands.RAW + ";upstream-unreachable");
        List<Frame> frames = RawCall.send(bench.entrance(protocol, Islands.RAW), PATH, asked);
        Expect.holds(
                frames.stream().noneMatch(frame -> frame.fields().keySet().stream()
                        .anyMatch(name -> name.startsWith("highway-"))),
                "no highway-* header of a provider without the SDK",
                Expect.shown(frames));
    }

    private static String ofServices(Bench bench, Protocol protocol) throws Exception {
        List<String> wrong = new ArrayList<>();
        int rows = 0;
        for (String island : Islands.among(protocol, "shanghai", Interop.ADVISED)) {
            try (Client client = bench.newClient(protocol, "words-" + island, Bench.withoutBreaker(island))) {
                client.to(island, () -> client.desk().answer(bench.newId("warm"), "x"));
                GenericService generic = client.generic();
                for (String text : texts(island)) {
                    for (String ending : ENDINGS) {
                        if (isForgedRefusal(protocol, island, ending, text)) {
                            continue;
                        }
                        String id = bench.newId("words");
                        String row = island + ", " + ending + ", \"" + text + "\"";
                        rows++;
                        Callable<Object> call =
                                switch (rows % 3) {
                                    case 0 ->
                                        () -> client.desk()
                                                .claim(id, ending, text)
                                                .get(SECONDS, TimeUnit.SECONDS);
                                    case 1 -> () -> generic.$invoke("claim", TYPES, new Object[] {id, ending, text});
                                    default ->
                                        () -> generic.$invokeAsync("claim", TYPES, new Object[] {id, ending, text})
                                                .get(SECONDS, TimeUnit.SECONDS);
                                };
                        check(wrong, row, () -> client.to(island, call), () -> bench.islands()
                                .executions(id));
                    }
                    String id = bench.newId("words");
                    rows++;
                    check(
                            wrong,
                            island + ", filter, \"" + text + "\"",
                            () -> client.to(island, () -> {
                                RpcContext.getClientAttachment().setAttachment("kit-filter", text);
                                return client.desk().answer(id, "x");
                            }),
                            () -> bench.islands().executions(id));
                }
            }
        }
        rows += ofNestedCalls(bench, protocol, wrong);
        return verdict(rows, wrong);
    }

    /** The service makes another call that a gateway, a guard or a server does not run, and relays its end. */
    private static int ofNestedCalls(Bench bench, Protocol protocol, List<String> wrong) throws Exception {
        int rows = 0;
        for (String island : Islands.among(protocol, WITH_SDK, Interop.ADVISED, Interop.OLDER)) {
            try (Client client = bench.newClient(protocol, "nested-" + island, Bench.withoutBreaker(island))) {
                GenericService generic = client.generic();
                for (Map.Entry<String, String> one : nested(bench, island).entrySet()) {
                    String how = one.getKey().substring(0, one.getKey().indexOf(' '));
                    String url = one.getValue();
                    for (String kind : List.of(how, how + "-later")) {
                        String id = bench.newId("nested");
                        Object[] arguments = {id, kind, url};
                        Callable<Object> call = rows % 2 == 0
                                ? () -> client.desk().claim(id, kind, url).get(SECONDS, TimeUnit.SECONDS)
                                : () -> generic.$invoke("claim", TYPES, arguments);
                        rows++;
                        check(
                                wrong,
                                island + ", " + kind + ", " + url,
                                () -> client.to(island, call),
                                () -> bench.islands().executions(id));
                        Expect.same(
                                "runs of the nested call", 0, bench.islands().executions("nested-" + id));
                    }
                }
            }
        }
        return rows;
    }

    /** How a nested call goes, and where, over both protocols. A service with the SDK passes no headers on. */
    private static Map<String, String> nested(Bench bench, String island) {
        Map<String, String> nested = new TreeMap<>();
        for (Protocol protocol : List.of(Protocol.DUBBO, Protocol.TRIPLE)) {
            String scheme = protocol == Protocol.DUBBO ? "dubbo://" : "tri://";
            String word = " " + protocol.word();
            Island refusing = bench.islands().all().get(1); // with the SDK, and not where the service is
            String provider = scheme + (protocol == Protocol.DUBBO ? refusing.dubbo() : refusing.triple());
            nested.put("nested-missing" + word, provider);
            if (!island.equals(WITH_SDK)) {
                nested.put("nested-refused" + word, provider);
            }
            entrance(bench, protocol).ifPresent(gateway -> nested.put("nested-unrouted" + word, scheme + gateway));
        }
        return nested;
    }

    private static Optional<String> entrance(Bench bench, Protocol protocol) {
        try {
            return Optional.of(bench.entrance(protocol, "shanghai"));
        } catch (NotOffered e) { // these gateways do not take this protocol
            return Optional.empty();
        }
    }

    /**
     * What the SDK's guard writes is an attachment of the answer, and no gateway takes those off Dubbo frames: a
     * provider without the SDK can write the same, as docs/reference/wire-contract.md states.
     */
    private static boolean isForgedRefusal(Protocol protocol, String island, String ending, String text) {
        return protocol == Protocol.DUBBO
                && island.equals(Interop.ADVISED)
                && ending.equals("rpc-" + RpcException.FORBIDDEN_EXCEPTION)
                && text.startsWith(island + ";");
    }

    private static String ofRawPeer(Bench bench, Protocol protocol) throws Exception {
        List<String> wrong = new ArrayList<>();
        int rows = 0;
        try (Client client = bench.newClient(protocol, "raw", Bench.withoutBreaker(Islands.RAW))) {
            Expect.passes("calls that pass", bench, client, Islands.RAW, NOTICED_MILLIS);
            for (String text : texts(Islands.RAW)) {
                for (Reply reply : Reply.values()) {
                    String id = bench.newId("raw");
                    rows++;
                    check(
                            wrong,
                            reply + ", \"" + text + "\"",
                            () -> client.to(Islands.RAW, () -> {
                                RpcContext.getClientAttachment().setAttachment(RawPeer.REPLY, reply.name());
                                RpcContext.getClientAttachment().setAttachment(RawPeer.ID, id);
                                RpcContext.getClientAttachment().setAttachment(RawPeer.TEXT, text);
                                return client.desk().answer(id, "x");
                            }),
                            () -> bench.islands().raw().executions(id));
                }
            }
        }
        return verdict(rows, wrong);
    }

    /** The call runs once, and nothing states that it has not run. */
    private static void check(List<String> wrong, String row, Callable<?> call, Callable<Integer> executions)
            throws Exception {
        String came;
        boolean believed = false;
        try {
            came = "the answer " + Expect.shown(call.call());
        } catch (Exception e) {
            Throwable failure = Expect.unwrapped(e);
            believed = failure instanceof HighwayException refusal && !refusal.mayHaveRun();
            came = Expect.shown(failure);
        }
        int times = executions.call();
        if (times != 1 || believed) {
            wrong.add(row + ": ran " + times + " times; " + came);
        }
    }

    private static String verdict(int rows, List<String> wrong) {
        Expect.holds(
                wrong.isEmpty(),
                "each of " + rows + " calls to run once, and none to be said not to have been sent",
                wrong.size() + " that did not: " + wrong.stream().limit(SHOWN).collect(Collectors.joining(" | ")));
        return rows + " claims, none believed, each call ran once";
    }
}
