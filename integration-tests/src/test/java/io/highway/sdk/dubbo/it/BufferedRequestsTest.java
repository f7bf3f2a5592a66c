// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.highway.sdk.dubbo.internal.memory.MemoryBudget;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.util.ReferenceCountUtil;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.apache.dubbo.common.Version;
import org.apache.dubbo.common.stream.StreamObserver;
import org.apache.dubbo.rpc.RpcContext;
import org.apache.dubbo.rpc.RpcException;
import org.apache.dubbo.rpc.protocol.tri.observer.ClientCallToObserverAdapter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests of strangers and of home do not exhaust a provider's memory, and do not hold up those of other connections. */
@Tag("network")
class BufferedRequestsTest {

    private static final int MB = 1 << 20;
    private static final int LIMIT = 8 * MB;

    private final RawRequests raw = new RawRequests();

    @AfterEach
    void close() {
        raw.close();
    }

    /** The most bytes that are buffered meanwhile. */
    private static long peakOf(GuardedIsland shanghai, Runnable work) {
        return peakOf(shanghai.buffered(), work);
    }

    static long peakOf(MemoryBudget buffered, Runnable work) {
        AtomicBoolean ended = new AtomicBoolean();
        AtomicLong peak = new AtomicLong();
        Thread watching = new Thread(() -> {
            while (!ended.get()) {
                peak.accumulateAndGet(buffered.bytes(), Math::max);
                LockSupport.parkNanos(20_000);
            }
        });
        watching.setDaemon(true);
        watching.start();
        work.run();
        ended.set(true);
        return peak.get();
    }

    private static Shop plainShop(GuardedIsland shanghai, Tunnel tunnel) {
        Shop shop = shanghai.plain()
                .reference(Shop.class, config -> {
                    config.setUrl(shanghai.providerUrl(tunnel));
                    config.setTimeout(30_000);
                })
                .get();
        await().ignoreExceptions().until(() -> shop.sell("tea").equals("shanghai:tea")); // it connects later
        return shop;
    }

    @ParameterizedTest
    @EnumSource
    void ofHome_areServed_whenMoreComeThanFit(Tunnel tunnel) {
        assumeTrue(
                tunnel == Tunnel.DUBBO || !Version.getVersion().startsWith("3.2"),
                "Triple clients of Dubbo 3.2 close a connection whose window is used up (isOverFlowControl)");
        try (GuardedIsland shanghai = new GuardedIsland("highway.max-buffered", "8MB")) {
            Shop shop = plainShop(shanghai, tunnel);
            ExecutorService callers = Executors.newFixedThreadPool(30);
            List<CompletableFuture<byte[]>> answers = new CopyOnWriteArrayList<>();

            long peak = peakOf(shanghai, () -> {
                for (int i = 0; i < 60; i++) {
                    answers.add(CompletableFuture.supplyAsync(() -> shop.pack(new byte[MB]), callers));
                }
                answers.forEach(CompletableFuture::join);
            });

            assertThat(answers).allSatisfy(answer -> assertThat(answer.join()).hasSize(MB));
            assertThat(peak).isBetween((long) MB, LIMIT + 2L * MB);
            await().untilAsserted(() -> assertThat(shanghai.buffered().bytes()).isZero());
            callers.shutdown();
        }
    }

    @ParameterizedTest
    @EnumSource
    void thatStall_holdUpNoOtherConnection(Tunnel tunnel) {
        try (GuardedIsland shanghai = new GuardedIsland("highway.max-buffered", "8MB")) {
            int peers = 40;
            byte[] most = new byte[MB / 2];
            List<CompletableFuture<String>> refusals = new ArrayList<>();

            for (int i = 0; i < peers; i++) {
                Channel connection = raw.connect(shanghai, tunnel);
                CompletableFuture<String> refusal = new CompletableFuture<>();
                refusals.add(refusal);
                if (tunnel == Tunnel.DUBBO) {
                    connection.pipeline().addLast(new ChannelInboundHandlerAdapter() {
                        @Override
                        public void channelRead(ChannelHandlerContext context, Object message) {
                            refusal.complete(((ByteBuf) message).toString(US_ASCII));
                            ReferenceCountUtil.release(message);
                        }
                    });
                    ByteBuffer frame = ByteBuffer.allocate(16 + most.length).putShort((short) 0xdabb);
                    frame.put((byte) 0xc2).put((byte) 0).putLong(i).putInt(MB);
                    connection.writeAndFlush(Unpooled.wrappedBuffer(frame.array()));
                } else {
                    raw.call(connection, Map.of(), Map.of(), RawRequests.message(0, MB, most), false)
                            .thenAccept(headers -> refusal.complete(
                                    QueryStringDecoder.decodeComponent("" + headers.get("highway-refused"))));
                }
            }
            await().untilAsserted(() -> assertThat(shanghai.buffered().bytes()).isGreaterThan(LIMIT));

            Shop shop = plainShop(shanghai, tunnel);
            for (int i = 0; i < 20; i++) {
                assertThat(shop.sell("tea")).isEqualTo("shanghai:tea");
            }
            assertThat(shanghai.buffered().bytes()).isLessThan(LIMIT + peers * 2L * MemoryBudget.STEP + MB);
            assertThat(CompletableFuture.anyOf(refusals.toArray(CompletableFuture[]::new)))
                    .as("what makes no progress for ten seconds has not run")
                    .succeedsWithin(Duration.ofSeconds(20))
                    .asString()
                    .contains("shanghai;busy; its request waited for memory");
            raw.close();
            await().untilAsserted(() -> assertThat(shanghai.buffered().bytes()).isZero());
        }
    }

    /** Plain callers, and a service that keeps its calls until the test ends them. */
    private static final class BusyIsland implements AutoCloseable {

        final CountDownLatch end = new CountDownLatch(1);
        final AtomicInteger running = new AtomicInteger();
        final AtomicInteger ended = new AtomicInteger();
        final TestApplication shanghai =
                new TestApplication("shanghai", Map.of("highway.island", "shanghai", "highway.max-buffered", "8MB"));
        final TestApplication caller = new TestApplication("zhejiang", Map.of("highway.enabled", "false"));
        final MemoryBudget buffered = MemoryBudget.of(shanghai.model().getFrameworkModel());
        final Shop shop;

        BusyIsland() {
            String address = shanghai.listen("dubbo");
            shanghai.export(
                            Shop.class,
                            new ShopKeeper("shanghai") {
                                @Override
                                public byte[] pack(byte[] content) {
                                    running.incrementAndGet();
                                    try {
                                        boolean unused = end.await(30, TimeUnit.SECONDS);
                                    } catch (InterruptedException e) {
                                        throw new IllegalStateException(e);
                                    }
                                    ended.incrementAndGet();
                                    return new byte[0];
                                }
                            },
                            service -> {})
                    .start();
            shop = caller.reference(Shop.class, config -> {
                        config.setUrl("dubbo://" + address);
                        config.setTimeout(500);
                        config.setRetries(0);
                    })
                    .get();
            await().ignoreExceptions().until(() -> shop.sell("tea").equals("shanghai:tea"));
        }

        @Override
        public void close() {
            end.countDown();
            caller.close();
            shanghai.close();
        }
    }

    /** Nothing tells the provider's connection that such a call has ended. */
    @Test
    void thatWantNoAnswer_countUntilTheyHaveEnded() {
        try (BusyIsland shanghai = new BusyIsland()) {
            for (int i = 0; i < 20; i++) {
                RpcContext.getServiceContext().asyncCall(() -> {
                    shanghai.shop.pack(new byte[MB]);
                });
            }

            await().until(() -> shanghai.running.get() > 1);
            await().during(Duration.ofSeconds(1)).untilAsserted(() -> {
                assertThat(shanghai.running).hasValueLessThan(10);
                assertThat(shanghai.buffered.bytes()).isGreaterThan(2L * MB);
            });
            shanghai.end.countDown();
            await().atMost(Duration.ofSeconds(9))
                    .untilAsserted(() -> assertThat(shanghai.ended).hasValue(20));
            await().untilAsserted(() -> assertThat(shanghai.buffered.bytes()).isZero());
        }
    }

    /** Dubbo runs them. */
    @Test
    void whoseCallerHasGone_countWhileTheyRun() {
        try (BusyIsland shanghai = new BusyIsland()) {
            assertThatThrownBy(() -> shanghai.shop.pack(new byte[MB])).isInstanceOf(RpcException.class);
            await().untilAsserted(() -> assertThat(shanghai.running).hasValue(1));

            shanghai.caller.close();

            await().during(Duration.ofSeconds(2))
                    .untilAsserted(() -> assertThat(shanghai.buffered.bytes()).isGreaterThan(MB - 1));
        }
    }

    /** Of a caller that forges ids: an answer does not tell which request it belongs to. */
    @Test
    void withTheIdOfAnother_countUntilTheyHaveEnded() {
        try (GuardedIsland shanghai = new GuardedIsland("highway.max-buffered", "8MB")) {
            Channel connection = raw.connect(shanghai, Tunnel.DUBBO);
            int size = 100 * 1024;
            ByteBuffer frame = ByteBuffer.allocate(16 + size).putShort((short) 0xdabb);
            frame.put((byte) 0xc2).put((byte) 0).putLong(7).putInt(size); // its content is malformed

            for (int i = 0; i < 20; i++) { // several of which are read before the answer to the first is written
                connection.writeAndFlush(Unpooled.wrappedBuffer(frame.array()));
            }

            await().during(Duration.ofSeconds(1))
                    .untilAsserted(() -> assertThat(shanghai.buffered().bytes()).isGreaterThan(size));
        }
    }

    /** Their windows together exceed a quarter of the limit, and what others have sent must not take the connection's. */
    @Test
    void interleavedOnOneConnection_areAllRead() {
        try (GuardedIsland shanghai = new GuardedIsland("highway.max-buffered", "16MB")) {
            Channel connection = raw.connect(shanghai, Tunnel.TRIPLE);

            List<CompletableFuture<Http2Headers>> answers = interleaved(shanghai, connection, 20, 80);

            assertThat(answers).allSatisfy(answer -> assertThat(answer)
                    .succeedsWithin(Duration.ofSeconds(9))
                    .satisfies(headers ->
                            assertThat(headers.get("highway-refused")).isNull()));
        }
    }

    /** What the others have sent unasked leaves no room for the oldest, so some of them are refused at once. */
    @Test
    void interleavedOnOneConnection_doNotHoldUpTheOldest() {
        try (GuardedIsland shanghai = new GuardedIsland("highway.max-buffered", "16MB")) {
            Channel connection = raw.connect(shanghai, Tunnel.TRIPLE);

            List<CompletableFuture<Http2Headers>> answers = interleaved(shanghai, connection, 20, 380);

            List<Http2Headers> all = new ArrayList<>();
            assertThat(answers).allSatisfy(answer -> assertThat(answer)
                    .succeedsWithin(Duration.ofSeconds(9))
                    .satisfies(all::add));
            assertThat(all)
                    .filteredOn(headers -> headers.contains("highway-refused"))
                    .hasSizeLessThan(300);
            await().untilAsserted(() -> assertThat(shanghai.buffered().bytes()).isZero());
        }
    }

    /** Requests of 1 MB, of which the first use up their connection's share before the others begin. */
    private List<CompletableFuture<Http2Headers>> interleaved(
            GuardedIsland shanghai, Channel connection, int first, int others) {
        byte[] message = RawRequests.message(0, MB, new byte[MB]);
        byte[] begun = Arrays.copyOf(message, MB / 4);
        byte[] rest = Arrays.copyOfRange(message, MB / 4, message.length);
        List<CompletableFuture<Http2Headers>> answers = new ArrayList<>();
        for (int i = 0; i < first; i++) {
            answers.add(raw.call(connection, Map.of(), Map.of(), begun, false));
        }
        await().untilAsserted(() -> assertThat(shanghai.buffered().bytes()).isGreaterThan(4 * MB));
        List<Channel> unended = List.copyOf(raw.streams);

        for (int i = 0; i < others; i++) {
            answers.add(raw.call(connection, Map.of(), Map.of(), message, true));
        }
        unended.forEach(stream -> stream.writeAndFlush(new DefaultHttp2DataFrame(Unpooled.wrappedBuffer(rest), true)));
        return answers;
    }

    private static Feed slowFeed(TestApplication shanghai, TestApplication caller, CountDownLatch reading) {
        String address = shanghai.listen("tri");
        shanghai.export(Feed.class, new SlowFeed(reading), service -> {}).start();
        return caller.reference(Feed.class, config -> config.setUrl("tri://" + address))
                .get();
    }

    /** The oldest may grow over the limit, but a stream has no end. */
    @Test
    void ofAStreamThatIsNotRead_waitForTheService() throws Exception {
        assumeTrue(
                !Version.getVersion().startsWith("3.2"),
                "Triple clients of Dubbo 3.2 close a connection whose window is used up (isOverFlowControl)");
        CountDownLatch reading = new CountDownLatch(1);
        CompletableFuture<Integer> sum = new CompletableFuture<>();
        try (TestApplication shanghai = new TestApplication(
                        "shanghai", Map.of("highway.island", "shanghai", "highway.max-buffered", "8MB"));
                TestApplication caller = new TestApplication("zhejiang", Map.of("highway.enabled", "false"))) {
            Feed feed = slowFeed(shanghai, caller, reading);
            MemoryBudget buffered = MemoryBudget.of(shanghai.model().getFrameworkModel());
            String message = "x".repeat(MB);

            long peak = peakOf(buffered, () -> {
                StreamObserver<String> requests = feed.sum(new Answer(sum));
                for (int i = 0; i < 40; i++) {
                    requests.onNext(message);
                }
                requests.onCompleted();
                await().untilAsserted(() -> assertThat(buffered.bytes()).isGreaterThan(MB));
                await().during(Duration.ofSeconds(1))
                        .untilAsserted(() -> assertThat(buffered.bytes()).isLessThan(LIMIT));
                reading.countDown();
                assertThat(sum).succeedsWithin(Duration.ofSeconds(20)).isEqualTo(40 * MB);
            });

            assertThat(peak).isBetween((long) MB, LIMIT + 2L * MB);
            await().untilAsserted(() -> assertThat(buffered.bytes()).isZero());
        }
    }

    /** A caller may begin and reset streams faster than the service reads what it has got. */
    @Test
    void ofAStreamThatIsReset_countWhileTheServiceHasThem() {
        assumeTrue(
                !Version.getVersion().startsWith("3.2"),
                "Triple clients of Dubbo 3.2 close a connection whose window is used up (isOverFlowControl)");
        CountDownLatch reading = new CountDownLatch(1);
        try (TestApplication shanghai = new TestApplication(
                        "shanghai", Map.of("highway.island", "shanghai", "highway.max-buffered", "8MB"));
                TestApplication caller = new TestApplication("zhejiang", Map.of("highway.enabled", "false"))) {
            Feed feed = slowFeed(shanghai, caller, reading);
            MemoryBudget buffered = MemoryBudget.of(shanghai.model().getFrameworkModel());
            StreamObserver<String> requests = feed.sum(new Answer(new CompletableFuture<>()));
            requests.onNext("x".repeat(MB));
            await().untilAsserted(() -> assertThat(buffered.bytes()).isGreaterThan(MB));

            requests.onError(new IllegalStateException("reset"));

            await().during(Duration.ofSeconds(2))
                    .untilAsserted(() -> assertThat(buffered.bytes()).isGreaterThan(MB));
            reading.countDown();
            await().atMost(Duration.ofSeconds(20))
                    .untilAsserted(() -> assertThat(buffered.bytes()).isZero());
        }
    }

    /** What they take while they are inflated and what is passed on are two sizes. */
    @Test
    void ofAStreamThatInflates_countNoLongerThanTheyAreRead() {
        CountDownLatch reading = new CountDownLatch(0);
        List<String> echoes = new CopyOnWriteArrayList<>();
        try (TestApplication shanghai = new TestApplication("shanghai", Map.of("highway.island", "shanghai"));
                TestApplication caller = new TestApplication("zhejiang", Map.of("highway.enabled", "false"))) {
            Feed feed = slowFeed(shanghai, caller, reading);
            MemoryBudget buffered = MemoryBudget.of(shanghai.model().getFrameworkModel());
            StreamObserver<String> requests = feed.join(new StreamObserver<>() {
                @Override
                public void onNext(String answer) {
                    echoes.add(answer);
                }

                @Override
                public void onError(Throwable failure) {
                    echoes.add(failure.toString());
                }

                @Override
                public void onCompleted() {}
            });

            ((ClientCallToObserverAdapter<?>) requests).setCompression("gzip");
            for (int i = 0; i < 1000; i++) {
                requests.onNext("tea");
            }

            await().until(() -> echoes.size() == 1000);
            assertThat(echoes).containsOnly("tea");
            assertThat(buffered.bytes()).isBetween(0L, 64L * 1024);
            requests.onCompleted();
            await().untilAsserted(() -> assertThat(buffered.bytes()).isZero());
        }
    }

    /** Reads nothing until the test starts it, and echoes. */
    private record SlowFeed(CountDownLatch reading) implements Feed {

        @Override
        public void count(Integer to, StreamObserver<String> answers) {
            throw new UnsupportedOperationException();
        }

        @Override
        public StreamObserver<String> join(StreamObserver<String> answers) {
            return answers;
        }

        @Override
        public StreamObserver<String> sum(StreamObserver<Integer> answer) {
            return new StreamObserver<>() {

                private int sum;

                @Override
                public void onNext(String message) {
                    try {
                        boolean unused = reading.await(20, TimeUnit.SECONDS);
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                    sum += message.length();
                }

                @Override
                public void onError(Throwable failure) {
                    answer.onError(failure);
                }

                @Override
                public void onCompleted() {
                    answer.onNext(sum);
                    answer.onCompleted();
                }
            };
        }
    }

    private record Answer(CompletableFuture<Integer> sum) implements StreamObserver<Integer> {

        @Override
        public void onNext(Integer answer) {
            sum.complete(answer);
        }

        @Override
        public void onError(Throwable failure) {
            sum.completeExceptionally(failure);
        }

        @Override
        public void onCompleted() {}
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "zstd"})
    void thatInflate_takeNoMoreThanTheLimit(String encoding) {
        try (GuardedIsland shanghai = new GuardedIsland("highway.max-buffered", "8MB")) {
            byte[] bomb = MessageBombs.of(encoding, 4 * MB);
            List<CompletableFuture<Http2Headers>> answers = new ArrayList<>();

            long peak = peakOf(shanghai, () -> {
                for (int i = 0; i < 40; i++) {
                    Map<String, String> headers = Map.of("grpc-encoding", encoding);
                    answers.add(raw.call(
                            raw.connect(shanghai, Tunnel.TRIPLE),
                            headers,
                            Map.of(),
                            RawRequests.message(1, bomb.length, bomb),
                            true));
                }
                answers.forEach(CompletableFuture::join);
            });

            int inflatedAtOnce = Runtime.getRuntime().availableProcessors();
            assertThat(peak).isBetween(4L * MB, LIMIT + (1 + inflatedAtOnce) * 5L * MB);
            assertThat(plainShop(shanghai, Tunnel.TRIPLE).sell("tea")).isEqualTo("shanghai:tea");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"sell", "$invoke"})
    void withoutASignature_areRefusedBeforeTheirDataIsRead(String method) {
        try (GuardedIsland shanghai = new GuardedIsland(
                "highway.guard.require", "signature",
                "highway.guard.home", "127.0.0.1",
                "highway.sign.accept.zj", "0123456789abcdef0123456789abcdef")) {
            byte[] bomb = MessageBombs.of("zstd", 8 * MB - 1024);
            Map<String, String> routed = Map.of("highway-island", "shanghai", "highway-from", "zhejiang/orders/1");
            List<CompletableFuture<Http2Headers>> answers = new ArrayList<>();

            long peak = peakOf(shanghai, () -> {
                for (int i = 0; i < 20; i++) {
                    Map<String, String> headers = Map.of(
                            "grpc-encoding",
                            "zstd",
                            "tri-consumer-appname",
                            "orders",
                            ":path",
                            "/" + Shop.class.getName() + "/" + method);
                    answers.add(raw.call(
                            raw.connect(shanghai, Tunnel.TRIPLE),
                            headers,
                            routed,
                            RawRequests.message(1, bomb.length, bomb),
                            true));
                }
                answers.forEach(CompletableFuture::join);
            });

            assertThat(answers).allSatisfy(answer -> {
                assertThat(answer.join().get("grpc-status")).hasToString("7");
                assertThat(String.valueOf(answer.join().get("highway-refused"))).startsWith("shanghai%3Bunsigned");
            });
            assertThat(peak).isLessThan(MB);
            assertThat(shanghai.events).hasSize(20);
        }
    }
}
