// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.highway.sdk.Highway;
import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.Reason;
import io.highway.testsupport.ports.FreePorts;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Addresses that accept connections, or do not, and are no gateway of that protocol: calls are not sent, and the message says why. */
@Tag("network")
@Tag("any-dubbo")
class UselessGatewaysTest {

    private static final String HOST = "gateway.zhejiang.test";

    private static Star star;

    private final Queue<Socket> accepted = new ConcurrentLinkedQueue<>();
    private ServerSocket listener;

    /** What a server does with a connection. */
    private enum Answer {
        NOTHING(""),
        END(""),
        HTTP_1("HTTP/1.1 400 Bad Request\r\n\r\n"),
        TLS_ALERT("\25\3\3\0\2\2\12"),
        HTTP_2("\0\0\0\4\0\0\0\0\0"),
        ANYTHING("220 smtp ready");

        final byte[] bytes;

        Answer(String text) {
            this.bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        }
    }

    @BeforeAll
    static void start() {
        star = new Star();
    }

    @AfterAll
    static void stop() {
        star.close();
    }

    @AfterEach
    void close() throws IOException {
        if (listener != null) {
            listener.close();
        }
        for (Socket socket : accepted) {
            socket.close();
        }
    }

    private int listen(Answer answer) throws IOException {
        listener = new ServerSocket(0, 50, InetAddress.getByName(HOST));
        Thread server = new Thread(
                () -> {
                    try {
                        while (true) {
                            Socket socket = listener.accept();
                            accepted.add(socket);
                            OutputStream out = socket.getOutputStream();
                            out.write(answer.bytes);
                            out.flush();
                            if (answer == Answer.END) {
                                socket.close();
                            }
                        }
                    } catch (IOException e) {
                        Thread.currentThread().interrupt(); // closed
                    }
                },
                "useless-gateway");
        server.setDaemon(true);
        server.start();
        return listener.getLocalPort();
    }

    private static Shop shop(Tunnel tunnel, String address) {
        Shop shop =
                star.shop(tunnel, "highway.gateways." + tunnel.key(), address, "highway.heartbeat.interval", "none");
        return Highway.to("shanghai").bind(Shop.class, shop);
    }

    /** Also at the first call, and never as maybe executed. */
    private static void assertFailsWith(Shop shop, String... words) {
        await().untilAsserted(() -> {
            HighwayException failure = catchThrowableOfType(HighwayException.class, () -> shop.sell("tea"));
            assertThat(failure.reason()).isEqualTo(Reason.GATEWAY_DOWN);
            assertThat(failure.mayHaveRun()).isFalse();
            assertThat(failure.getMessage()).contains(words);
        });
        for (int i = 0; i < 12; i++) {
            assertThat(catchThrowableOfType(HighwayException.class, () -> shop.sell("tea"))
                            .mayHaveRun())
                    .isFalse();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "DUBBO | NOTHING | has not answered a Dubbo heartbeat within 1000 ms",
                "DUBBO | END | closed the connection without an answer: it expects TLS (highway.gateways.tls.*)",
                "DUBBO | HTTP_1 | answers in HTTP/1, not in the Dubbo protocol",
                "DUBBO | TLS_ALERT | expects TLS; set highway.gateways.tls.trust-certificates",
                "DUBBO | HTTP_2 | speaks HTTP/2 there, not the Dubbo protocol; look at highway.gateways.dubbo",
                "DUBBO | ANYTHING | does not speak the Dubbo protocol: its answer begins with 32 32 30 20",
                "TRIPLE | NOTHING | has not answered with HTTP/2 settings within 1000 ms",
                "TRIPLE | END | closed the connection without an answer: it expects TLS (highway.gateways.tls.*)",
                "TRIPLE | HTTP_1 | answers in HTTP/1, not in HTTP/2",
                "TRIPLE | TLS_ALERT | expects TLS; set highway.gateways.tls.trust-certificates",
                "TRIPLE | ANYTHING | does not speak HTTP/2: its answer begins with 32 32 30 20"
            })
    void isDown_whatSpeaksAnotherProtocol(Tunnel tunnel, Answer answer, String words) throws IOException {
        Shop shop = shop(tunnel, HOST + ":" + listen(answer));

        assertFailsWith(shop, words);
    }

    @ParameterizedTest
    @EnumSource(Tunnel.class)
    void isDown_whatAnswersInTheClear_whereTlsIsConfigured(Tunnel tunnel) throws IOException {
        String address = HOST + ":" + listen(Answer.HTTP_1);
        Shop shop = Highway.to("shanghai")
                .bind(
                        Shop.class,
                        star.shop(
                                tunnel,
                                "highway.gateways." + tunnel.key(),
                                address,
                                "highway.gateways.tls.verify-host",
                                "false",
                                "highway.heartbeat.interval",
                                "none"));

        assertFailsWith(shop, "TLS: the gateway answers in plaintext", "highway.gateways.tls.*");
    }

    @ParameterizedTest
    @EnumSource(Tunnel.class)
    void namesTheAddressThatWasDialled_whenItIsRefused(Tunnel tunnel) {
        int port = FreePorts.next();

        assertFailsWith(shop(tunnel, HOST + ":" + port), "Connection refused (127.0.0.1 port " + port + ")");
    }

    @ParameterizedTest
    @EnumSource(Tunnel.class)
    void reportsAnUnknownName(Tunnel tunnel) {
        assertFailsWith(shop(tunnel, "no-such-gateway.test:1"), "unknown host \"no-such-gateway.test\"");
    }
}
