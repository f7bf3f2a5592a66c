// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.highway.sdk.Highway;
import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.Reason;
import java.util.HashMap;
import java.util.Map;
import org.apache.dubbo.common.stream.StreamObserver;
import org.apache.dubbo.rpc.RpcException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Streams in every direction, which Triple carries. */
@Tag("network")
class StreamingTest {

    private static Star star;
    private static Feed feed;

    @BeforeAll
    static void start() {
        star = new Star();
        feed = Highway.to("shanghai").bind(Feed.class, feed(star.properties(Tunnel.TRIPLE)));
    }

    private static Feed feed(Map<String, String> properties) {
        return star.reference(Feed.class, properties, config -> {
            config.setUrl("tri://" + star.shanghai.tripleAddress);
            config.setCheck(false);
        });
    }

    @AfterAll
    static void stop() {
        star.close();
    }

    @Test
    void carriesAServerStream() throws Exception {
        Collected<String> answers = new Collected<>();

        feed.count(500, answers);

        assertThat(answers.all()).hasSize(500).startsWith("shanghai:1").endsWith("shanghai:500");
    }

    @Test
    void carriesABidirectionalStream() throws Exception {
        Collected<String> answers = new Collected<>();

        StreamObserver<String> questions = feed.join(answers);
        questions.onNext("a");
        questions.onNext("b");
        questions.onCompleted();

        assertThat(answers.all()).containsExactly("shanghai:a", "shanghai:b");
    }

    @Test
    void carriesAClientStream() throws Exception {
        Collected<Integer> answer = new Collected<>();

        StreamObserver<String> numbers = feed.sum(answer);
        for (int i = 1; i <= 100; i++) {
            numbers.onNext(String.valueOf(i));
        }
        numbers.onCompleted();

        assertThat(answer.all()).containsExactly(5050);
    }

    @Test
    void refusesAStream_whenThePolicyAllowsDubboOnly() {
        Feed overDubbo = Highway.to("shanghai").bind(Feed.class, feed(star.properties(Tunnel.DUBBO)));

        assertThatThrownBy(() -> overDubbo.count(3, new Collected<>()))
                .isInstanceOfSatisfying(
                        HighwayException.class, e -> assertThat(e.reason()).isEqualTo(Reason.NEEDS_TRIPLE))
                .hasMessageContaining("highway.gateways.triple");
    }

    @Test
    void takesTriple_whenThePolicyIsAuto() throws Exception {
        Feed auto = Highway.to("shanghai")
                .bind(Feed.class, feed(star.properties(Tunnel.DUBBO, "highway.defaults.tunnel", "auto")));
        Collected<String> answers = new Collected<>();

        auto.count(3, answers);

        assertThat(answers.all()).hasSize(3);
    }

    @Test
    void endsAsAtHome_whenItIsServedThere() {
        Feed free = star.reference(
                Feed.class, star.properties(Tunnel.TRIPLE, "highway.defaults.fallback", "home"), config -> {
                    config.setUrl("tri://" + star.shanghai.tripleAddress);
                    config.setParameters(new HashMap<>(Map.of("counted", "true", "fail-tunnel", "true")));
                });
        Collected<Integer> answer = new Collected<>();

        StreamObserver<String> numbers = Highway.to("shanghai").call(() -> free.sum(answer));
        numbers.onNext("not a number");

        assertThatThrownBy(answer::all).satisfies(thrown -> assertThat(thrown.getCause())
                .isInstanceOf(RpcException.class)
                .isNotInstanceOf(HighwayException.class));
    }

    @Test
    void failsTheStream_whenTheGatewayDoesNotForward() {
        Feed atlantis = Highway.to("atlantis")
                .bind(Feed.class, feed(star.properties(Tunnel.TRIPLE, "highway.unknown-islands", "gateway")));
        Collected<String> answers = new Collected<>();

        atlantis.count(3, answers);

        assertThatThrownBy(answers::all)
                .hasCauseInstanceOf(HighwayException.class)
                .cause()
                .isInstanceOfSatisfying(HighwayException.class, e -> {
                    assertThat(e.reason()).isEqualTo(Reason.NOT_FORWARDED);
                    assertThat(e.mayHaveRun()).isFalse();
                })
                .hasMessageContaining("unknown-island");
    }
}
