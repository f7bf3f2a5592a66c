// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.highway.sdk.Highway;
import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.Reason;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Errors byte by byte as Envoy 1.40's {@code dubbo_proxy} wrote them on a socket. */
@Tag("network")
class EnvoyAnswersTest {

    private static Star star;

    @BeforeAll
    static void start() {
        star = new Star();
    }

    @AfterAll
    static void end() {
        star.close();
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            value = {
                "60, dubbo router: no route for interface 'io.highway.X', NOT_FORWARDED, false",
                "80, dubbo router: no healthy upstream for 'dubbo-providers', NOT_FORWARDED, false",
                "80, dubbo upstream request: remote connection failure '127.0.0.1:21882', GATEWAY_ERROR, true",
            })
    void readsTheWords_andWhatTheyProve(byte status, String words, Reason reason, boolean mayHaveRun)
            throws IOException {
        try (ServerSocket envoy = new ServerSocket(0, 5, InetAddress.getByName("gateway.zhejiang.test"))) {
            new Thread(() -> answerEveryCall(envoy, status, words), "envoy").start();
            Shop shop = Highway.to("shanghai")
                    .bind(
                            Shop.class,
                            star.shop(
                                    Tunnel.DUBBO,
                                    "highway.gateways.dubbo",
                                    "gateway.zhejiang.test:" + envoy.getLocalPort(),
                                    "highway.heartbeat.interval",
                                    "none"));

            HighwayException failure = catchThrowableOfType(HighwayException.class, () -> shop.sell("tea"));

            assertThat(failure).hasMessageContaining(words);
            assertThat(failure.reason()).isEqualTo(reason);
            assertThat(failure.mayHaveRun()).isEqualTo(mayHaveRun);
        }
    }

    private static void answerEveryCall(ServerSocket envoy, byte status, String words) {
        while (!envoy.isClosed()) {
            try (Socket client = envoy.accept();
                    DataInputStream in = new DataInputStream(client.getInputStream());
                    DataOutputStream out = new DataOutputStream(client.getOutputStream())) {
                while (true) {
                    in.readShort(); // magic
                    int kind = in.readByte() & 0x60;
                    in.readByte();
                    long id = in.readLong();
                    in.skipNBytes(in.readInt());
                    if (kind == 0x40) { // wants an answer and is no event
                        answer(out, id, status, words);
                    } else if (kind == 0x60) {
                        RawDubboGateway.answerHeartbeat(out, id);
                    }
                }
            } catch (IOException e) {
                // a probe of the port, or the end
            }
        }
    }

    private static void answer(DataOutputStream out, long id, byte status, String words) throws IOException {
        byte[] text = words.getBytes(StandardCharsets.US_ASCII);
        out.writeShort(0xdabb);
        out.writeByte(2); // a response in hessian2
        out.writeByte(status);
        out.writeLong(id);
        out.writeInt(text.length + 3);
        out.writeByte(0x90); // zero, which only Envoy writes here
        out.writeByte(0x30 + (text.length >> 8)); // a string of up to 1023 characters
        out.writeByte(text.length);
        out.write(text);
        out.flush();
    }
}
