// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.highway.sdk.Highway;
import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.HighwayReport.Gateway.State;
import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.internal.application.HighwayRuntime;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.dubbo.common.stream.StreamObserver;
import org.apache.dubbo.rpc.RpcContext;
import org.apache.dubbo.rpc.service.GenericService;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Triple calls for which no stream can be opened, over a gateway that is a raw HTTP/2 peer: they have not run, and another
 * gateway carries them.
 */
@Tag("network")
class UnopenedStreamsTest {

    private static Star star;

    /** What keeps a stream from being opened. */
    enum Obstacle {
        /** The gateway allows none on a connection. */
        LIMIT(0, "5s") { // its call waits until shortly before the timeout
            @Override
            void arise(RawTriplePeer peer) {}
        },
        /** It has sent GOAWAY, and keeps the connection. */
        GOAWAY(100, "10s") {
            @Override
            void arise(RawTriplePeer peer) {
                peer.goAway();
            }
        },
        /** It sends GOAWAY when the call arrives, with a last stream below the call's. */
        GOAWAY_AT_THE_CALL(100, "10s") {
            @Override
            void arise(RawTriplePeer peer) {
                peer.refusesByGoAway = true;
            }
        };

        private final int streams;
        private final String timeout;

        Obstacle(int streams, String timeout) {
            this.streams = streams;
            this.timeout = timeout;
        }

        abstract void arise(RawTriplePeer peer);
    }

    /** What is called. */
    enum CallForm {
        SYNC,
        COMPLETABLE_FUTURE,
        ASYNC_CALL,
        GENERIC,
        GENERIC_ASYNC,
        SERVER_STREAM,
        BOTH_WAYS;

        boolean isStream() {
            return this == SERVER_STREAM || this == BOTH_WAYS;
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

    static Stream<Arguments> table() {
        return Stream.of(Obstacle.values()).flatMap(obstacle -> Stream.of(CallForm.values())
                .filter(form -> obstacle != Obstacle.LIMIT || form == CallForm.SYNC) // waits for its timeout
                .map(form -> Arguments.of(obstacle, form)));
    }

    /** A stream that has begun is not tried again. */
    static Stream<Arguments> tableOfRetries() {
        return Stream.of(Obstacle.values()).flatMap(obstacle -> Stream.of(CallForm.values())
                .filter(form -> obstacle != Obstacle.GOAWAY_AT_THE_CALL || !form.isStream())
                .map(form -> Arguments.of(obstacle, form)));
    }

    private record Caller(Shop shop, GenericService generic, Feed feed) {

        static Caller over(String addresses, String timeout) {
            TestApplication application = star.consumer(star.properties(
                    Tunnel.TRIPLE,
                    "highway.gateways.triple",
                    addresses,
                    "highway.heartbeat.interval",
                    "none",
                    "highway.defaults.timeout",
                    timeout,
                    "highway.defaults.breaker.failure-rate",
                    "none"));
            Shop shop = application
                    .reference(Shop.class, config -> config.setUrl("dubbo://" + star.homeDubbo))
                    .get();
            GenericService generic = application
                    .reference(GenericService.class, config -> {
                        config.setUrl("dubbo://" + star.homeDubbo);
                        config.setInterface(Shop.class.getName());
                        config.setGeneric("true");
                    })
                    .get();
            Feed feed = application
                    .reference(Feed.class, config -> {
                        config.setUrl("tri://" + star.shanghai.tripleAddress);
                        config.setCheck(false);
                    })
                    .get();
            HighwayRuntime runtime = HighwayRuntime.of(application.model());
            await().atMost(Duration.ofSeconds(20)).until(() -> runtime.policyIfEnabled().gateways().stream()
                    .map(address -> runtime.gatewayState(address).state())
                    .allMatch(state -> state == State.UP || state == State.UNUSED));
            return new Caller(shop, generic, Highway.to("shanghai").bind(Feed.class, feed));
        }

        Object call(CallForm form) throws Throwable {
            return switch (form) {
                case SERVER_STREAM -> {
                    Last last = new Last();
                    feed.count(1, last);
                    yield last.done.get(10, TimeUnit.SECONDS);
                }
                case BOTH_WAYS -> {
                    Last last = new Last();
                    StreamObserver<String> questions = feed.join(last);
                    questions.onNext("1");
                    questions.onCompleted();
                    yield last.done.get(10, TimeUnit.SECONDS);
                }
                default ->
                    Highway.to("shanghai")
                            .callChecked(() -> Mode.valueOf(form.name()).sell(shop, generic, "1"));
            };
        }
    }

    /** The last answer of a stream. */
    private static final class Last implements StreamObserver<String> {

        private final CompletableFuture<String> done = new CompletableFuture<>();
        private volatile String last;

        @Override
        public void onNext(String answer) {
            last = answer;
        }

        @Override
        public void onError(Throwable error) {
            done.completeExceptionally(error);
        }

        @Override
        public void onCompleted() {
            done.complete(last);
        }
    }

    @ParameterizedTest
    @MethodSource("table")
    void haveNotRun(Obstacle obstacle, CallForm form) {
        try (RawTriplePeer peer = new RawTriplePeer("gateway.zhejiang.test", obstacle.streams)) {
            Caller caller = Caller.over("gateway.zhejiang.test:" + peer.port(), obstacle.timeout);
            obstacle.arise(peer);

            Throwable ended = ended(caller, form);

            assertThat(ended).isInstanceOfSatisfying(HighwayException.class, e -> assertThat(e.mayHaveRun())
                    .as(e.getMessage())
                    .isFalse());
            assertThat(peer.executed).hasValue(0);
        }
    }

    @ParameterizedTest
    @MethodSource("tableOfRetries")
    void areCarriedByAnotherGateway_once(Obstacle obstacle, CallForm form) throws Throwable {
        try (RawTriplePeer peer = new RawTriplePeer("gateway.zhejiang.test", obstacle.streams)) {
            Caller caller = Caller.over("gateway.zhejiang.test:" + peer.port() + "," + star.gatewayAddress(), "10s");
            obstacle.arise(peer);
            star.shanghai.shop.received.clear();

            for (int i = 0; i < 2; i++) { // each gateway comes first
                assertThat(caller.call(form)).isEqualTo("shanghai:1");
            }

            assertThat(peer.executed).hasValue(0);
            if (!form.isStream()) {
                assertThat(star.shanghai.shop.received).hasSize(2);
            }
        }
    }

    @Test
    void endAtOnce_whereTheGatewayTakesFewerHeaders() {
        try (RawTriplePeer peer = new RawTriplePeer("gateway.zhejiang.test")) {
            peer.answer = stream -> DrainingGatewayTest.answer(stream, "tea");
            Caller caller = Caller.over("gateway.zhejiang.test:" + peer.port(), "10s");
            assertThat(Highway.to("shanghai").call(() -> caller.shop.sell("tea")))
                    .isEqualTo("tea");
            RpcContext.getClientAttachment().setAttachment("note", "x".repeat(10_000)); // Netty's default is 8 KB

            assertThatThrownBy(() -> Highway.to("shanghai").call(() -> caller.shop.sell("tea")))
                    .isInstanceOfSatisfying(HighwayException.class, e -> {
                        assertThat(e.reason()).isEqualTo(Reason.TOO_LARGE);
                        assertThat(e.mayHaveRun()).isFalse();
                    });

            assertThat(Highway.to("shanghai").call(() -> caller.shop.sell("tea")))
                    .isEqualTo("tea");
            assertThat(peer.accepted).hasValue(1);
        }
    }

    private static Throwable ended(Caller caller, CallForm form) {
        Throwable core = null;
        try {
            Object answer = caller.call(form);
            return new AssertionError("answered " + answer);
        } catch (Throwable e) {
            core = e;
        }
        while ((core instanceof ExecutionException || core instanceof CompletionException) && core.getCause() != null) {
            core = core.getCause();
        }
        return core;
    }
}
