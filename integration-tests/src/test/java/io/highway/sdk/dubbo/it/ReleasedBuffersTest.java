// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.highway.sdk.Highway;
import io.highway.sdk.dubbo.HighwayException;
import io.highway.tools.fixtures.faults.FaultyLink;
import io.highway.tools.fixtures.faults.FaultyLinks;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.util.ReferenceCountUtil;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.dubbo.rpc.RpcContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Netty's buffers of calls that end early are released: what leaks is memory outside of the heap, until there is none. */
@Tag("network")
class ReleasedBuffersTest {

    private static final int CALLS = 10;
    private static final int FEW_STREAMS = 4;
    private static final int ROUNDS = 3;
    private static final int CALLS_OF_A_ROUND = 80;

    private static EventLoopGroup loop;
    private static Star star;

    /** How an answer ends. */
    enum End {
        RESET,
        CONNECTION_LOST,
        TIMEOUT
    }

    @BeforeAll
    @SuppressWarnings("deprecation") // its successor is not in Netty 4.1
    static void start() {
        loop = new NioEventLoopGroup(1);
        star = new Star();
    }

    @AfterAll
    static void stop() {
        star.close();
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }

    @Test
    void ofAnswersThatEndBeforeTheyAreWhole() throws Exception {
        try (BufferLeaks leaks = new BufferLeaks()) {
            for (End end : End.values()) {
                Channel peer = listen(end, Integer.MAX_VALUE);
                Shop shop = shop(peer);
                for (int i = 0; i < CALLS; i++) {
                    assertThat(call(shop, end, i % 2 == 0)).isInstanceOf(HighwayException.class);
                }
                peer.close().syncUninterruptibly();
            }

            assertNone(leaks);
        }
    }

    @ParameterizedTest
    @EnumSource
    void ofRequestsWhoseConnectionIsLost(Tunnel tunnel) throws Exception {
        try (BufferLeaks leaks = new BufferLeaks();
                FaultyLinks links = new FaultyLinks()) {
            FaultyLink link = links.link(0, star.gateway().port());
            Shop shop = shop(tunnel, FaultyStar.address(link.port()));
            byte[] body = new byte[20_000];
            for (int round = 0; round < ROUNDS; round++) {
                await().atMost(Duration.ofSeconds(20)).ignoreExceptions().until(() -> shop.sell("tea") != null);
                List<CompletableFuture<byte[]>> calls = new ArrayList<>();
                for (int i = 0; i < CALLS_OF_A_ROUND; i++) {
                    if (i == CALLS_OF_A_ROUND / 2) {
                        link.reset();
                    }
                    calls.add(RpcContext.getServiceContext().asyncCall(() -> shop.pack(body)));
                }
                CompletableFuture.allOf(calls.toArray(CompletableFuture[]::new))
                        .exceptionally(any -> null)
                        .get(20, TimeUnit.SECONDS);
            }

            assertNone(leaks);
        }
    }

    /** By their timeout, and with their connection. */
    @Test
    void ofRequestsThatWaitForAStreamInVain() throws Exception {
        try (BufferLeaks leaks = new BufferLeaks();
                FaultyLinks links = new FaultyLinks()) {
            Channel peer = listen(End.TIMEOUT, FEW_STREAMS);
            FaultyLink link = links.link(0, port(peer));
            Shop shop = shop(Tunnel.TRIPLE, FaultyStar.address(link.port()));
            byte[] body = new byte[20_000];
            for (boolean lost : new boolean[] {false, true}) {
                List<CompletableFuture<byte[]>> calls = new ArrayList<>();
                for (int i = 0; i < 10 * FEW_STREAMS; i++) {
                    RpcContext.getClientAttachment().setAttachment("timeout", lost ? "2000" : "300");
                    calls.add(RpcContext.getServiceContext().asyncCall(() -> shop.pack(body)));
                }
                if (lost) {
                    link.reset();
                }
                assertThat(calls).allSatisfy(call -> assertThat(call).failsWithin(Duration.ofSeconds(10)));
            }
            peer.close().syncUninterruptibly();

            assertNone(leaks);
        }
    }

    private static void assertNone(BufferLeaks leaks) {
        assertThat(leaks.collect()).isEmpty();
    }

    private static Shop shop(Channel peer) {
        return shop(Tunnel.TRIPLE, FaultyStar.address(port(peer)));
    }

    private static int port(Channel peer) {
        return ((InetSocketAddress) peer.localAddress()).getPort();
    }

    private static Shop shop(Tunnel tunnel, String address) {
        return Highway.to("shanghai")
                .bind(
                        Shop.class,
                        star.shop(
                                tunnel,
                                "highway.gateways." + tunnel.key(),
                                address,
                                "highway.heartbeat.interval",
                                "none",
                                "highway.defaults.breaker.failure-rate",
                                "none"));
    }

    private static Throwable call(Shop shop, End end, boolean async) {
        RpcContext.getClientAttachment().setAttachment("timeout", end == End.TIMEOUT ? "150" : "5000");
        Throwable thrown = catchThrowable(() -> {
            if (async) {
                shop.sellLater("tea").get(10, TimeUnit.SECONDS);
            } else {
                shop.sell("tea");
            }
        });
        return thrown instanceof ExecutionException ? thrown.getCause() : thrown;
    }

    /** Answers each call with a message that is announced as larger than what comes. */
    private static Channel listen(End end, int streams) {
        return new ServerBootstrap()
                .group(loop)
                .channel(NioServerSocketChannel.class)
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        channel.pipeline()
                                .addLast(Http2FrameCodecBuilder.forServer()
                                        .initialSettings(
                                                Http2Settings.defaultSettings().maxConcurrentStreams(streams))
                                        .build())
                                .addLast(new Http2MultiplexHandler(new ChannelInitializer<>() {
                                    @Override
                                    protected void initChannel(Channel stream) {
                                        stream.pipeline().addLast(new Call(end));
                                    }
                                }));
                    }
                })
                .bind(InetAddress.getLoopbackAddress(), 0)
                .syncUninterruptibly()
                .channel();
    }

    private static final class Call extends ChannelInboundHandlerAdapter {

        private final End end;

        Call(End end) {
            this.end = end;
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            boolean complete = message instanceof Http2DataFrame data && data.isEndStream();
            ReferenceCountUtil.release(message);
            if (complete) {
                answer(context);
            }
        }

        private void answer(ChannelHandlerContext context) {
            context.write(new DefaultHttp2HeadersFrame(
                    new DefaultHttp2Headers().status("200").set("content-type", "application/grpc+proto")));
            for (int frame = 0; frame < 3; frame++) {
                byte[] part = new byte[5000];
                part[3] = frame == 0 ? (byte) 100 : 0; // 25600 bytes
                context.writeAndFlush(new DefaultHttp2DataFrame(Unpooled.wrappedBuffer(part)));
            }
            if (end == End.RESET) {
                context.writeAndFlush(new DefaultHttp2ResetFrame(Http2Error.INTERNAL_ERROR));
            } else if (end == End.CONNECTION_LOST) {
                context.channel().parent().pipeline().firstContext().close();
            }
        }
    }
}
