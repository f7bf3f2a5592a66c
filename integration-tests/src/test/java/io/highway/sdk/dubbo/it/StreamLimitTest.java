// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.highway.sdk.Highway;
import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.Reason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.dubbo.common.stream.StreamObserver;
import org.apache.dubbo.rpc.RpcContext;
import org.apache.dubbo.rpc.protocol.tri.CancelableStreamObserver;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls over a gateway that allows few streams on a connection, as HAProxy (100) and nginx (128) do; here a server in its place. */
@Tag("network")
class StreamLimitTest {

    private static final int LIMIT = 8;
    private static final int CALLS = 60;

    private static final ExecutorService callers = Executors.newCachedThreadPool();
    private static Star star;
    private static ShopKeeper narrow;
    private static String narrowAddress;
    private static Begun begun;

    /** More than HTTP/2 recommends as the least limit. */
    private static final int MANY = 150;

    private final ShopKeeper wide = new ShopKeeper("shanghai");

    @BeforeAll
    static void start() {
        star = new Star();
        narrow = new ShopKeeper("shanghai");
        begun = new Begun();
        String limit = String.valueOf(LIMIT);
        narrowAddress = server(
                narrow,
                Map.of( // as Dubbo 3.3 calls it, and 3.2
                        "dubbo.protocol.triple.max-concurrent-streams", limit,
                        "dubbo.rpc.tri.max-concurrent-streams", limit));
    }

    private static String server(ShopKeeper shop, Map<String, String> more) {
        TestApplication application = star.closing(new TestApplication(
                "shanghai",
                Stream.of(more, Map.of("highway.island", "shanghai"))
                        .flatMap(map -> map.entrySet().stream())
                        .collect(java.util.stream.Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue))));
        String address = application.listen("tri");
        application.export(Shop.class, shop, service -> {});
        application.export(Feed.class, begun, service -> {}).start();
        return address;
    }

    /** Counts the streams that reach the provider. */
    private static final class Begun implements Feed {

        private final AtomicInteger streams = new AtomicInteger();

        @Override
        public void count(Integer to, StreamObserver<String> answers) {
            streams.incrementAndGet();
            answers.onCompleted();
        }

        @Override
        public StreamObserver<String> join(StreamObserver<String> answers) {
            streams.incrementAndGet();
            answers.onCompleted();
            return answers;
        }

        @Override
        public StreamObserver<String> sum(StreamObserver<Integer> answer) {
            throw new UnsupportedOperationException();
        }
    }

    @AfterEach
    void hurry() {
        narrow.received.forEach(call -> LockSupport.unpark(call.thread()));
        wide.received.forEach(call -> LockSupport.unpark(call.thread()));
        narrow.received.clear();
    }

    @AfterAll
    static void stop() {
        callers.shutdownNow();
        star.close();
    }

    private static Shop shop(String addresses, String... more) {
        String[] properties = {
            "highway.gateways.triple",
            addresses,
            "highway.heartbeat.interval",
            "none",
            "highway.defaults.timeout",
            "20s"
        };
        Shop shop = Highway.to("shanghai")
                .bind(
                        Shop.class,
                        star.shop(
                                Tunnel.TRIPLE,
                                Stream.of(properties, more).flatMap(Stream::of).toArray(String[]::new)));
        for (String unused : addresses.split(",", -1)) {
            assertThat(shop.sell("tea")).isEqualTo("shanghai:tea");
        }
        narrow.received.clear();
        return shop;
    }

    private static CompletableFuture<String> slow(Shop shop, int millis) {
        return RpcContext.getServiceContext().asyncCall(() -> shop.slow(millis));
    }

    /** As many calls as the gateway allows, in flight until they are released. */
    private static List<CompletableFuture<String>> fill(Shop shop) {
        List<CompletableFuture<String>> calls =
                IntStream.range(0, LIMIT).mapToObj(i -> slow(shop, 15_000)).toList();
        await().atMost(Duration.ofSeconds(20)).until(() -> narrow.received.size() == LIMIT);
        return calls;
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void allCallsAreDelivered_onceEach(boolean async) throws Exception {
        Shop shop = shop(narrowAddress);

        List<? extends Future<String>> answers = IntStream.range(0, CALLS)
                .mapToObj(i -> async ? slow(shop, 20) : callers.submit(() -> shop.slow(20)))
                .toList();

        for (Future<String> answer : answers) {
            assertThat(answer.get(30, TimeUnit.SECONDS)).isEqualTo("shanghai:20");
        }
        assertThat(narrow.received).hasSize(CALLS);
    }

    @Test
    void runAtOnce_asManyAsTheGatewayAllows() {
        Shop shop = shop(server(wide, Map.of()));
        wide.received.clear();

        for (int i = 0; i < MANY; i++) {
            slow(shop, 15_000);
        }

        await().atMost(Duration.ofSeconds(20)).until(() -> wide.received.size() == MANY);
    }

    @Test
    void goToAnotherAddress_whereNoStreamIsFree() throws Exception {
        Shop shop = shop(narrowAddress + "," + server(wide, Map.of()));
        wide.received.clear();

        List<CompletableFuture<String>> answers = new ArrayList<>();
        for (int calls = 1; calls <= 4 * LIMIT; calls++) {
            int all = calls;
            answers.add(slow(shop, 15_000));
            await().atMost(Duration.ofSeconds(10)) // none waits for another to end
                    .pollInterval(Duration.ofMillis(1))
                    .until(() -> narrow.received.size() + wide.received.size() == all);
        }
        assertThat(narrow.received).hasSizeLessThanOrEqualTo(LIMIT);
        hurry();
        for (Future<String> answer : answers) {
            assertThat(answer.get(30, TimeUnit.SECONDS)).isEqualTo("shanghai:15000");
        }
    }

    @Test
    void areRefusedBeforeTheirTimeIsOver_whereNoStreamGetsFree_andNeverRun() throws Exception {
        Shop shop = shop(narrowAddress);
        List<CompletableFuture<String>> first = fill(shop);

        RpcContext.getClientAttachment().setAttachment("timeout", "1000");
        assertThatThrownBy(() -> shop.sell("late"))
                .isInstanceOfSatisfying(HighwayException.class, e -> {
                    assertThat(e.reason()).isEqualTo(Reason.BUSY);
                    assertThat(e.mayHaveRun()).isFalse();
                })
                .hasMessageContaining(LIMIT + " streams")
                .hasMessageContaining("MAX_CONCURRENT_STREAMS");

        hurry();
        for (Future<String> answer : first) {
            assertThat(answer.get(30, TimeUnit.SECONDS)).isEqualTo("shanghai:15000");
        }
        assertThat(shop.sell("tea")).isEqualTo("shanghai:tea");
        assertThat(narrow.received).extracting(ShopKeeper.Received::method).containsExactly("sell");
    }

    /** All calls that are made before this returns have reached the connection. */
    private static void awaitQueued(Shop shop) {
        await().untilAsserted(
                        () -> { // on a busy machine its time may end before it arrives there
                            RpcContext.getClientAttachment().setAttachment("timeout", "200");
                            assertThatThrownBy(() -> shop.sell("late"))
                                    .isInstanceOfSatisfying(HighwayException.class, e -> assertThat(e.reason())
                                            .isEqualTo(Reason.BUSY));
                        });
    }

    @ParameterizedTest
    @EnumSource
    void areNeverSent_whenTheirCallersNoLongerWaitForAStream(CancelledCallsTest.End end) {
        Shop shop = shop(
                narrowAddress,
                "highway.islands.shanghai.max-concurrent",
                String.valueOf(2 * LIMIT),
                "highway.islands.shanghai.max-wait",
                "5s");
        List<CompletableFuture<String>> first = fill(shop);
        List<CompletableFuture<String>> queued = new ArrayList<>();
        for (int i = 1; i < LIMIT; i++) {
            queued.add(RpcContext.getServiceContext().asyncCall(() -> shop.sell("dead")));
        }
        awaitQueued(shop);
        CompletableFuture<String> new_ = RpcContext.getServiceContext().asyncCall(() -> shop.sell("dead"));

        end.end(new_);
        queued.forEach(end::end);
        for (int i = 0; i < LIMIT; i++) { // their permits are free
            queued.set(i % queued.size(), RpcContext.getServiceContext().asyncCall(() -> shop.nothing("alive")));
        }
        hurry();

        assertThat(queued).allSatisfy(alive -> assertThat(alive).succeedsWithin(Duration.ofSeconds(10)));
        assertThat(first).allSatisfy(call -> assertThat(call).succeedsWithin(Duration.ofSeconds(10)));
        assertThat(shop.nothing("")).isNull();
        assertThat(narrow.received).extracting(ShopKeeper.Received::method).doesNotContain("sell");
    }

    @Test
    void streamsAreNeverSent_whenTheirCallersCancelThemWhileTheyWait() {
        TestApplication caller = star.consumer(star.properties(
                Tunnel.TRIPLE,
                "highway.gateways.triple",
                narrowAddress,
                "highway.heartbeat.interval",
                "none",
                "highway.defaults.timeout",
                "20s"));
        Shop shop = Highway.to("shanghai").bind(Shop.class, reference(caller, Shop.class));
        Feed feed = Highway.to("shanghai").bind(Feed.class, reference(caller, Feed.class));
        feed.count(1, new Collected<>());
        await().until(() -> begun.streams.getAndSet(0) == 1);
        List<CompletableFuture<String>> first = fill(shop);
        List<StreamObserver<String>> both = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            both.add(feed.join(new Collected<>()));
            both.get(i).onNext("dead");
        }
        Cancelable answers = new Cancelable();
        feed.count(1, answers);
        awaitQueued(shop);

        both.forEach(stream -> stream.onError(new IllegalStateException("no longer wanted")));
        answers.cancel(new IllegalStateException("no longer wanted"));
        hurry();

        assertThat(first).allSatisfy(call -> assertThat(call).succeedsWithin(Duration.ofSeconds(10)));
        feed.count(1, new Collected<>());
        await().until(() -> begun.streams.get() > 0);
        assertThat(begun.streams).hasValue(1);
    }

    private static <S> S reference(TestApplication caller, Class<S> type) {
        return caller.reference(type, config -> {
                    config.setUrl("tri://" + star.shanghai.tripleAddress);
                    config.setCheck(false);
                })
                .get();
    }

    private static final class Cancelable extends CancelableStreamObserver<String> {

        @Override
        public void onNext(String answer) {}

        @Override
        public void onError(Throwable error) {}

        @Override
        public void onCompleted() {}
    }
}
