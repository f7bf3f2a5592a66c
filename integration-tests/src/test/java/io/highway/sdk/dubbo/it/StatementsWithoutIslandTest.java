// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.highway.sdk.Highway;
import io.highway.sdk.dubbo.HighwayException;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Gateways that state without the island that they did not forward a call: that proves nothing. */
@Tag("network")
class StatementsWithoutIslandTest {

    private static Star star;

    @BeforeAll
    static void start() {
        star = new Star();
    }

    @AfterAll
    static void stop() {
        star.close();
    }

    private static Shop shop(Tunnel tunnel, int port) {
        Shop shop = star.shop(
                tunnel,
                "highway.gateways." + tunnel.key(),
                "gateway.zhejiang.test:" + port,
                "highway.heartbeat.interval",
                "none",
                "highway.defaults.breaker.failure-rate",
                "none",
                "highway.defaults.fallback",
                "home");
        return Highway.to("shanghai").bind(Shop.class, shop);
    }

    /** With a filter of the application that sends each call twice. */
    private static Shop twice(Tunnel tunnel, int port) {
        Map<String, String> properties = star.properties(
                tunnel,
                "highway.gateways." + tunnel.key(),
                "gateway.zhejiang.test:" + port,
                "highway.heartbeat.interval",
                "none");
        Shop shop = star.reference(
                Shop.class,
                properties,
                config -> config.setParameters(new HashMap<>(Map.of("counted", "true", "try-twice", "true"))));
        return Highway.to("shanghai").bind(Shop.class, shop);
    }

    private static void assertMayHaveRun(Shop shop) {
        assertThat(catchThrowable(() -> shop.sell("tea")))
                .isInstanceOfSatisfying(
                        HighwayException.class,
                        e -> assertThat(e.mayHaveRun()).as(e.getMessage()).isTrue());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HIGHWAY-NOT-FORWARDED:draining",
                "HIGHWAY-NOT-FORWARDED: unknown-island shanghai",
                "HIGHWAY-NOT-FORWARDED: beijing;draining"
            })
    void proveNothing_overTheDubboProtocol(String statement) throws IOException {
        try (RawDubboPeer peer = new RawDubboPeer("gateway.zhejiang.test")) {
            peer.answer(70, statement);

            assertMayHaveRun(shop(Tunnel.DUBBO, peer.port()));

            assertThat(peer.executed).hasValue(1);
        }
    }

    @Test
    void proveNothing_aboutWhatAFilterSendsAgain_overTheDubboProtocol() throws IOException {
        try (RawDubboPeer peer = new RawDubboPeer("gateway.zhejiang.test")) {
            peer.answer(70, "HIGHWAY-NOT-FORWARDED: shanghai;draining");
            peer.answers = 1;

            assertMayHaveRun(twice(Tunnel.DUBBO, peer.port()));

            assertThat(peer.executed).hasValue(2);
        }
    }

    /** The first request runs, and the second finds no connection. */
    @Test
    void proveNothing_aboutWhatAFilterHasSentBefore() throws IOException {
        try (RawDubboPeer peer = new RawDubboPeer("gateway.zhejiang.test")) {
            peer.answers = 0;

            assertMayHaveRun(twice(Tunnel.DUBBO, peer.port()));

            assertThat(peer.executed.get()).isLessThanOrEqualTo(2);
        }
    }

    @Test
    void proveNothing_aboutWhatAFilterSendsAgain_overTriple() {
        try (RawTriplePeer peer = new RawTriplePeer("gateway.zhejiang.test")) {
            peer.answer = stream -> {
                if (peer.executed.get() == 1) {
                    RawTriplePeer.write(
                            stream,
                            RawTriplePeer.begin()
                                    .set("grpc-status", "14")
                                    .set("highway-not-forwarded", "shanghai;draining"),
                            true);
                } else {
                    stream.channel().parent().close();
                }
            };

            assertMayHaveRun(twice(Tunnel.TRIPLE, peer.port()));

            assertThat(peer.executed).hasValue(2);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "highway-not-forwarded, draining",
        "highway-not-forwarded, beijing;draining",
        "grpc-message, HIGHWAY-NOT-FORWARDED:draining"
    })
    void proveNothing_overTriple(String header, String statement) {
        try (RawTriplePeer peer = new RawTriplePeer("gateway.zhejiang.test")) {
            peer.answer = stream -> RawTriplePeer.write(
                    stream, RawTriplePeer.begin().set("grpc-status", "14").set(header, statement), true);

            assertMayHaveRun(shop(Tunnel.TRIPLE, peer.port()));

            assertThat(peer.executed).hasValue(1);
        }
    }
}
