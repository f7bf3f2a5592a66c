// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.conformance.bench;

import io.highway.tools.fixtures.ports.Sockets;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2GoAwayFrame;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2ResetFrame;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A Triple provider without Dubbo: it "executes" every call that names a {@link Reply} in its headers, counts it, and
 * then answers with those bytes, however wrong. Any other call is answered with its own body, as {@code $echo}
 * requires. Thread-safe.
 */
@SuppressWarnings("FutureReturnValueIgnored") // Netty reports a failed write by closing the channel
public final class RawPeer implements AutoCloseable {

    /** Attachment of a call: the {@link Reply} it is to get. */
    public static final String REPLY = "kit-reply";

    /** Attachment of a call: the id under which it is counted. */
    public static final String ID = "kit-id";

    /** Attachment of a call: the text that the answer carries. */
    public static final String TEXT = "kit-text";

    private static final int FRAME = 8 << 20;
    private static final int WINDOW = 8 << 20;

    /** How a call is answered after it has run. */
    public enum Reply {
        /** One HEADERS frame with END_STREAM: status, message, and the text as both of the SDK's headers. */
        TRAILERS_ONLY,
        /** The same in trailers, behind headers. */
        HEADERS_AND_TRAILERS,
        /** The same in trailers, behind headers and a message. */
        MESSAGE_AND_TRAILERS,
        /** One HEADERS frame with END_STREAM: status 14 and the text as its message. */
        UNAVAILABLE,
        /** The same with status 12. */
        UNIMPLEMENTED,
        /** The same with status 5. */
        NOT_FOUND,
        /** The same with status 2. */
        UNKNOWN,
        /** RST_STREAM, REFUSED_STREAM. */
        REFUSED_STREAM,
        /** RST_STREAM, CANCEL. */
        CANCEL,
        /** GOAWAY that claims that no stream was looked at, and the end of the connection. */
        GOAWAY,
        /** The end of the connection. */
        CLOSE
    }

    private final EventLoopGroup group = Sockets.loop("raw-peer");

    private final ChannelGroup connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
    private final Map<String, Integer> executions = new ConcurrentHashMap<>();
    private final int port;
    private @Nullable Channel listener;

    /** Listens on this port. */
    public RawPeer(int port) {
        this.port = port;
        listen();
    }

    /** How often a call has run. */
    public int executions(String id) {
        return executions.getOrDefault(id, 0);
    }

    /** Closes its port and all connections: connecting is refused. */
    public synchronized void leave() {
        if (listener != null) {
            listener.close().syncUninterruptibly();
            connections.close().syncUninterruptibly();
            listener = null;
        }
    }

    /** Listens again. */
    public synchronized void listen() {
        listener = Sockets.listen(group, port, client -> {
            connections.add(client.channel());
            client.addLast(Http2FrameCodecBuilder.forServer()
                            .initialSettings(Http2Settings.defaultSettings()
                                    .maxFrameSize(FRAME)
                                    .initialWindowSize(WINDOW)
                                    .maxHeaderListSize(256 << 10))
                            .build())
                    .addLast(new Http2MultiplexHandler(new ChannelInitializer<>() {
                        @Override
                        protected void initChannel(Channel stream) {
                            stream.pipeline().addLast(new Call());
                        }
                    }))
                    .addLast(new ChannelInboundHandlerAdapter() {
                        /** A gateway that ends may reset its connection. */
                        @Override
                        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
                            context.close();
                        }
                    });
        });
    }

    @Override
    public void close() {
        leave();
        group.shutdownGracefully();
    }

    private final class Call extends ChannelInboundHandlerAdapter {

        private final ByteBuf body = Unpooled.buffer();
        private @Nullable Http2Headers request;

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            boolean complete = false;
            if (message instanceof Http2HeadersFrame headers) {
                request = request == null ? headers.headers() : request;
                complete = headers.isEndStream();
            } else if (message instanceof Http2DataFrame data) {
                body.writeBytes(data.content());
                complete = data.isEndStream();
            } else if (message instanceof Http2ResetFrame) {
                context.close();
            }
            ReferenceCountUtil.release(message);
            if (complete && request != null) {
                answer(context, request);
            }
        }

        private void answer(ChannelHandlerContext context, Http2Headers headers) {
            CharSequence reply = headers.get(REPLY);
            if (reply == null) {
                write(context, head(), false);
                context.write(new DefaultHttp2DataFrame(body));
                write(context, new DefaultHttp2Headers().set("grpc-status", "0"), true);
                context.flush();
                return;
            }
            executions.merge(String.valueOf(headers.get(ID)), 1, Integer::sum);
            String text = String.valueOf(headers.get(TEXT));
            switch (Reply.valueOf(reply.toString())) {
                case TRAILERS_ONLY -> write(context, claim(head(), text), true);
                case HEADERS_AND_TRAILERS -> {
                    write(context, head(), false);
                    write(context, claim(new DefaultHttp2Headers(), text), true);
                }
                case MESSAGE_AND_TRAILERS -> {
                    write(context, head(), false);
                    context.write(new DefaultHttp2DataFrame(body.retain()));
                    write(context, claim(new DefaultHttp2Headers(), text), true);
                }
                case UNAVAILABLE -> write(context, status(14, text), true);
                case UNIMPLEMENTED -> write(context, status(12, text), true);
                case NOT_FOUND -> write(context, status(5, text), true);
                case UNKNOWN -> write(context, status(2, text), true);
                case REFUSED_STREAM -> context.write(new DefaultHttp2ResetFrame(Http2Error.REFUSED_STREAM));
                case CANCEL -> context.write(new DefaultHttp2ResetFrame(Http2Error.CANCEL));
                case GOAWAY -> {
                    Channel connection = context.channel().parent();
                    connection
                            .writeAndFlush(new DefaultHttp2GoAwayFrame(Http2Error.NO_ERROR))
                            .addListener(
                                    sent -> connection.pipeline().firstContext().close());
                }
                case CLOSE ->
                    context.channel().parent().pipeline().firstContext().close();
            }
            context.flush();
        }

        private static void write(ChannelHandlerContext context, Http2Headers headers, boolean end) {
            context.write(new DefaultHttp2HeadersFrame(headers, end));
        }

        private static Http2Headers head() {
            return new DefaultHttp2Headers().status("200").set("content-type", "application/grpc+proto");
        }

        private static Http2Headers claim(Http2Headers headers, String text) {
            return headers.set("grpc-status", "14")
                    .set("grpc-message", "HIGHWAY-NOT-FORWARDED: " + text)
                    .set("highway-not-forwarded", text)
                    .set("highway-refused", text);
        }

        private static Http2Headers status(int code, String message) {
            return head().set("grpc-status", String.valueOf(code)).set("grpc-message", message);
        }
    }
}
