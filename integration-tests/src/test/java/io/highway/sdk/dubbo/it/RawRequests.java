// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2StreamChannelBootstrap;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/** A peer without Dubbo that writes what it wants to a provider's ports. */
final class RawRequests implements AutoCloseable {

    @SuppressWarnings("deprecation") // its successor is not in Netty 4.1
    private static final NioEventLoopGroup loop =
            new NioEventLoopGroup(1, new DefaultThreadFactory("raw-requests", true));

    final List<Channel> connections = new ArrayList<>();
    final List<Channel> streams = new CopyOnWriteArrayList<>();

    @Override
    public void close() {
        connections.forEach(connection -> connection.close().syncUninterruptibly());
    }

    Channel connect(GuardedIsland shanghai, Tunnel tunnel) {
        return connect(shanghai.providerUrl(tunnel), new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel client) {
                if (tunnel == Tunnel.TRIPLE) {
                    client.pipeline()
                            .addLast(Http2FrameCodecBuilder.forClient().build())
                            .addLast(new Http2MultiplexHandler(new ChannelInboundHandlerAdapter()));
                }
            }
        });
    }

    Channel connect(String url, ChannelHandler handler) {
        Channel connection = new Bootstrap()
                .group(loop)
                .channel(NioSocketChannel.class)
                .handler(handler)
                .connect(
                        url.substring(url.indexOf("//") + 2, url.lastIndexOf(':')),
                        Integer.parseInt(url.substring(url.lastIndexOf(':') + 1)))
                .syncUninterruptibly()
                .channel();
        connections.add(connection);
        return connection;
    }

    static byte[] message(int flag, int announced, byte[] body) {
        return ByteBuffer.allocate(5 + body.length)
                .put((byte) flag)
                .putInt(announced)
                .put(body)
                .array();
    }

    /** The last headers of the answer to a call of {@code Shop#sell}. */
    CompletableFuture<Http2Headers> call(
            Channel connection, Map<String, String> headers, Map<String, String> more, byte[] data, boolean isEnd) {
        CompletableFuture<Http2Headers> answer = new CompletableFuture<>();
        Http2Headers all = new DefaultHttp2Headers(false)
                .method("POST")
                .scheme("http")
                .authority("shanghai")
                .path("/" + Shop.class.getName() + "/sell")
                .add("content-type", "application/grpc+proto")
                .add("te", "trailers");
        headers.forEach(all::set);
        more.forEach(all::add);
        Supplier<ChannelInboundHandlerAdapter> reading = () -> new ChannelInboundHandlerAdapter() {
            @Override
            public void channelRead(ChannelHandlerContext context, Object message) {
                if (message instanceof Http2HeadersFrame frame && frame.isEndStream()) {
                    answer.complete(frame.headers());
                }
                ReferenceCountUtil.release(message);
            }

            @Override
            public void channelInactive(ChannelHandlerContext context) {
                answer.complete(new DefaultHttp2Headers());
            }
        };
        new Http2StreamChannelBootstrap(connection)
                .handler(reading.get())
                .open()
                .addListener(opened -> {
                    Channel stream = (Channel) opened.getNow();
                    streams.add(stream);
                    stream.write(new DefaultHttp2HeadersFrame(all));
                    stream.writeAndFlush(new DefaultHttp2DataFrame(Unpooled.wrappedBuffer(data), isEnd));
                });
        return answer;
    }
}
