// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.highway.sdk.Highway;
import io.highway.sdk.dubbo.HighwayException;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Gateways that say without the island that they did not forward: it proves nothing, and the message names what to write. */
@Tag("network")
class OldStatementsTest {

    private static final String PROVES_NOTHING = "does not prove that a call was not forwarded";
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

    private static void callThrice(Shop shop) {
        for (int i = 0; i < 3; i++) {
            assertThat(catchThrowable(() -> shop.sell("tea")))
                    .isInstanceOfSatisfying(
                            HighwayException.class,
                            e -> assertThat(e.mayHaveRun()).as(e.getMessage()).isTrue());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"HIGHWAY-NOT-FORWARDED:draining", "HIGHWAY-NOT-FORWARDED: unknown-island shanghai"})
    void areWarnedOfOnceForEachGateway_overTheDubboProtocol(String statement) throws IOException {
        try (LogLines log = new LogLines();
                RawDubboPeer one = new RawDubboPeer("gateway.zhejiang.test");
                RawDubboPeer other = new RawDubboPeer("gateway.zhejiang.test")) {
            for (RawDubboPeer peer : new RawDubboPeer[] {one, other}) {
                peer.answer(70, statement);
                callThrice(shop(Tunnel.DUBBO, peer.port()));

                assertThat(peer.executed).hasValue(3);
                assertThat(log.with("gateway.zhejiang.test:" + peer.port(), PROVES_NOTHING))
                        .singleElement()
                        .asString()
                        .contains("WARN", statement, "\"HIGHWAY-NOT-FORWARDED: shanghai;<reason>\"");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void areWarnedOfOnceForEachGateway_overTriple(boolean asHeader) {
        try (LogLines log = new LogLines();
                RawTriplePeer one = new RawTriplePeer("gateway.zhejiang.test");
                RawTriplePeer other = new RawTriplePeer("gateway.zhejiang.test")) {
            for (RawTriplePeer peer : new RawTriplePeer[] {one, other}) {
                peer.answer = stream -> RawTriplePeer.write(
                        stream,
                        RawTriplePeer.begin()
                                .set("grpc-status", "14")
                                .set(
                                        asHeader ? "highway-not-forwarded" : "grpc-message",
                                        asHeader ? "draining" : "HIGHWAY-NOT-FORWARDED:draining"),
                        true);
                callThrice(shop(Tunnel.TRIPLE, peer.port()));

                assertThat(peer.executed).hasValue(3);
                assertThat(log.with("gateway.zhejiang.test:" + peer.port(), PROVES_NOTHING))
                        .singleElement()
                        .asString()
                        .contains("WARN", "draining", "\"highway-not-forwarded: shanghai;<reason>\"");
            }
        }
    }

    /** A statement about another island, which a service relays, is no old form; and neither is another text. */
    @Test
    void areNotThoseOfAnotherIsland() throws IOException {
        try (LogLines log = new LogLines();
                RawDubboPeer peer = new RawDubboPeer("gateway.zhejiang.test")) {
            Shop shop = shop(Tunnel.DUBBO, peer.port());
            for (String words : Map.of(1, "HIGHWAY-NOT-FORWARDED: beijing;draining", 2, "no tea")
                    .values()) {
                peer.answer(70, words);
                callThrice(shop);
            }

            assertThat(log.with(PROVES_NOTHING)).isEmpty();
        }
    }
}
