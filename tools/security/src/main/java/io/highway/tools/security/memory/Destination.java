// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.security.memory;

import io.highway.sdk.dubbo.internal.network.frame.FrameHeader;
import io.highway.tools.fixtures.ports.Sockets;
import io.highway.tools.security.memory.RawPeer.Request;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The far end of a tunnel, without Dubbo: it answers all calls alike. */
final class Destination implements AutoCloseable {

    private static final int MOST = 1 << 20;

    /** In Hessian. */
    private static final ByteBuf NOTHING = Request.shared(new byte[] {'N'});

    private final EventLoopGroup loop = Sockets.loop("destination");
    private final Answer answer;
    private final Channel listener;

    /**
     * An answer; the bytes are shared by many and are not copied.
     *
     * @param encoding how they are compressed, or null
     * @param isWhole whether this is the whole answer; the others stall, and are not compressed
     * @param length of the whole, not compressed
     * @param bytes of it: a gRPC message, or the body of a Dubbo frame
     */
    record Answer(@Nullable String encoding, boolean isWhole, int length, ByteBuf bytes) {

        /** One with a text of so many letters, or with most of it. */
        static Answer of(Cell cell, @Nullable String encoding, int letters, boolean isWhole) {
            byte[] plain = Body.answer(cell, letters);
            byte[] body = encoding == null ? plain : Body.compress(encoding, plain);
            ByteBuf whole = Request.shared(cell.isTriple() ? Body.message(encoding != null, body) : body);
            int sent = whole.readableBytes();
            return new Answer(encoding, isWhole, plain.length, whole.slice(0, isWhole ? sent : sent / 16 * 15));
        }
    }

    /** Listens on a free port of loopback. */
    Destination(Cell cell, Answer answer) {
        this.answer = answer;
        this.listener = Sockets.listen(loop, 0, pipeline -> addTo(pipeline, cell));
    }

    private void addTo(ChannelPipeline pipeline, Cell cell) {
        if (cell.isTriple()) {
            pipeline.addLast(Http2FrameCodecBuilder.forServer().build(), new Http2MultiplexHandler(new Answering()));
        } else if (cell.isHttp()) {
            pipeline.addLast(new HttpServerCodec(), new HttpObjectAggregator(MOST), new Answering());
        } else {
            pipeline.addLast(
                    new LengthFieldBasedFrameDecoder(MOST, DubboFrames.LENGTH, Integer.BYTES), new Answering());
        }
    }

    int port() {
        return Sockets.port(listener);
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // the loop ends by itself
    public void close() {
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }

    @Sharable
    @SuppressWarnings("FutureReturnValueIgnored") // a failed write closes the connection
    private final class Answering extends SimpleChannelInboundHandler<Object> {

        /** Of a Dubbo connection: nothing follows. */
        private boolean isStalled;

        @Override
        protected void channelRead0(ChannelHandlerContext context, Object message) {
            if (message instanceof Http2DataFrame data && data.isEndStream()) {
                stream(context);
            } else if (message instanceof FullHttpRequest post) {
                context.writeAndFlush(response(post.content()));
            } else if (message instanceof ByteBuf request && !isStalled) {
                boolean isEvent = FrameHeader.isHeartbeatRequest(request, 0);
                context.write(DubboFrames.answerTo(request, isEvent ? NOTHING.readableBytes() : answer.length));
                context.writeAndFlush((isEvent ? NOTHING : answer.bytes).retainedDuplicate());
                isStalled = !isEvent && !answer.isWhole;
            }
        }

        private void stream(ChannelHandlerContext stream) {
            Http2Headers headers = new DefaultHttp2Headers().status("200").set("content-type", "application/grpc");
            if (answer.encoding != null) {
                headers.set("grpc-encoding", answer.encoding);
            }
            stream.write(new DefaultHttp2HeadersFrame(headers));
            stream.writeAndFlush(new DefaultHttp2DataFrame(answer.bytes.retainedDuplicate()));
            if (answer.isWhole) {
                Http2Headers trailers = new DefaultHttp2Headers().set("grpc-status", "0");
                stream.writeAndFlush(new DefaultHttp2HeadersFrame(trailers, true));
            }
        }

        /** To a request whose body is a frame, or to a health check, which has none. */
        private FullHttpResponse response(ByteBuf request) {
            ByteBuf body = Unpooled.EMPTY_BUFFER;
            int missing = 0;
            if (request.isReadable()) {
                byte[] head = ByteBufUtil.getBytes(DubboFrames.answerTo(request, answer.length));
                body = Unpooled.wrappedBuffer(
                        Unpooled.wrappedBuffer(answer.encoding == null ? head : Body.compress(answer.encoding, head)),
                        answer.bytes.retainedDuplicate());
                missing = answer.isWhole ? 0 : answer.length - answer.bytes.readableBytes();
            }
            FullHttpResponse response = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK, body);
            response.headers().set("content-type", "application/x-dubbo");
            response.headers().set("content-length", body.readableBytes() + missing);
            if (answer.encoding != null) {
                response.headers().set("highway-encoding", answer.encoding);
            }
            return response;
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            context.close();
        }
    }
}
