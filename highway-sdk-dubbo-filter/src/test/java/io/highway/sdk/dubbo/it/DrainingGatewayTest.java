// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.highway.sdk.Highway;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.dubbo.common.stream.StreamObserver;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A gateway that ends its HTTP/2 connections by GOAWAY and accepts new ones, as nginx does at a reload and after
 * {@code keepalive_requests}. The consumers have Dubbo's own time for a stop, ten seconds.
 */
@Tag("network")
class DrainingGatewayTest {

    private static final int LONG_MILLIS = 3000;

    private static Star star;

    @BeforeAll
    static void start() {
        star = new Star();
    }

    @AfterAll
    static void stop() {
        star.close();
    }

    private static Map<String, String> properties(RawTriplePeer peer) {
        return star.properties(
                Tunnel.TRIPLE,
                "highway.gateways.triple",
                "gateway.zhejiang.test:" + peer.port(),
                "highway.heartbeat.interval",
                "none",
                "highway.defaults.timeout",
                "10s",
                "dubbo.service.shutdown.wait",
                "10000");
    }

    private static Shop shop(RawTriplePeer peer) {
        Shop shop = star.reference(Shop.class, properties(peer), config -> {});
        return Highway.to("shanghai").bind(Shop.class, shop);
    }

    private static void answer(ChannelHandlerContext stream, String text) {
        RawTriplePeer.write(stream, RawTriplePeer.begin(), false);
        RawTriplePeer.message(stream, text);
        RawTriplePeer.write(stream, new DefaultHttp2Headers().set("grpc-status", "0"), true);
        stream.flush();
    }

    @Test
    void deliversTheCallInFlight_andAllOthers() throws Exception {
        try (RawTriplePeer peer = new RawTriplePeer("gateway.zhejiang.test")) {
            peer.answer = stream -> {
                if (peer.executed.get() == 1) {
                    stream.executor().schedule(() -> answer(stream, "late"), LONG_MILLIS, TimeUnit.MILLISECONDS);
                } else {
                    answer(stream, "tea");
                }
            };
            Shop shop = shop(peer);
            CompletableFuture<String> inFlight = CompletableFuture.supplyAsync(() -> shop.sell("slow"));
            await().until(() -> peer.executed.get() == 1);

            try (Callers callers = new Callers(shop, Callers.CallForm.SYNC)) {
                for (int i = 0; i < 3; i++) {
                    peer.drain();
                    callers.awaitMoreOfEach(50);
                }
                assertThat(inFlight).isNotDone();
                assertThat(inFlight.get(10, TimeUnit.SECONDS)).isEqualTo("late");
                callers.awaitMoreOfEach(50);
                callers.assertNothingFailed();
            }
        }
    }

    @Test
    void losesNoCall_thoughItEndsEachConnectionAfterFifty() {
        try (RawTriplePeer peer = new RawTriplePeer("gateway.zhejiang.test")) {
            peer.answer = stream -> answer(stream, "tea");
            peer.callsPerConnection = 50;
            Shop shop = shop(peer);
            AtomicInteger left = new AtomicInteger(4000);
            List<CompletableFuture<Void>> callers = IntStream.range(0, 16)
                    .mapToObj(i -> CompletableFuture.runAsync(
                            () -> {
                                while (left.getAndDecrement() > 0) {
                                    assertThat(shop.sell("tea")).isEqualTo("tea");
                                }
                            },
                            task -> new Thread(task).start()))
                    .toList();

            assertThat(callers).allSatisfy(caller -> assertThat(caller).succeedsWithin(Duration.ofSeconds(30)));
            assertThat(peer.executed).hasValue(4000);
            assertThat(peer.accepted).hasValueGreaterThanOrEqualTo(80);
        }
    }

    /** Dubbo writes the frames of both in one batch, and flushes the connection of the last one only. */
    @Test
    void aStreamGoesOn_besideCallsOverTheNextConnection() throws Exception {
        try (RawTriplePeer peer = new RawTriplePeer("gateway.zhejiang.test")) {
            Feed shared = star.reference(Feed.class, properties(peer), config -> config.setCheck(false));
            Feed feed = Highway.to("shanghai").bind(Feed.class, shared);
            peer.answer = stream -> {
                RawTriplePeer.write(stream, RawTriplePeer.begin(), false);
                RawTriplePeer.message(stream, "first");
            };
            peer.further = stream -> RawTriplePeer.message(stream, "further");
            Collected<String> old = new Collected<>();
            StreamObserver<String> questions = feed.join(old);
            questions.onNext("1");
            await().until(() -> old.values.size() == 1);
            peer.answer = stream -> answer(stream, "counted");

            peer.drain();

            for (int i = 2; i < 300; i++) {
                questions.onNext("more");
                Collected<String> next = new Collected<>();
                feed.count(1, next);
                int expected = i;
                await().pollInterval(Duration.ofMillis(1))
                        .atMost(Duration.ofSeconds(5))
                        .until(() -> old.values.size() == expected);
                assertThat(next.all()).containsExactly("counted");
            }
            assertThat(peer.accepted).hasValueGreaterThanOrEqualTo(2);
        }
    }
}
