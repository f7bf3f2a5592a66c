// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.highway.sdk.Highway;
import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.TunnelKind;
import io.highway.tools.fixtures.certificates.Authority;
import io.highway.tools.fixtures.certificates.Identity;
import io.highway.tools.fixtures.logs.CapturedLog;
import io.highway.tools.fixtures.ports.FreePorts;
import io.highway.tools.gateway.Gateway;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Addresses that accept connections, or do not, and are no gateway of that protocol: calls are not sent, and the message says why. */
@Tag("network")
class UselessGatewaysTest {

    private static final String HOST = "gateway.zhejiang.test";

    private static Star star;

    private final Queue<Socket> accepted = new ConcurrentLinkedQueue<>();
    private final Queue<ServerSocket> listeners = new ConcurrentLinkedQueue<>();

    /** What a server does with a connection. */
    private enum Answer {
        NOTHING(""),
        END(""),
        HTTP_1("HTTP/1.1 400 Bad Request\r\n\r\n"),
        TLS_ALERT("\25\3\3\0\2\2\12"),
        HTTP_2("\0\0\0\4\0\0\0\0\0"),
        /** The settings of HTTP/2, and then the end. */
        HTTP_2_END("\0\0\0\4\0\0\0\0\0"),
        /** The beginning of an answer to a heartbeat. */
        DUBBO("\332\273\42\24"),
        /** The whole of it, and then the end: Hessian's null. */
        DUBBO_END("\332\273\42\24\0\0\0\0\0\0\0\1\0\0\0\1N"),
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
        for (ServerSocket listener : listeners) {
            listener.close();
        }
        for (Socket socket : accepted) {
            socket.close();
        }
    }

    private int listen(Answer answer) throws IOException {
        return listen(answer, 0, new AtomicInteger());
    }

    private int listen(Answer answer, int port, AtomicInteger accepts) throws IOException {
        ServerSocket listener = new ServerSocket(port, 50, InetAddress.getByName(HOST));
        listeners.add(listener);
        Sockets.inBackground(() -> {
            while (true) {
                Socket socket = listener.accept();
                accepts.incrementAndGet();
                accepted.add(socket);
                OutputStream out = socket.getOutputStream();
                out.write(answer.bytes);
                out.flush();
                if (answer.name().endsWith("END")) {
                    socket.close();
                }
            }
        });
        return listener.getLocalPort();
    }

    private static Shop shop(Tunnel tunnel, String address) {
        Shop shop = star.shop(
                tunnel,
                "highway.gateways." + tunnel.key(),
                address,
                "highway.gateways.connect-timeout",
                "500ms",
                "highway.heartbeat.interval",
                "none");
        return Highway.to("shanghai").bind(Shop.class, shop);
    }

    /** The time of the call is over before that for connecting. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "DUBBO | has not answered a Dubbo heartbeat",
                "TRIPLE | has not answered with HTTP/2 settings",
                "HTTP | has not answered"
            })
    void tellsItsFirstCall_whatTheGatewayHasNotAnswered(TunnelKind tunnel, String words) throws IOException {
        Shop shop = star.shop(
                tunnel,
                "highway.gateways." + tunnel.word(),
                HOST + ":" + listen(Answer.NOTHING),
                "highway.islands.shanghai.timeout",
                "500ms");

        HighwayException failure = catchThrowableOfType(
                HighwayException.class, () -> Highway.to("shanghai").call(() -> shop.sell("tea")));

        assertThat(failure.reason()).isEqualTo(Reason.NO_TIME_LEFT);
        assertThat(failure.getMessage())
                .contains(words, "Look at the gateway")
                .doesNotContain("Compare the service's time");
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
                "DUBBO | NOTHING | has not answered a Dubbo heartbeat within 500 ms",
                "DUBBO | END | closed the connection without an answer: it expects TLS (highway.gateways.tls.*)",
                "DUBBO | HTTP_1 | answers in HTTP/1, not in the Dubbo protocol",
                "DUBBO | TLS_ALERT | expects TLS; set highway.gateways.tls.trust-certificates",
                "DUBBO | HTTP_2 | speaks HTTP/2 there, not the Dubbo protocol; look at highway.gateways.dubbo",
                "DUBBO | DUBBO | the gateway's first answer is incomplete",
                "DUBBO | ANYTHING | does not speak the Dubbo protocol: its answer begins with \"220 \"",
                "TRIPLE | NOTHING | has not answered with HTTP/2 settings within 500 ms",
                "TRIPLE | END | closed the connection without an answer: it expects TLS (highway.gateways.tls.*)",
                "TRIPLE | HTTP_1 | answers in HTTP/1, not in HTTP/2",
                "TRIPLE | TLS_ALERT | expects TLS; set highway.gateways.tls.trust-certificates",
                "TRIPLE | ANYTHING | does not speak HTTP/2: its answer begins with \"220 \""
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

    /** One of the two closes each connection; the balancer lets them take turns. */
    @ParameterizedTest
    @CsvSource({"DUBBO,0", "DUBBO,1", "TRIPLE,0", "TRIPLE,1"})
    void isReached_behindABalancerWithAGatewayThatIsBroken(Tunnel tunnel, int good) throws IOException {
        ServerSocket balancer = new ServerSocket(0, 50, InetAddress.getByName(HOST));
        listeners.add(balancer);
        AtomicInteger accepts = new AtomicInteger();
        Sockets.inBackground(() -> {
            while (true) {
                Socket socket = balancer.accept();
                accepted.add(socket);
                if (accepts.getAndIncrement() % 2 == good) {
                    Socket onward = new Socket(HOST, star.gateway().port());
                    accepted.add(onward);
                    Sockets.relay(socket, onward);
                } else {
                    socket.close();
                }
            }
        });

        Shop shop = star.shop(tunnel, "highway.gateways." + tunnel.key(), HOST + ":" + balancer.getLocalPort());

        assertThat(Highway.to("shanghai").call(() -> shop.sell("tea"))).isEqualTo("shanghai:tea"); // the first call
        assertThat(accepts.get()).isLessThanOrEqualTo(3);
    }

    /** The one that is in use ends with all its connections; a new one reaches the other one. */
    @ParameterizedTest
    @EnumSource(Tunnel.class)
    void isReached_behindABalancerWhoseGatewayWasKilled(Tunnel tunnel) throws IOException {
        ServerSocket balancer = new ServerSocket(0, 50, InetAddress.getByName(HOST));
        listeners.add(balancer);
        AtomicInteger accepts = new AtomicInteger();
        AtomicBoolean isKilled = new AtomicBoolean();
        Queue<Socket> killed = new ConcurrentLinkedQueue<>();
        Sockets.inBackground(() -> {
            while (true) {
                Socket socket = balancer.accept();
                accepted.add(socket);
                boolean isFirst = accepts.getAndIncrement() % 2 == 0; // they take turns
                if (isFirst && isKilled.get()) {
                    socket.close();
                    continue;
                }
                Socket onward = new Socket(HOST, star.gateway().port());
                accepted.add(onward);
                if (isFirst) {
                    killed.add(socket);
                }
                Sockets.relay(socket, onward);
            }
        });
        Shop shop = Highway.to("shanghai")
                .bind(
                        Shop.class,
                        star.shop(
                                tunnel,
                                "highway.gateways." + tunnel.key(),
                                HOST + ":" + balancer.getLocalPort(),
                                "highway.heartbeat.interval",
                                "none"));
        assertThat(shop.sell("tea")).isEqualTo("shanghai:tea");
        accepts.set(0); // so that the next one is refused
        isKilled.set(true);

        for (Socket socket : killed) {
            socket.close();
        }

        await().ignoreExceptions().until(() -> shop.sell("tea").equals("shanghai:tea"));
        assertThat(accepts.get()).isLessThanOrEqualTo(2);
    }

    /** Closed, or useless in one of these ways; once more with TLS keys. All at the same time, and nobody calls. */
    @ParameterizedTest
    @EnumSource(Tunnel.class)
    void pausesBetweenAttempts_andLogsEachStateOnce(Tunnel tunnel, @TempDir Path folder) throws IOException {
        Map<String, AtomicInteger> accepts = new LinkedHashMap<>();
        Map<String, String> addresses = new LinkedHashMap<>();
        for (boolean tls : new boolean[] {false, true}) {
            String suffix = tls ? " TLS" : "";
            addresses.put("CLOSED" + suffix, HOST + ":" + FreePorts.next());
            for (Answer answer : Answer.values()) {
                boolean fits = answer == Answer.HTTP_2 && tunnel == Tunnel.TRIPLE; // a gateway that answers no call
                if (!fits || tls) {
                    AtomicInteger count = new AtomicInteger();
                    accepts.put(answer + suffix, count);
                    addresses.put(answer + suffix, HOST + ":" + listen(answer, 0, count));
                }
            }
        }
        Authority authority = new Authority("authority", folder);
        Identity ended = authority.identity(Duration.ofDays(-1), "ended", HOST);
        Identity strange = new Authority("stranger", folder).identity("strange", HOST);
        List<Gateway> gateways = Stream.of(ended, strange)
                .map(shown -> star.anotherGateway(
                        0, config -> config.tls(shown.certificate(), shown.privateKey(), authority.certificate())))
                .toList();
        addresses.put("ENDED TLS", HOST + ":" + gateways.get(0).port());
        addresses.put("STRANGE TLS", HOST + ":" + gateways.get(1).port());
        addresses.forEach((name, address) -> star.shop(
                tunnel,
                "highway.gateways." + tunnel.key(),
                address,
                "highway.heartbeat.interval",
                "none",
                name.endsWith("TLS") ? "highway.gateways.tls.trust-certificates" : "highway.max-hops",
                name.endsWith("TLS") ? authority.certificate().toString() : "3"));
        accepts.values().forEach(count -> count.set(0));

        try (CapturedLog log = new CapturedLog()) {
            await().pollDelay(Duration.ofSeconds(6)).until(() -> true);

            System.out.println(tunnel + ": accepts in 6 s " + accepts + ", lines in 6 s "
                    + log.ofSdk().size());
            assertThat(accepts)
                    .allSatisfy((name, count) -> assertThat(count.get()).isLessThanOrEqualTo(8));
            assertThat(log.ofSdk()).hasSizeLessThanOrEqualTo(addresses.size());
        } finally {
            gateways.forEach(Gateway::closeNow);
        }
    }

    /** Its first GOAWAY names no last stream, as that of a graceful end does. */
    @Test
    void pausesBetweenConnections_thatAGatewayDrainsAtOnce() {
        try (RawTriplePeer peer = new RawTriplePeer(HOST)) {
            peer.drainsAtOnce = true;
            Shop unused = shop(Tunnel.TRIPLE, HOST + ":" + peer.port());
            await().until(() -> peer.accepted.get() > 0);

            await().pollDelay(Duration.ofSeconds(4)).until(() -> true);

            assertThat(peer.accepted).hasValueLessThanOrEqualTo(8);
        }
    }

    @ParameterizedTest
    @EnumSource(Tunnel.class)
    void logsTheNewestCause_whenItListensAgain_andIsStillUseless(Tunnel tunnel) throws IOException {
        int port = FreePorts.next();
        try (CapturedLog log = new CapturedLog()) {
            Shop shop = shop(tunnel, HOST + ":" + port);
            assertFailsWith(shop, "Connection refused");

            listen(Answer.END, port, new AtomicInteger());

            await().until(() -> log.ofSdk(port + " is down (the gateway closed the connection")
                            .size()
                    == 1);
            assertThat(log.ofSdk(port + " is down (Connection refused")).hasSize(1);
        }
    }

    @Test
    void leavesNoConnectionOpen_whoseFirstAnswerIsIncomplete() throws IOException {
        AtomicInteger accepts = new AtomicInteger();
        Shop unused = shop(Tunnel.DUBBO, HOST + ":" + listen(Answer.DUBBO, 0, accepts));

        await().until(() -> accepts.get() >= 2);
        Socket first = accepted.element();
        first.setSoTimeout(10_000);

        first.getInputStream().transferTo(OutputStream.nullOutputStream()); // its end, or a SocketTimeoutException
    }

    @ParameterizedTest
    @EnumSource(Tunnel.class)
    void reportsAnUnknownName(Tunnel tunnel) {
        assertFailsWith(shop(tunnel, "no-such-gateway.test:1"), "unknown host \"no-such-gateway.test\"");
    }
}
