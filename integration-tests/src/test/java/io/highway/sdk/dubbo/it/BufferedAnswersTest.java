// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.highway.sdk.Highway;
import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.internal.memory.MemoryBudget;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.apache.dubbo.common.Version;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Answers of gateways do not exhaust a caller's memory. */
@Tag("network")
class BufferedAnswersTest {

    private static final int MB = 1 << 20;
    private static final int LIMIT = 20 * MB;

    private static final List<Channel> connections = new CopyOnWriteArrayList<>();

    @SuppressWarnings("deprecation") // its successor is not in Netty 4.1
    private static NioEventLoopGroup loop;

    private static Star star;

    @BeforeAll
    @SuppressWarnings("deprecation") // Netty 4.1 has no other
    static void start() {
        loop = new NioEventLoopGroup(1, new DefaultThreadFactory("hostile-answers", true));
        star = new Star();
    }

    @AfterAll
    static void stop() {
        star.close();
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }

    private static TestApplication caller(Tunnel tunnel, String gateway, String timeout) {
        Map<String, String> properties = star.properties(
                tunnel,
                "highway.max-buffered",
                "20MB",
                "highway.defaults.timeout",
                timeout,
                "highway.heartbeat.interval",
                "none",
                "highway.defaults.breaker.failure-rate",
                "none",
                "highway.gateways." + tunnel.key(),
                gateway);
        return star.consumer(properties);
    }

    private static Shop shop(TestApplication caller) {
        Shop home = caller.reference(Shop.class, config -> {
                    config.setUrl("dubbo://" + star.homeDubbo);
                    config.setCheck(false);
                })
                .get();
        return Highway.to("shanghai").bind(Shop.class, home);
    }

    private static MemoryBudget buffered(TestApplication caller) {
        return MemoryBudget.of(caller.model().getFrameworkModel());
    }

    @ParameterizedTest
    @EnumSource
    void areDelivered_orEndAsMaybeRun_whenMoreComeThanFit(Tunnel tunnel) {
        assumeTrue(
                tunnel == Tunnel.DUBBO || !Version.getVersion().startsWith("3.2"),
                "Triple clients of Dubbo 3.2 close a connection whose window is used up (isOverFlowControl)");
        TestApplication caller = caller(tunnel, star.gatewayAddress(), "30s");
        Shop shop = shop(caller);
        ExecutorService callers = Executors.newFixedThreadPool(40);
        List<CompletableFuture<Object>> answers = new ArrayList<>();
        byte[] body = new byte[MB];

        long peak = BufferedRequestsTest.peakOf(buffered(caller), () -> {
            for (int i = 0; i < 80; i++) {
                answers.add(CompletableFuture.<Object>supplyAsync(() -> shop.pack(body), callers)
                        .exceptionally(thrown -> thrown.getCause()));
            }
            answers.forEach(CompletableFuture::join);
        });

        assertThat(answers).allSatisfy(answer -> {
            if (answer.join() instanceof HighwayException ended) {
                assertThat(ended).hasMessageContaining("highway.max-buffered");
                assertThat(ended.mayHaveRun()).isTrue();
            } else {
                assertThat((byte[]) answer.join()).hasSize(MB);
            }
        });
        assertThat(answers)
                .filteredOn(answer -> answer.join() instanceof byte[])
                .hasSizeGreaterThan(10);
        assertThat(peak).isBetween((long) MB / 2, 2L * LIMIT + 2 * MB);
        assertThat(shop.pack(body)).hasSize(MB);
        await().untilAsserted(() -> assertThat(buffered(caller).bytes()).isZero());
        callers.shutdown();
    }

    @Test
    void thatNeverEnd_takeNoMoreThanTwiceTheLimit_andEndAsMaybeRun() {
        byte[] most = new byte[6 * MB];
        Channel peer = listen(message(0, 7 * MB, most), false);
        TestApplication caller = caller(Tunnel.TRIPLE, address(peer), "4s");
        Shop shop = shop(caller);
        ExecutorService callers = Executors.newFixedThreadPool(20);
        List<CompletableFuture<Throwable>> failures = new ArrayList<>();

        long peak = BufferedRequestsTest.peakOf(buffered(caller), () -> {
            for (int i = 0; i < 20; i++) {
                failures.add(CompletableFuture.supplyAsync(() -> catchThrowable(() -> shop.sell("tea")), callers));
            }
            failures.forEach(CompletableFuture::join);
        });

        assertThat(failures).allSatisfy(failure -> assertThat(failure.join())
                .isInstanceOfSatisfying(HighwayException.class, known -> assertThat(known.mayHaveRun())
                        .isTrue()));
        assertThat(peak).isBetween(10L * MB, 2L * LIMIT + 8 * MB);
        connections.forEach(connection -> connection.close().syncUninterruptibly());
        await().untilAsserted(() -> assertThat(buffered(caller).bytes()).isZero());
        callers.shutdown();
        peer.close().syncUninterruptibly();
    }

    @ParameterizedTest
    @CsvSource({"0, 2147483647, max-buffered", "7, 10, no gRPC message", "1, -1, no memory to inflate it"})
    void thatCannotBeRead_endAtOnce_andSayWhy(int flag, int announced, String why) {
        byte[] body = announced < 0 ? MessageBombs.of("gzip", 44 * MB) : new byte[10];
        Channel peer = listen(message(flag, announced < 0 ? body.length : announced, body), true);
        TestApplication caller = caller(Tunnel.TRIPLE, address(peer), "4s");
        Shop shop = Highway.to("shanghai")
                .bind(
                        Shop.class,
                        caller.reference(Shop.class, config -> {
                                    config.setUrl("dubbo://" + star.homeDubbo);
                                    config.setCheck(false);
                                    config.setParameters(Map.of("payload", String.valueOf(64 * MB)));
                                })
                                .get());

        assertThat(catchThrowable(() -> shop.sell("tea"))).isInstanceOfSatisfying(HighwayException.class, known -> {
            assertThat(known.mayHaveRun()).isTrue();
            assertThat(known).hasMessageContaining(why);
        });
        assertThat(buffered(caller).bytes()).isZero();
        peer.close().syncUninterruptibly();
    }

    private static String address(Channel peer) {
        return FaultyStar.address(((InetSocketAddress) peer.localAddress()).getPort());
    }

    private static byte[] message(int flag, int announced, byte[] body) {
        return RawRequests.message(flag, announced, body);
    }

    /** Answers each call so. */
    private static Channel listen(byte[] answer, boolean isEnd) {
        return new ServerBootstrap()
                .group(loop)
                .channel(NioServerSocketChannel.class)
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        connections.add(channel);
                        channel.pipeline()
                                .addLast(Http2FrameCodecBuilder.forServer().build())
                                .addLast(new Http2MultiplexHandler(new ChannelInitializer<>() {
                                    @Override
                                    protected void initChannel(Channel stream) {
                                        stream.pipeline().addLast(new Answering(answer, isEnd));
                                    }
                                }));
                    }
                })
                .bind(InetAddress.getLoopbackAddress(), 0)
                .syncUninterruptibly()
                .channel();
    }

    private static final class Answering extends ChannelInboundHandlerAdapter {

        private final byte[] answer;
        private final boolean isEnd;

        Answering(byte[] answer, boolean isEnd) {
            this.answer = answer;
            this.isEnd = isEnd;
        }

        @Override
        @SuppressWarnings("FutureReturnValueIgnored")
        public void channelRead(ChannelHandlerContext context, Object message) {
            boolean complete = message instanceof Http2DataFrame data && data.isEndStream();
            ReferenceCountUtil.release(message);
            if (!complete) {
                return;
            }
            Http2Headers headers = new DefaultHttp2Headers()
                    .status("200")
                    .set("content-type", "application/grpc+proto")
                    .set("grpc-encoding", "gzip");
            context.write(new DefaultHttp2HeadersFrame(headers));
            context.writeAndFlush(new DefaultHttp2DataFrame(Unpooled.wrappedBuffer(answer)));
            if (isEnd) {
                Http2Headers trailers = new DefaultHttp2Headers().set("grpc-status", "0");
                context.writeAndFlush(new DefaultHttp2HeadersFrame(trailers, true));
            }
        }
    }
}
