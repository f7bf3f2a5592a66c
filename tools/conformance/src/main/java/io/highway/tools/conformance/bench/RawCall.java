// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.conformance.bench;

import io.highway.tools.fixtures.ports.Sockets;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2ResetFrame;
import io.netty.handler.codec.http2.Http2StreamChannelBootstrap;
import io.netty.util.ReferenceCountUtil;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** One Triple call without Dubbo and without the SDK, so that every frame of its answer can be looked at. */
@SuppressWarnings("FutureReturnValueIgnored") // a failed write closes the channel, and that ends the answer
public final class RawCall {

    private static final int SECONDS = 10;

    private RawCall() {}

    /**
     * A frame of the answer.
     *
     * @param kind HEADERS, DATA, or RST_STREAM
     * @param fields of HEADERS
     * @param end whether END_STREAM is set
     */
    public record Frame(String kind, Map<String, String> fields, boolean end) {}

    /**
     * Calls and returns the frames of the answer in their order.
     *
     * @param address {@code host:port}
     * @param headers beside those that every Triple call has
     */
    public static List<Frame> send(String address, String path, Map<String, String> headers) throws Exception {
        int colon = address.lastIndexOf(':');
        InetSocketAddress target = new InetSocketAddress(
                InetAddress.getByName(address.substring(0, colon)), Integer.parseInt(address.substring(colon + 1)));
        EventLoopGroup group = Sockets.loop("raw-call");
        try {
            Channel connection = Sockets.connect(
                    group,
                    target,
                    null,
                    pipeline -> pipeline.addLast(
                            Http2FrameCodecBuilder.forClient().build(),
                            new Http2MultiplexHandler(new ChannelInboundHandlerAdapter())));
            Answer answer = new Answer();
            Channel stream = new Http2StreamChannelBootstrap(connection)
                    .handler(answer)
                    .open()
                    .sync()
                    .getNow();
            Http2Headers request = new DefaultHttp2Headers()
                    .method("POST")
                    .scheme("http")
                    .authority(address)
                    .path(path)
                    .set("content-type", "application/grpc+proto")
                    .set("te", "trailers");
            headers.forEach(request::set);
            stream.write(new DefaultHttp2HeadersFrame(request));
            // A message without content.
            stream.writeAndFlush(new DefaultHttp2DataFrame(Unpooled.wrappedBuffer(new byte[5]), true));
            return answer.complete.get(SECONDS, TimeUnit.SECONDS);
        } finally {
            group.shutdownGracefully(0, 1, TimeUnit.SECONDS);
        }
    }

    private static final class Answer extends ChannelInboundHandlerAdapter {

        private final List<Frame> frames = new ArrayList<>();
        private final CompletableFuture<List<Frame>> complete = new CompletableFuture<>();

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            if (message instanceof Http2HeadersFrame headers) {
                Map<String, String> fields = new TreeMap<>();
                headers.headers()
                        .forEach(field -> fields.put(
                                field.getKey().toString(), field.getValue().toString()));
                come("HEADERS", fields, headers.isEndStream());
            } else if (message instanceof Http2DataFrame data) {
                come("DATA", Map.of("bytes", String.valueOf(data.content().readableBytes())), data.isEndStream());
            }
            ReferenceCountUtil.release(message);
        }

        private void come(String kind, Map<String, String> fields, boolean end) {
            if (!complete.isDone()) {
                frames.add(new Frame(kind, fields, end));
            }
            if (end) {
                complete.complete(frames);
            }
        }

        @Override
        public void userEventTriggered(ChannelHandlerContext context, Object event) {
            if (event instanceof Http2ResetFrame reset) {
                come("RST_STREAM", Map.of("code", String.valueOf(reset.errorCode())), true);
            }
            ReferenceCountUtil.release(event);
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            come("END", Map.of(), true);
        }
    }
}
