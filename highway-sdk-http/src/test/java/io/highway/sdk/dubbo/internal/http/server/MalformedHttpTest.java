// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.http.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.highway.sdk.dubbo.internal.memory.MemoryBudget;
import io.highway.tools.fixtures.http.MalformedRequests;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What Netty's decoder lets pass, and the server must not, however the bytes of it are divided. */
@Tag("any-dubbo")
class MalformedHttpTest {

    private static final String HEAD = "POST /highway/shanghai/a.B/c HTTP/1.1\r\nhost: shanghai.test\r\n"
            + "content-type: application/x-dubbo\r\nhighway-island: shanghai\r\nhighway-from: zhejiang/orders/1\r\n"
            + "highway-call-id: 5f0c9b7d2e8a41639d04c7b1e6a2f835\r\n";

    private static final Map<String, byte[]> SHARED =
            MalformedRequests.of(name -> new MalformedRequests.Call(HEAD, frame()));

    private static final String CHUNKED = HEAD + "transfer-encoding: chunked\r\n\r\n";

    private static final FrameworkModel framework = new FrameworkModel();
    private static final URL url = URL.valueOf("dubbo://127.0.0.1:1/none")
            .setScopeModel(framework.newApplication().getDefaultModule());
    private final EmbeddedChannel connection = new EmbeddedChannel(new HttpRequestHandler(new CallDispatcher(url)));

    /** A call that would be served: of no arguments, with a body that cannot be read. */
    private static byte[] frame() {
        byte[] frame = new byte[16 + 300];
        frame[0] = (byte) 0xda;
        frame[1] = (byte) 0xbb;
        frame[2] = (byte) 0xc2;
        frame[14] = 300 >> 8;
        frame[15] = (byte) 300;
        return frame;
    }

    @AfterEach
    void close() {
        connection.finishAndReleaseAll();
    }

    @AfterAll
    static void end() {
        framework.destroy();
    }

    private String answers() {
        StringBuilder answers = new StringBuilder();
        for (ByteBuf part; (part = connection.readOutbound()) != null; part.release()) {
            answers.append(part.toString(US_ASCII));
        }
        return answers.toString();
    }

    private void assertRefused(byte[] request, int pieces) {
        for (int at = 0; at < request.length; at += pieces) {
            connection.writeInbound(Unpooled.copiedBuffer(request, at, Math.min(pieces, request.length - at)));
        }
        String answers = answers();

        assertThat(answers).matches("(?s)HTTP/1.1 (400|404|413) .*");
        assertThat(answers.lines().filter(line -> line.startsWith("HTTP/1.1 "))).hasSize(1);
        assertThat(connection.config().isAutoRead()).isTrue();
        assertThat(MemoryBudget.of(framework).bytes()).isZero();
    }

    static Stream<String> shared() {
        return SHARED.keySet().stream();
    }

    @ParameterizedTest
    @MethodSource("shared")
    void isRefused_byteByByte(String name) {
        assertRefused(SHARED.get(name), 1);
    }

    @ParameterizedTest
    @MethodSource("shared")
    void isRefused_atOnce(String name) {
        assertRefused(SHARED.get(name), Integer.MAX_VALUE);
    }

    static Stream<String> others() {
        return Stream.of(
                "\u0001GET /highway HTTP/1.1\r\nhost: h\r\n\r\n",
                "GET /highway HTTP/1.1\r\nhost: h\r\ntransfer-encoding: identity\r\n\r\n",
                "GET /highway HTTP/1.1\r\nhost: h\r\nSec-WebSocket-Key1: a\r\nSec-WebSocket-Key2: b\r\n\r\n",
                "GET /highway HTTP/1.0\r\ncontent-length: 0\r\ncontent-length: 5\r\n\r\n",
                "GET /highway HTTP/1.0\r\ncontent-length: 0, 5\r\n\r\n",
                "GET /highway HTTP/1.0\r\ntransfer-encoding: chunked\r\ncontent-length: 0\r\n\r\n0\r\n\r\n",
                "GET /highway HTTP/1.1\r\nhost: h\r\ncontent-length: 0\r\n content-length: 5\r\n\r\n",
                "GET\u000b/highway HTTP/1.1\r\nhost: h\r\n\r\n",
                CHUNKED + "1\r\nxjunk\r\n0\r\n\r\n",
                CHUNKED + "1\r\nx\n0\r\n\r\n",
                CHUNKED + "1\r\nx\r\n0\r\n\n",
                CHUNKED + "1\r\nx\r\n0\n\r\n",
                CHUNKED + "1\r\nx\r\n\r\n0\r\n\r\n",
                CHUNKED + "1\u000b\r\nx\r\n0\r\n\r\n",
                CHUNKED + "0\r\n0\r\n\r\n");
    }

    @ParameterizedTest
    @MethodSource("others")
    void isRefused_whereNettyWouldReadOn(String request) {
        assertRefused(request.getBytes(ISO_8859_1), 1);
    }

    @ParameterizedTest
    @MethodSource("others")
    void isRefused_whereNettyWouldReadOn_atOnce(String request) {
        assertRefused(request.getBytes(ISO_8859_1), Integer.MAX_VALUE);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 100, 1_000_000})
    void isNotWhatWellFormedRequestsAre(int pieces) {
        String health = "HEAD /highway HTTP/1.1\r\nHost:h\r\nx: \t\u00e9 \t\r\nContent-Length: 000\r\n\r\n";
        byte[] requests = (health + health + CHUNKED + "a\r\n0123456789\r\n00\r\n\r\n").getBytes(ISO_8859_1);
        for (int at = 0; at < requests.length; at += pieces) {
            connection.writeInbound(Unpooled.copiedBuffer(requests, at, Math.min(pieces, requests.length - at)));
        }

        assertThat(answers())
                .matches("(?s)(HTTP/1.1 204 No Content\r\n\r\n){2}HTTP/1.1 400 .*not exactly one Dubbo frame.*");
    }

    @Test
    void readsNothing_afterItsRefusal() {
        connection.writeInbound(Unpooled.copiedBuffer("x\r\n\r\nGET /highway HTTP/1.1\r\nhost: h\r\n\r\n", US_ASCII));
        connection.writeInbound(Unpooled.copiedBuffer("GET /highway HTTP/1.1\r\nhost: h\r\n\r\n", US_ASCII));

        assertThat(answers()).containsOnlyOnce("HTTP/1.1 ").startsWith("HTTP/1.1 400 ");
    }
}
