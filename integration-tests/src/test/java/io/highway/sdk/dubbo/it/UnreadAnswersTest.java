// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.highway.sdk.Highway;
import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.Reason;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2Headers;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.apache.dubbo.config.MethodConfig;
import org.apache.dubbo.remoting.exchange.Response;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Answers without a message that can be read, of other calls, and none at all, from a gateway that is a raw peer. */
@Tag("network")
class UnreadAnswersTest {

    private static Star star;

    /** Answers with the status 0, of which Dubbo's client makes the value null. */
    enum Answer {
        ONE_FRAME(stream -> RawTriplePeer.write(stream, ended(RawTriplePeer.begin()), true)),
        NO_MESSAGE(stream -> {
            RawTriplePeer.write(stream, RawTriplePeer.begin(), false);
            RawTriplePeer.write(stream, ended(new DefaultHttp2Headers()), true);
        }),
        PART_OF_A_MESSAGE(stream -> {
            RawTriplePeer.write(stream, RawTriplePeer.begin(), false);
            message(stream, 0, 100);
            RawTriplePeer.write(stream, ended(new DefaultHttp2Headers()), true);
        }),
        UNKNOWN_ENCODING(stream -> {
            RawTriplePeer.write(stream, RawTriplePeer.begin().set("grpc-encoding", "br"), false);
            message(stream, 1, 4);
            RawTriplePeer.write(stream, ended(new DefaultHttp2Headers()), true);
        }),
        NO_ENCODING(stream -> {
            RawTriplePeer.write(stream, RawTriplePeer.begin(), false);
            message(stream, 1, 4);
            RawTriplePeer.write(stream, ended(new DefaultHttp2Headers()), true);
        });

        private final Consumer<ChannelHandlerContext> answer;

        Answer(Consumer<ChannelHandlerContext> answer) {
            this.answer = answer;
        }

        private static Http2Headers ended(Http2Headers headers) {
            return headers.set("grpc-status", "0");
        }

        /** Four bytes of a message of this length. */
        @SuppressWarnings("FutureReturnValueIgnored") // a failed write closes the stream
        private static void message(ChannelHandlerContext stream, int first, int length) {
            stream.write(new DefaultHttp2DataFrame(
                    Unpooled.buffer().writeByte(first).writeInt(length).writeInt(0)));
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

    private static Shop shop(Tunnel tunnel, int port, String timeout) {
        return shop(tunnel, port, timeout, "none");
    }

    private static Shop shop(Tunnel tunnel, int port, String timeout, String failureRate) {
        return star.consumer(star.properties(
                        tunnel,
                        "highway.gateways." + tunnel.key(),
                        "shanghai.test:" + port,
                        "highway.heartbeat.interval",
                        "none",
                        "highway.defaults.timeout",
                        timeout,
                        "highway.defaults.breaker.failure-rate",
                        failureRate))
                .reference(Shop.class, config -> {
                    config.setUrl("dubbo://" + star.homeDubbo);
                    MethodConfig note = new MethodConfig();
                    note.setName("note");
                    note.setReturn(false);
                    config.setMethods(List.of(note));
                })
                .get();
    }

    /** That they are written says nothing about a peer that answers none of the others. */
    @Test
    void areNotAmongThoseOfOneWayCalls() throws IOException {
        try (RawDubboPeer silent = new RawDubboPeer("shanghai.test")) {
            Shop shop = Highway.to("shanghai").bind(Shop.class, shop(Tunnel.DUBBO, silent.port(), "50ms", "50"));

            await().untilAsserted(() -> {
                Throwable refused = null;
                for (int i = 0; i < 10 && refused == null; i++) {
                    refused = catchThrowable(() -> shop.note("on the way"));
                }
                assertThatThrownBy(() -> shop.sell("tea"))
                        .isInstanceOfSatisfying(HighwayException.class, failure -> assertThat(failure.reason())
                                .isEqualTo(Reason.BREAKER_OPEN));
            });
        }
    }

    @ParameterizedTest
    @EnumSource
    void areNotTheValueNull(Answer answer) {
        try (RawTriplePeer peer = new RawTriplePeer("shanghai.test")) {
            peer.answer = answer.answer;
            Shop shop = shop(Tunnel.TRIPLE, peer.port(), "10s");

            assertThatThrownBy(() -> Highway.to("shanghai").call(() -> shop.sell("tea")))
                    .isInstanceOfSatisfying(HighwayException.class, failure -> {
                        assertThat(failure.mayHaveRun()).isTrue();
                        assertThat(failure.reason()).isIn(Reason.SERIALIZATION, Reason.REMOTE_FAILURE);
                    });
            assertThatThrownBy(() -> Highway.to("shanghai")
                            .call(() -> shop.sellLater("tea"))
                            .join())
                    .hasCauseInstanceOf(HighwayException.class);
        }
    }

    /** The ids of Dubbo's calls and heartbeats are consecutive in a process. */
    @Test
    void areNotThoseOfAnotherConnection() throws IOException {
        try (RawDubboPeer silent = new RawDubboPeer("shanghai.test");
                RawDubboPeer liar = new RawDubboPeer("shanghai.test")) {
            liar.answer(Response.SERVICE_ERROR, "forged");
            liar.answersBefore = 20;
            Shop waiting = shop(Tunnel.DUBBO, silent.port(), "3s");
            Shop other = shop(Tunnel.DUBBO, liar.port(), "3s");

            CompletableFuture<String> call = Highway.to("shanghai").call(() -> waiting.sellLater("tea"));
            await().until(() -> silent.executed.get() == 1);
            assertThatThrownBy(() -> Highway.to("shanghai").call(() -> other.sell("tea")))
                    .hasMessageContaining("forged");

            assertThatThrownBy(call::join)
                    .hasCauseInstanceOf(HighwayException.class)
                    .hasMessageNotContaining("forged");
        }
    }

    /** Netty's servers end connections on which many streams are reset. */
    @Test
    void endNoConnection_ifManyTimeOut() {
        try (RawTriplePeer peer = new RawTriplePeer("shanghai.test")) {
            Shop shop = shop(Tunnel.TRIPLE, peer.port(), "3s");
            List<CompletableFuture<String>> calls = new ArrayList<>();
            for (int i = 0; i < 300; i++) {
                calls.add(Highway.to("shanghai").call(() -> shop.sellLater("tea")));
            }
            await().until(() -> peer.executed.get() == 300);
            int opened = peer.accepted.get();
            assertThat(calls).allSatisfy(call -> assertThatThrownBy(call::join)
                    .hasCauseInstanceOf(HighwayException.class)
                    .hasMessageContaining("timeout:"));
            peer.answer = stream -> {
                RawTriplePeer.write(stream, RawTriplePeer.begin(), false);
                RawTriplePeer.message(stream, "tea");
                RawTriplePeer.write(stream, new DefaultHttp2Headers().set("grpc-status", "0"), true);
            };

            assertThat(Highway.to("shanghai").call(() -> shop.sell("tea"))).isEqualTo("tea");
            assertThat(peer.accepted).hasValue(opened);
        }
    }

    /** A peer that answers no call allows few at a time: those that have timed out make room. */
    @Test
    void leaveNoStreamOpen_afterTheTimeOut() {
        try (RawTriplePeer peer = new RawTriplePeer("shanghai.test", 2)) {
            Shop shop = shop(Tunnel.TRIPLE, peer.port(), "1s");

            for (int calls = 1; calls <= 6; calls++) {
                assertThatThrownBy(() -> Highway.to("shanghai").call(() -> shop.sell("tea")))
                        .isInstanceOfSatisfying(HighwayException.class, failure -> assertThat(failure.reason())
                                .isEqualTo(Reason.TIMEOUT));
                int expected = calls;
                await().untilAsserted(() -> assertThat(peer.executed).hasValue(expected));
            }
        }
    }
}
