// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.highway.sdk.Highway;
import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.route.Reason;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.dubbo.common.constants.CommonConstants;
import org.apache.dubbo.rpc.RpcContext;
import org.apache.dubbo.rpc.TimeoutCountDown;
import org.apache.dubbo.rpc.service.GenericService;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Calls that this process did not write, and answers of a peer that speak as this process does of them. */
class NotWrittenTest {

    private static final Map<Tunnel, Shop> SHOPS = new EnumMap<>(Tunnel.class);
    private static final Map<Tunnel, GenericService> GENERIC = new EnumMap<>(Tunnel.class);
    private static Star star;

    @BeforeAll
    static void start() {
        star = new Star();
        for (Tunnel tunnel : Tunnel.values()) {
            TestApplication consumer = star.consumer(star.properties(tunnel, "highway.heartbeat.interval", "none"));
            SHOPS.put(
                    tunnel,
                    consumer.reference(Shop.class, config -> config.setUrl("dubbo://" + star.homeDubbo))
                            .get());
            GENERIC.put(
                    tunnel,
                    consumer.reference(GenericService.class, config -> {
                                config.setUrl("dubbo://" + star.homeDubbo);
                                config.setInterface(Shop.class.getName());
                                config.setGeneric("true");
                            })
                            .get());
        }
    }

    @AfterAll
    static void stop() {
        star.close();
    }

    @AfterEach
    void forget() {
        RpcContext.removeContext();
    }

    static Stream<Arguments> tunnelsAndModes() {
        return Stream.of(Tunnel.values())
                .flatMap(tunnel -> Stream.of(Mode.values()).map(mode -> Arguments.of(tunnel, mode)));
    }

    @ParameterizedTest
    @MethodSource("tunnelsAndModes")
    void haveNoTimeLeft_whenTheirCountdownHasExpired(Tunnel tunnel, Mode mode) {
        star.shanghai.shop.received.clear();
        RpcContext.getClientAttachment()
                .setObjectAttachment(
                        CommonConstants.TIME_COUNTDOWN_KEY, TimeoutCountDown.newCountDown(-1, TimeUnit.MILLISECONDS));

        Throwable ended = catchThrowable(
                () -> Highway.to("shanghai").call(() -> mode.sell(SHOPS.get(tunnel), GENERIC.get(tunnel), "tea")));

        assertThat(ended).isInstanceOfSatisfying(HighwayException.class, e -> {
            assertThat(e.reason()).isEqualTo(Reason.NO_TIME_LEFT);
            assertThat(e.sent()).isFalse();
        });
        assertThat(star.shanghai.shop.received).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "40 | java.io.IOException: Connection reset by peer",
                "40 | io.netty.channel.StacklessClosedChannelException",
                "40 | java.nio.channels.ClosedChannelException",
                "40 | java.net.SocketException: Broken pipe",
                "40 | HIGHWAY-NOT-WRITTEN:java.io.IOException: Broken pipe",
                "25 | io.netty.handler.codec.EncoderException: no",
                "35 | Channel NettyChannel is inactive",
                "50 | HIGHWAY-NOT-FORWARDED: shanghai;draining",
                "60 | HIGHWAY-NOT-FORWARDED: shanghai;draining",
                "70 | HIGHWAY-NOT-FORWARDED:draining",
                "70 | HIGHWAY-NOT-FORWARDED: beijing;draining",
                "70 | HIGHWAY-REFUSED: shanghai;unsigned",
                "70 | java.lang.IllegalStateException: HIGHWAY-NOT-FORWARDED: shanghai;draining",
                "70 | dubbo router: no route for interface 'io.highway.X'",
                "80 | org.apache.dubbo.remoting.RemotingException: Not found exported service: X",
                "90 | This invoker has been destroyed!",
                "100 | HIGHWAY-NOT-FORWARDED: shanghai;draining"
            })
    void areNotThoseThatAPeerAnswersWithTheSameWords(byte status, String words) throws IOException {
        AtomicInteger executed = new AtomicInteger();
        try (ServerSocket one = peer(executed, status, words);
                ServerSocket other = peer(executed, status, words)) {
            Shop shop = star.shop(
                    Tunnel.DUBBO,
                    "highway.gateways.dubbo",
                    "gateway.zhejiang.test:" + one.getLocalPort() + ",gateway.zhejiang.test:" + other.getLocalPort(),
                    "highway.defaults.fallback",
                    "home",
                    "highway.heartbeat.interval",
                    "none");

            for (boolean later : new boolean[] {false, true}) {
                executed.set(0);
                Throwable ended = catchThrowable(() -> Highway.to("shanghai")
                        .call(() -> later ? shop.sellLater("tea").get(10, TimeUnit.SECONDS) : shop.sell("tea")));

                Throwable core = later ? ended.getCause() : ended;
                assertThat(core).isInstanceOfSatisfying(HighwayException.class, e -> assertThat(e.sent())
                        .isTrue());
                assertThat(executed).hasValue(1);
            }
        }
    }

    /** Runs every call, and answers it so. */
    private static ServerSocket peer(AtomicInteger executed, byte status, String words) throws IOException {
        ServerSocket peer = new ServerSocket(0, 5, InetAddress.getByName("gateway.zhejiang.test"));
        Thread thread = new Thread(
                () -> {
                    while (!peer.isClosed()) {
                        try {
                            Socket client = peer.accept();
                            Thread calls = new Thread(() -> answerAll(client, executed, status, words), "peer-calls");
                            calls.setDaemon(true);
                            calls.start();
                        } catch (IOException e) {
                            return;
                        }
                    }
                },
                "peer");
        thread.setDaemon(true);
        thread.start();
        return peer;
    }

    private static void answerAll(Socket client, AtomicInteger executed, byte status, String words) {
        try (client;
                DataInputStream in = new DataInputStream(client.getInputStream());
                DataOutputStream out = new DataOutputStream(client.getOutputStream())) {
            while (true) {
                in.readShort(); // magic
                int kind = in.readByte() & 0x60;
                in.readByte();
                long id = in.readLong();
                in.skipNBytes(in.readInt());
                if (kind == 0x60) {
                    RawDubboGateway.answerHeartbeat(out, id);
                } else if (kind == 0x40) { // wants an answer and is no event
                    executed.incrementAndGet();
                    byte[] text = words.getBytes(StandardCharsets.US_ASCII);
                    out.writeShort(0xdabb);
                    out.writeByte(2); // a response in hessian2
                    out.writeByte(status);
                    out.writeLong(id);
                    out.writeInt(text.length + 2);
                    out.writeByte(0x30 + (text.length >> 8)); // a string of up to 1023 characters
                    out.writeByte(text.length);
                    out.write(text);
                    out.flush();
                }
            }
        } catch (IOException e) {
            // the caller has gone
        }
    }
}
