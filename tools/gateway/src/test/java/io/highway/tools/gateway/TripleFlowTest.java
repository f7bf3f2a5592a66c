// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2StreamChannelBootstrap;
import io.netty.util.ReferenceCountUtil;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A provider that sends as fast as it may, and clients that read or do not. */
@SuppressWarnings("FutureReturnValueIgnored")
@Tag("network")
class TripleFlowTest {
    private static final int BLOCK = 16 << 10;
    private static final long TOTAL = 64L << 20;

    @SuppressWarnings("deprecation") // its successor is not in Netty 4.1
    private final NioEventLoopGroup group = new NioEventLoopGroup(1);

    private final AtomicLong sent = new AtomicLong();
    private final Sink uploaded = new Sink();
    private Gateway gateway;

    @BeforeEach
    void start() {
        Channel provider = new ServerBootstrap()
                .group(group)
                .channel(NioServerSocketChannel.class)
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline()
                                .addLast(Http2FrameCodecBuilder.forServer().build())
                                .addLast(new Http2MultiplexHandler(new ChannelInitializer<>() {
                                    @Override
                                    protected void initChannel(Channel stream) {
                                        stream.pipeline().addLast(new Fountain(), uploaded);
                                    }
                                }));
                    }
                })
                .bind("shanghai.test", 0)
                .syncUninterruptibly()
                .channel();
        int port = ((InetSocketAddress) provider.localAddress()).getPort();
        gateway = Gateway.start(TestProviders.gateway()
                .providers("shanghai", "*", List.of(), List.of("shanghai.test:" + port))
                .build());
    }

    @AfterEach
    void stop() {
        gateway.closeNow();
        group.shutdownGracefully(0, 1, java.util.concurrent.TimeUnit.SECONDS).syncUninterruptibly();
    }

    @Test
    void slowsTheProvider_whenTheClientDoesNotRead_andStallsNoOtherCall() {
        Sink slow = new Sink();
        Channel slowStream = open(connect(), slow, false);
        await().until(() -> sent.get() > 0);
        long taken = settled();

        assertThat(taken).isLessThan(TOTAL / 2);
        Sink quick = new Sink();
        open(connect(), quick, true);
        await().atMost(Duration.ofSeconds(20)).untilTrue(quick.ended);
        assertThat(quick.received).hasValue(TOTAL);
        assertThat(slow.received.get()).isLessThan(TOTAL);

        slowStream.config().setAutoRead(true);
        await().atMost(Duration.ofSeconds(20)).untilTrue(slow.ended);
        assertThat(slow.received).hasValue(TOTAL);
        assertThat(slow.intact && quick.intact).isTrue();
    }

    @Test
    void carriesAnUploadUnchanged() {
        Fountain fountain = new Fountain();
        Channel stream = new Http2StreamChannelBootstrap(connect())
                .handler(fountain)
                .open()
                .syncUninterruptibly()
                .getNow();

        stream.writeAndFlush(new DefaultHttp2HeadersFrame(request(), false)).syncUninterruptibly();
        stream.eventLoop().execute(() -> fountain.pour(stream.pipeline().lastContext()));

        await().atMost(Duration.ofSeconds(20)).untilTrue(uploaded.ended);
        assertThat(uploaded.received).hasValue(TOTAL);
        assertThat(uploaded.intact).isTrue();
    }

    private long settled() {
        long[] last = {-1};
        await().pollInterval(Duration.ofMillis(300)).until(() -> {
            long now = sent.get();
            boolean still = now == last[0];
            last[0] = now;
            return still;
        });
        return last[0];
    }

    private Channel connect() {
        return new Bootstrap()
                .group(group)
                .channel(NioSocketChannel.class)
                .handler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline()
                                .addLast(Http2FrameCodecBuilder.forClient().build())
                                .addLast(new Http2MultiplexHandler(new ChannelInboundHandlerAdapter()));
                    }
                })
                .connect("gateway.shanghai.test", gateway.port())
                .syncUninterruptibly()
                .channel();
    }

    private static Channel open(Channel connection, Sink sink, boolean reads) {
        Channel stream = new Http2StreamChannelBootstrap(connection)
                .handler(sink)
                .open()
                .syncUninterruptibly()
                .getNow();
        stream.config().setAutoRead(reads);
        stream.writeAndFlush(new DefaultHttp2HeadersFrame(request(), true)).syncUninterruptibly();
        return stream;
    }

    private static Http2Headers request() {
        return new DefaultHttp2Headers()
                .method("POST")
                .scheme("http")
                .path("/com.foo.Sms/pour")
                .authority("gateway.shanghai.test")
                .set("highway-island", "shanghai");
    }

    /** Sends blocks while the stream takes them. */
    private final class Fountain extends ChannelInboundHandlerAdapter {
        private long left = TOTAL;
        private long written;

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            if (!(message instanceof Http2HeadersFrame headers) || !headers.isEndStream()) {
                context.fireChannelRead(message);
                return;
            }
            context.write(new DefaultHttp2HeadersFrame(new DefaultHttp2Headers().status("200")));
            pour(context);
        }

        @Override
        public void channelWritabilityChanged(ChannelHandlerContext context) {
            pour(context);
        }

        private void pour(ChannelHandlerContext context) {
            while (left > 0 && context.channel().isWritable()) {
                left -= BLOCK;
                sent.addAndGet(BLOCK);
                byte[] block = new byte[BLOCK];
                for (int at = 0; at < BLOCK; at++) {
                    block[at] = pattern(written++);
                }
                context.write(new DefaultHttp2DataFrame(Unpooled.wrappedBuffer(block), left == 0));
            }
            context.flush();
        }
    }

    private static byte pattern(long position) {
        return (byte) (position % 251);
    }

    /** Counts and checks what arrives. */
    @ChannelHandler.Sharable
    private static final class Sink extends ChannelInboundHandlerAdapter {
        private final AtomicLong received = new AtomicLong();
        private final AtomicBoolean ended = new AtomicBoolean();
        private volatile boolean intact = true;

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            if (message instanceof Http2DataFrame data) {
                while (data.content().isReadable()) {
                    intact &= data.content().readByte() == pattern(received.getAndIncrement());
                }
                ended.compareAndSet(false, data.isEndStream());
            } else if (message instanceof Http2HeadersFrame headers) {
                ended.compareAndSet(false, headers.isEndStream());
            }
            ReferenceCountUtil.release(message);
        }
    }
}
