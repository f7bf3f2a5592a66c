// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.Http2SettingsFrame;
import io.netty.util.ReferenceCountUtil;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.dubbo.common.Version;
import org.apache.dubbo.common.stream.StreamObserver;
import org.apache.dubbo.rpc.protocol.tri.compressor.DeCompressor;
import org.apache.dubbo.rpc.protocol.tri.compressor.Snappy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a peer without a key can write to a provider does not stop the calls of others. */
@Tag("network")
class HostileRequestsTest {

    private static final int MB = 1 << 20;

    private final RawRequests raw = new RawRequests();

    @AfterEach
    void close() {
        raw.close();
    }

    private static GuardedIsland island() {
        return new GuardedIsland("highway.max-buffered", "8MB");
    }

    /** As where the library is not on the class path, which Dubbo does not bring. */
    public static final class SnappyWithoutLibrary extends Snappy {

        @Override
        public byte[] decompress(byte[] message) {
            throw new NoClassDefFoundError("org/xerial/snappy/Snappy");
        }
    }

    @Test
    @SuppressWarnings("deprecation") // there is no other way to replace an extension
    void whoseMessagesEndInAnError_takeNoPlaceOfOthers() {
        try (GuardedIsland shanghai = island()) {
            shanghai.application
                    .model()
                    .getFrameworkModel()
                    .getExtensionLoader(DeCompressor.class)
                    .replaceExtension("snappy", SnappyWithoutLibrary.class);
            byte[] snappy = {1, 0, 'x'};

            for (int i = 0; i <= Runtime.getRuntime().availableProcessors(); i++) {
                assertThat(raw.call(
                                raw.connect(shanghai, Tunnel.TRIPLE),
                                Map.of("grpc-encoding", "snappy", ":path", "/nobody/knows"),
                                Map.of(),
                                RawRequests.message(1, snappy.length, snappy),
                                true))
                        .succeedsWithin(Duration.ofSeconds(9));
            }

            byte[] gzip = MessageBombs.of("gzip", 1024);
            assertThat(raw.call(
                            raw.connect(shanghai, Tunnel.TRIPLE),
                            Map.of("grpc-encoding", "gzip"),
                            Map.of(),
                            RawRequests.message(1, gzip.length, gzip),
                            true))
                    .as("inflated, and then refused by the service")
                    .succeedsWithin(Duration.ofSeconds(5))
                    .satisfies(headers -> assertThat(headers.get("grpc-status")).isNotNull());
        }
    }

    /** Netty keeps a frame until it is whole, before anything can count it. */
    @Test
    void mayHaveSmallFramesOnly() {
        try (GuardedIsland shanghai = island()) {
            CompletableFuture<Http2Settings> settings = new CompletableFuture<>();

            raw.connect(shanghai.providerUrl(Tunnel.TRIPLE), new ChannelInitializer<>() {
                @Override
                protected void initChannel(Channel client) {
                    client.pipeline()
                            .addLast(Http2FrameCodecBuilder.forClient().build())
                            .addLast(new ChannelInboundHandlerAdapter() {
                                @Override
                                public void channelRead(ChannelHandlerContext context, Object message) {
                                    if (message instanceof Http2SettingsFrame frame) {
                                        settings.complete(frame.settings());
                                    }
                                }
                            })
                            .addLast(new Http2MultiplexHandler(new ChannelInboundHandlerAdapter()));
                }
            });

            assertThat(settings)
                    .succeedsWithin(Duration.ofSeconds(9))
                    .satisfies(announced -> assertThat(announced.maxFrameSize()).isEqualTo(16 * 1024));
        }
    }

    /** One byte on the wire is a reference to a header of 35 bytes. */
    @Test
    void withManyHeaders_areRefused_beforeTheyFillTheMemory() {
        try (GuardedIsland shanghai = island()) {
            Channel connection = raw.connect(shanghai, Tunnel.TRIPLE);
            Map<String, String> many =
                    IntStream.range(0, 200).boxed().collect(Collectors.toMap(i -> "x" + i, i -> "y".repeat(90)));
            List<CompletableFuture<Http2Headers>> answers = new ArrayList<>();

            for (int i = 0; i < 200; i++) {
                answers.add(raw.call(connection, many, Map.of(), new byte[0], false));
            }

            assertThat(answers.get(199)).succeedsWithin(Duration.ofSeconds(9)).satisfies(headers -> assertThat(
                            String.valueOf(headers.get("highway-refused")))
                    .contains("busy"));
            assertThat(answers.stream().filter(CompletableFuture::isDone)).hasSizeGreaterThan(140);
            assertThat(shanghai.buffered().bytes()).isLessThan(2L * MB);
            assertThat(raw.streams.get(199).closeFuture().awaitUninterruptibly(5000))
                    .as("what belongs to a refused one is not kept until its caller ends it")
                    .isTrue();
            connection.close().syncUninterruptibly();
            await().untilAsserted(() -> assertThat(shanghai.buffered().bytes()).isZero());
        }
    }

    /** Of two messages and more than fits: the place of the one that all wait for is not kept by who waits for nothing. */
    @Test
    void ofAQuietStreamBesideABurst_holdUpNobody() throws Exception {
        assumeTrue(
                !Version.getVersion().startsWith("3.2"),
                "Triple clients of Dubbo 3.2 close a connection whose window is used up (isOverFlowControl)");
        try (GuardedIsland shanghai = island()) {
            TestApplication caller = shanghai.plain();
            Shop shop = caller.reference(Shop.class, config -> {
                        config.setUrl(shanghai.providerUrl(Tunnel.TRIPLE));
                        config.setTimeout(30_000);
                    })
                    .get();
            Feed feed = caller.reference(Feed.class, config -> config.setUrl(shanghai.providerUrl(Tunnel.TRIPLE)))
                    .get();
            await().ignoreExceptions().until(() -> shop.sell("tea").equals("shanghai:tea"));
            Collected<String> answers = new Collected<>();
            StreamObserver<String> questions = feed.join(answers);
            questions.onNext("first");
            ExecutorService callers = Executors.newFixedThreadPool(60);
            List<CompletableFuture<byte[]>> packed = new ArrayList<>();

            for (int i = 0; i < 60; i++) {
                packed.add(CompletableFuture.supplyAsync(() -> shop.pack(new byte[MB]), callers));
                if (i % 10 == 0) {
                    questions.onNext("meanwhile");
                }
            }

            assertThat(packed).allSatisfy(answer -> assertThat(answer.get()).hasSize(MB));
            questions.onNext("last");
            await().untilAsserted(() -> assertThat(answers.values).hasSize(8));
            assertThat(answers.done).isNotDone();
            questions.onCompleted();
            callers.shutdown();
        }
    }

    /** The request of a call with a text of 1 KB, {@code TripleRequestWrapper}. */
    private static byte[] sell() {
        ByteBuffer request = ByteBuffer.allocate(1058);
        request.put((byte) 0x0a).put((byte) 8).put("hessian4".getBytes(US_ASCII));
        request.put((byte) 0x12).putShort((short) 0x8308).put((byte) 'S').putShort((short) 1024);
        request.put("x".repeat(1024).getBytes(US_ASCII));
        request.put((byte) 0x1a).put((byte) 16).put("java.lang.String".getBytes(US_ASCII));
        return request.array();
    }

    /** Behind a gateway they share a connection with those of others. */
    @Test
    void withoutAnEnd_holdUpNoOtherOfTheirConnection() {
        try (GuardedIsland shanghai = island()) {
            raw.connect(shanghai, Tunnel.TRIPLE); // the first connection has a larger window
            Channel connection = raw.connect(shanghai, Tunnel.TRIPLE);
            byte[] request = sell();
            byte[] message = RawRequests.message(0, request.length, request);
            for (int i = 0; i < 200; i++) {
                CompletableFuture<Http2Headers> unused = raw.call(connection, Map.of(), Map.of(), message, false);
            }

            assertThat(raw.call(connection, Map.of(), Map.of(), message, true)).succeedsWithin(Duration.ofSeconds(5));
        }
    }

    /** Their answers have ended, and their callers end nothing. */
    @Test
    void thatAreAnswered_countNoLonger() {
        try (GuardedIsland shanghai = new GuardedIsland("highway.max-buffered", "16MB")) {
            Channel connection = raw.connect(shanghai, Tunnel.TRIPLE);
            byte[] message = MessageBombs.of("zstd", 15 * 1024);
            List<CompletableFuture<Http2Headers>> answers = new ArrayList<>();

            for (int i = 0; i < 400; i++) {
                answers.add(raw.call(
                        connection,
                        Map.of("grpc-encoding", "zstd"),
                        Map.of(),
                        RawRequests.message(1, message.length, message),
                        false));
            }

            assertThat(answers).allSatisfy(answer -> assertThat(answer).succeedsWithin(Duration.ofSeconds(9)));
            await().untilAsserted(() -> assertThat(shanghai.buffered().bytes()).isZero());
        }
    }

    /** It has one message, and its first answer comes late. */
    @Test
    void thatStall_endNoQuietStream() throws Exception {
        try (GuardedIsland shanghai = island()) {
            Feed feed = shanghai.plain()
                    .reference(Feed.class, config -> config.setUrl(shanghai.providerUrl(Tunnel.TRIPLE)))
                    .get();
            Collected<Integer> sum = new Collected<>();
            StreamObserver<String> numbers = feed.sum(sum);
            numbers.onNext("1");
            List<CompletableFuture<Http2Headers>> stalled = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                stalled.add(raw.call(
                        raw.connect(shanghai, Tunnel.TRIPLE),
                        Map.of(),
                        Map.of(),
                        RawRequests.message(0, MB, new byte[MB / 2]),
                        false));
            }

            assertThat(CompletableFuture.anyOf(stalled.toArray(CompletableFuture[]::new)))
                    .succeedsWithin(Duration.ofSeconds(20));
            assertThat(sum.done).isNotDone();
            numbers.onNext("2");
            numbers.onCompleted();
            assertThat(sum.all()).hasSize(1);
        }
    }

    /** A frame of Dubbo that never fits: its neighbours on the connection go on. */
    @Test
    void largerThanTheLimit_areRefused_andTheConnectionGoesOn() {
        try (GuardedIsland shanghai = new GuardedIsland("highway.max-buffered", "1MB")) {
            StringBuffer refusal = new StringBuffer();
            Channel connection = raw.connect(shanghai.providerUrl(Tunnel.DUBBO), new ChannelInboundHandlerAdapter() {
                @Override
                public void channelRead(ChannelHandlerContext context, Object message) {
                    refusal.append(((ByteBuf) message).toString(US_ASCII));
                    ReferenceCountUtil.release(message);
                }
            });
            ByteBuffer frame = ByteBuffer.allocate(16 + 2 * MB).putShort((short) 0xdabb);
            frame.put((byte) 0xc2).put((byte) 0).putLong(7).putInt(2 * MB);

            connection.writeAndFlush(Unpooled.wrappedBuffer(frame.array()));

            await().untilAsserted(() -> assertThat(refusal).contains("shanghai;busy; it has " + 2 * MB + " bytes"));
            assertThat(connection.closeFuture().awaitUninterruptibly(500)).isFalse();
            await().untilAsserted(() -> assertThat(shanghai.buffered().bytes()).isZero());
        }
    }
}
