// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.highway.sdk.Highway;
import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.Reason;
import java.io.IOException;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.dubbo.common.constants.CommonConstants;
import org.apache.dubbo.rpc.RpcContext;
import org.apache.dubbo.rpc.TimeoutCountDown;
import org.apache.dubbo.rpc.service.GenericService;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Calls that this process did not write, and answers of a peer that speak as this process does of them. */
@Tag("network")
class NotWrittenTest {

    private static final Map<Tunnel, Shop> SHOPS = new EnumMap<>(Tunnel.class);
    private static final Map<Tunnel, GenericService> GENERIC = new EnumMap<>(Tunnel.class);
    private static Star star;

    @BeforeAll
    static void start() {
        star = new Star();
        for (Tunnel tunnel : Tunnel.values()) {
            TestApplication consumer = star.consumer(star.properties(tunnel, "highway.heartbeat.interval", "none"));
            ShopReferences shop = ShopReferences.of(consumer, star.homeDubbo);
            SHOPS.put(tunnel, shop.typed());
            GENERIC.put(tunnel, shop.generic());
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

        Throwable ended = catchThrowable(() ->
                Highway.to("shanghai").callChecked(() -> mode.sell(SHOPS.get(tunnel), GENERIC.get(tunnel), "tea")));

        assertThat(ended).isInstanceOfSatisfying(HighwayException.class, e -> {
            assertThat(e.reason()).isEqualTo(Reason.NO_TIME_LEFT);
            assertThat(e.mayHaveRun()).isFalse();
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
        try (RawDubboPeer one = new RawDubboPeer("gateway.zhejiang.test");
                RawDubboPeer other = new RawDubboPeer("gateway.zhejiang.test")) {
            one.answer(status, words);
            other.answer(status, words);
            Shop shop = star.shop(
                    Tunnel.DUBBO,
                    "highway.gateways.dubbo",
                    "gateway.zhejiang.test:" + one.port() + ",gateway.zhejiang.test:" + other.port(),
                    "highway.defaults.fallback",
                    "home",
                    "highway.heartbeat.interval",
                    "none");

            for (boolean later : new boolean[] {false, true}) {
                one.executed.set(0);
                other.executed.set(0);
                Throwable ended = catchThrowable(() -> Highway.to("shanghai")
                        .callChecked(() -> later ? shop.sellLater("tea").get(10, TimeUnit.SECONDS) : shop.sell("tea")));

                Throwable core = later ? ended.getCause() : ended;
                assertThat(core).isInstanceOfSatisfying(HighwayException.class, e -> assertThat(e.mayHaveRun())
                        .isTrue());
                assertThat(one.executed.get() + other.executed.get()).isOne();
            }
        }
    }
}
