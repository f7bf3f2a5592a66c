// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.conformance.cases;

import io.highway.tools.conformance.bench.Bench;
import io.highway.tools.conformance.bench.Islands;
import io.highway.tools.conformance.service.Desk;
import io.highway.tools.fixtures.http.MalformedRequests;
import io.highway.tools.gateways.Island;
import io.highway.tools.gateways.Protocol;
import io.highway.tools.processes.DubboCaller;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.dubbo.rpc.RpcContext;
import org.apache.dubbo.rpc.RpcException;

/** Programs that write the route headers themselves. */
final class WithoutSdk {

    private static final String FROM = Bench.HOME + "/orders/1";
    private static final int PATIENCE_MILLIS = 10_000;

    /** A call of {@link Desk#answer} by the application orders; returns the answer, or the error, as text. */
    private interface Caller {
        String call(Protocol protocol, String entrance, String island, String from, String id) throws IOException;
    }

    private WithoutSdk() {}

    static List<Case> cases() {
        return List.of(Case.all("caller without the SDK", WithoutSdk::run));
    }

    private static String run(Bench bench, Protocol protocol) throws IOException {
        if (protocol != Protocol.TRIPLE) {
            check(bench, protocol, WithoutSdk::byHand);
        }
        if (protocol != Protocol.HTTP) {
            check(bench, protocol, WithoutSdk::byDubbo);
        }
        return "answered where it asked for; an unknown island and too many hops refused, not run";
    }

    private static void check(Bench bench, Protocol protocol, Caller caller) throws IOException {
        for (String island : Islands.among(protocol, "shanghai", "beijing", Interop.ADVISED)) {
            String id = bench.newId("without");
            String answer = caller.call(protocol, bench.entrance(protocol, island), island, FROM, id);
            Expect.holds(answer.contains(island + " hello"), "the answer of " + island, Expect.shown(answer));
            Expect.same(
                    "executions in " + island, 1, bench.islands().ledger(island).executions(id));
            Expect.same("executions everywhere", 1, bench.islands().executions(id));
        }
        requireRefused(bench, protocol, caller, Islands.UNKNOWN, FROM, "");
        requireRefused(bench, protocol, caller, "shanghai", Bench.HOME + "/orders/9999", "too-many-hops");
    }

    private static void requireRefused(
            Bench bench, Protocol protocol, Caller caller, String island, String from, String word) throws IOException {
        String id = bench.newId("without");
        String refusal = caller.call(protocol, bench.entrance(protocol, "shanghai"), island, from, id);
        Expect.holds(refusal.contains(word) && !refusal.contains(" hello"), "a refusal", Expect.shown(refusal));
        Expect.same("executions", 0, bench.islands().executions(id));
    }

    private static String byHand(Protocol protocol, String entrance, String island, String from, String id)
            throws IOException {
        MalformedRequests.Call call = Malformed.call(island, from, id);
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), Island.port(entrance))) {
            socket.setSoTimeout(PATIENCE_MILLIS);
            DataInputStream in = new DataInputStream(socket.getInputStream());
            byte[] answer;
            if (protocol == Protocol.HTTP) {
                String head = call.head() + "connection: close\r\n"; // so that the answer ends with it
                socket.getOutputStream().write(new MalformedRequests.Call(head, call.frame()).bytes());
                answer = in.readAllBytes();
            } else {
                socket.getOutputStream().write(call.frame());
                in.skipNBytes(12); // what is in front of the length
                answer = in.readNBytes(in.readInt());
            }
            return new String(answer, StandardCharsets.ISO_8859_1);
        }
    }

    private static String byDubbo(Protocol protocol, String entrance, String island, String from, String id) {
        String scheme = protocol == Protocol.DUBBO ? "dubbo://" : "tri://";
        try (DubboCaller plain = DubboCaller.withoutSdk("orders")) {
            Desk desk = plain.refer(Desk.class, scheme + entrance);
            RpcContext.getClientAttachment().setAttachment("highway-island", island);
            RpcContext.getClientAttachment().setAttachment("highway-from", from);
            return desk.answer(id, "hello");
        } catch (RpcException e) {
            if (e.isTimeout()) {
                throw e;
            }
            return String.valueOf(e.getMessage());
        }
    }
}
