// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.highway.sdk.Highway;
import io.highway.sdk.dubbo.CallOutcome;
import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.Outcome;
import io.highway.sdk.dubbo.Reason;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.dubbo.common.stream.StreamObserver;
import org.apache.dubbo.reactive.ClientTripleReactorPublisher;
import org.apache.dubbo.rpc.RpcException;
import org.apache.dubbo.rpc.protocol.tri.CancelableStreamObserver;
import org.apache.dubbo.rpc.protocol.tri.observer.ClientCallToObserverAdapter;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

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
        return feed(properties, new RecordedEvents());
    }

    private static Feed feed(Map<String, String> properties, RecordedEvents events) {
        TestApplication consumer = star.consumer(properties);
        consumer.model().getBeanFactory().registerBean(events);
        return consumer.reference(Feed.class, config -> {
                    config.setUrl("tri://" + star.shanghai.tripleAddress);
                    config.setCheck(false);
                })
                .get();
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

    /** The observer has the failure, so home does not serve the stream. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void failsTheStream_whenTheGatewayDoesNotForward(boolean cancelable) {
        RecordedEvents events = new RecordedEvents();
        Map<String, String> properties = star.properties(
                Tunnel.TRIPLE, "highway.islands.atlantis.retries", "0", "highway.defaults.fallback", "home");
        Feed atlantis = Highway.to("atlantis").bind(Feed.class, feed(properties, events));
        Collected<String> answers = new Collected<>();

        atlantis.count(3, cancelable ? new Cancelable(answers) : answers);

        await().untilAsserted(() -> assertThat(events.outcomes).singleElement().satisfies(outcome -> {
            assertThat(outcome.outcome()).isEqualTo(Outcome.NOT_SENT);
            assertThat(outcome.reason()).isEqualTo(Reason.NOT_FORWARDED);
            assertThat(outcome.servedAtHome()).isFalse();
        }));
        assertThatThrownBy(answers::all)
                .hasCauseInstanceOf(HighwayException.class)
                .cause()
                .isInstanceOfSatisfying(HighwayException.class, e -> {
                    assertThat(e.reason()).isEqualTo(Reason.NOT_FORWARDED);
                    assertThat(e.mayHaveRun()).isFalse();
                })
                .hasMessageContaining("unknown-island");
    }

    /** As generated stubs of Reactor and Mutiny pass it. */
    private static final class Cancelable extends CancelableStreamObserver<String> {

        private final StreamObserver<String> answers;

        Cancelable(StreamObserver<String> answers) {
            this.answers = answers;
        }

        @Override
        public void onNext(String answer) {
            answers.onNext(answer);
        }

        @Override
        public void onError(Throwable error) {
            answers.onError(error);
        }

        @Override
        public void onCompleted() {
            answers.onCompleted();
        }
    }

    /** Its adapter cancels the requests at a subscriber's last answer, or nothing at all. */
    @Test
    void ofReactor_isDeliveredWithItsFirstAnswer() {
        RecordedEvents events = new RecordedEvents();
        Feed own = feed(star.properties(Tunnel.TRIPLE), events);
        AtomicReference<ClientCallToObserverAdapter<?>> requests = new AtomicReference<>();
        ClientTripleReactorPublisher<String> answer = new ClientTripleReactorPublisher<>(
                started -> requests.set((ClientCallToObserverAdapter<?>) started),
                () -> requests.get().cancel(new IllegalStateException("Cancelled")));
        Collected<String> collected = new Collected<>();

        answer.subscribe(new Subscriber<>() {
            @Override
            public void onSubscribe(Subscription subscription) {
                subscription.request(1);
            }

            @Override
            public void onNext(String first) {
                answer.cancel(); // as Mono does
                collected.onNext(first);
                collected.onCompleted();
            }

            @Override
            public void onError(Throwable failure) {
                collected.onError(failure);
            }

            @Override
            public void onComplete() {
                collected.onCompleted();
            }
        });
        Highway.to("shanghai").run(() -> own.count(3, answer));

        assertThatNoException().isThrownBy(collected::all);
        assertThat(events.outcomes).extracting(CallOutcome::outcome).containsExactly(Outcome.DELIVERED);
    }

    /** As at Dubbo, nothing of such streams is sent, and no observer hears of their end. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void isNotSent_ifItEndsWithoutAMessage(boolean completed) {
        RecordedEvents events = new RecordedEvents();
        Feed own = feed(star.properties(Tunnel.TRIPLE), events);

        StreamObserver<String> numbers = Highway.to("shanghai").call(() -> own.sum(new Collected<>()));
        if (completed) {
            numbers.onCompleted();
        } else {
            numbers.onError(new IllegalStateException("no longer wanted"));
        }

        assertThat(events.outcomes).extracting(CallOutcome::outcome).containsExactly(Outcome.NOT_SENT);
    }
}
