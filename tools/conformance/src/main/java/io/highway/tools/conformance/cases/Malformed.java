// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.conformance.cases;

import com.alibaba.com.caucho.hessian.io.Hessian2Output;
import io.highway.sdk.dubbo.HighwayException;
import io.highway.tools.conformance.bench.Bench;
import io.highway.tools.conformance.service.Desk;
import io.highway.tools.fixtures.http.MalformedRequests;
import io.highway.tools.gateways.Island;
import io.highway.tools.gateways.Protocol;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Whether a malformed request can run, or reach another caller, behind a gateway that reads it in another way. */
final class Malformed {

    private static final String ISLAND = "shanghai";
    private static final String FROM = Bench.HOME + "/orders/1";
    private static final String STRING = "Ljava/lang/String;";

    /** Some gateways wait for the rest of a request. */
    private static final int PATIENCE_MILLIS = 250;

    /** Calls after each, of which one follows on the same connection to the provider. */
    private static final int OTHERS = 3;

    private static final String OTHER = "for another ";

    private Malformed() {}

    static List<Case> cases() {
        return List.of(Case.http("malformed requests", Malformed::run));
    }

    private static String run(Bench bench, Protocol protocol) throws Exception {
        String prefix = bench.newId("malformed") + "-";
        Map<String, String> ids = new LinkedHashMap<>();
        Map<String, byte[]> requests = MalformedRequests.of(name -> {
            String id = prefix + ids.size() + ".";
            ids.put(name, id);
            return call(ISLAND, FROM, id);
        });
        List<String> wrong = new ArrayList<>();
        for (Map.Entry<String, byte[]> request : requests.entrySet()) {
            try {
                if (send(bench, protocol, request.getValue()).contains(OTHER)) {
                    wrong.add(request.getKey() + " got the answer of another call");
                }
            } catch (HighwayException | Unmet e) {
                wrong.add("after " + request.getKey() + " another call failed: " + e.getMessage());
                break;
            }
        }
        Expect.holds(wrong.isEmpty(), "no trace of them at others", String.join(", ", wrong));
        String wellFormed = prefix + "well-formed";
        send(bench, protocol, call(ISLAND, FROM, wellFormed).bytes());

        Map<String, Integer> executions = bench.islands().ledger(ISLAND).executionsOf(prefix);
        Expect.same("a well-formed call to run", 1, executions.get(wellFormed));
        List<String> mended = new ArrayList<>();
        ids.forEach((name, id) -> {
            int count = executions.getOrDefault(id, 0);
            if (count == 1 && MalformedRequests.MENDABLE.contains(name)) {
                mended.add(name);
            } else if (count > 0) {
                wrong.add(name + " ran, " + count + " times");
            }
        });
        Expect.holds(wrong.isEmpty(), "nothing of them to run", String.join(", ", wrong));
        return requests.size() + " requests, of which the gateway made a well-formed one of " + mended;
    }

    /** Returns what came back until calls of others, which must get their own answers, have been made. */
    private static String send(Bench bench, Protocol protocol, byte[] request) throws Exception {
        int port = Island.port(bench.entrance(protocol, ISLAND));
        ByteArrayOutputStream answer = new ByteArrayOutputStream();
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(PATIENCE_MILLIS);
            write(socket, request);
            read(socket, answer);
            for (int other = 0; other < OTHERS; other++) {
                String id = bench.newId("other");
                Expect.answer(bench.client(protocol), ISLAND, id, OTHER + id);
            }
            socket.setSoTimeout(1);
            read(socket, answer);
        }
        return answer.toString(StandardCharsets.ISO_8859_1);
    }

    private static void write(Socket socket, byte[] request) {
        try {
            socket.getOutputStream().write(request);
        } catch (IOException e) {
            // refused before its end
        }
    }

    private static void read(Socket socket, ByteArrayOutputStream answer) {
        byte[] buffer = new byte[8192];
        try {
            for (int read = socket.getInputStream().read(buffer);
                    read > 0;
                    read = socket.getInputStream().read(buffer)) {
                answer.write(buffer, 0, read);
            }
        } catch (SocketTimeoutException e) {
            // the connection is kept
        } catch (IOException e) {
            // reset
        }
    }

    /** A call of {@link Desk#answer} by the application orders, with the route headers that a program writes itself. */
    static MalformedRequests.Call call(String island, String from, String id) {
        String service = Desk.class.getName();
        String callId = UUID.randomUUID().toString().replace("-", "");
        String head = "POST /highway/" + island + "/" + service + "/answer HTTP/1.1\r\nhost: shanghai.test\r\n"
                + "content-type: application/x-dubbo\r\nhighway-call-id: " + callId + "\r\nhighway-island: " + island
                + "\r\nhighway-from: " + from + "\r\n";
        Map<String, Object> attachments = new HashMap<>(Map.of(
                "path", service,
                "interface", service,
                "remote.application", "orders",
                "highway-island", island,
                "highway-from", from));
        try {
            ByteArrayOutputStream data = new ByteArrayOutputStream();
            Hessian2Output out = new Hessian2Output(data);
            for (String text : List.of("2.0.2", service, "0.0.0", "answer", STRING + STRING, id, "hello")) {
                out.writeString(text);
            }
            out.writeObject(attachments);
            out.flush();
            ByteBuf frame = Unpooled.buffer()
                    .writeInt(0xdabbc200) // a request in hessian2 that expects an answer
                    .writeLong(1)
                    .writeInt(data.size())
                    .writeBytes(data.toByteArray());
            return new MalformedRequests.Call(head, ByteBufUtil.getBytes(frame));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
