// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.security.memory;

import io.highway.tools.security.memory.RawPeer.Request;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
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
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** HTTP/2 with prior knowledge; a call is a stream. */
final class TripleFrames implements RawPeer.Connecting {

    private final boolean interleaved;

    /** Of the request before the next one; only the thread that sends uses it. */
    private CompletableFuture<Void> lastWritten = CompletableFuture.completedFuture(null);

    /** Bodies are written at the same time, or one after another. */
    TripleFrames(boolean interleaved) {
        this.interleaved = interleaved;
    }

    @Override
    public void addTo(ChannelPipeline pipeline) {
        pipeline.addLast(Http2FrameCodecBuilder.forClient().build())
                .addLast(new Http2MultiplexHandler(new ChannelInboundHandlerAdapter()));
    }

    @Override
    public void send(Channel connection, Request request, CompletableFuture<String> answer) {
        CompletableFuture<Void> before = interleaved ? CompletableFuture.completedFuture(null) : lastWritten;
        lastWritten = before.thenCompose(written -> open(connection, request, answer));
    }

    /** The result ends when all of the request is written, or nothing more of it will be. */
    @SuppressWarnings("FutureReturnValueIgnored") // a failed write closes the stream
    private static CompletableFuture<Void> open(Channel connection, Request request, CompletableFuture<String> answer) {
        CompletableFuture<Void> written = new CompletableFuture<>();
        new Http2StreamChannelBootstrap(connection)
                .handler(new Answer(answer))
                .open()
                .addListener(opened -> {
                    if (!opened.isSuccess()) {
                        answer.complete(RawPeer.CLOSED);
                        written.complete(null);
                        return;
                    }
                    Channel stream = (Channel) opened.getNow();
                    stream.write(new DefaultHttp2HeadersFrame(headers(request)));
                    stream.writeAndFlush(
                                    new DefaultHttp2DataFrame(request.frame().retainedDuplicate(), request.ends()))
                            .addListener(sent -> written.complete(null));
                });
        return written;
    }

    private static Http2Headers headers(Request request) {
        Http2Headers headers = new DefaultHttp2Headers()
                .method("POST")
                .scheme("http")
                .authority("shanghai.test")
                .path("/" + request.path())
                .add("content-type", "application/grpc+proto")
                .add("te", "trailers")
                .add("tri-consumer-appname", "orders");
        request.headers().forEach(headers::add);
        return headers;
    }

    private static final class Answer extends ChannelInboundHandlerAdapter {

        /** Beside an exception in place of a result. */
        private static final String EXCEPTION = "tri-exception-code";

        private final CompletableFuture<String> answer;
        private final StringBuilder text = new StringBuilder();
        private boolean exception;

        Answer(CompletableFuture<String> answer) {
            this.answer = answer;
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            if (message instanceof Http2DataFrame data) {
                text.append(data.content().toString(StandardCharsets.ISO_8859_1));
            } else if (message instanceof Http2HeadersFrame headers) {
                end(headers.headers());
            } else if (message instanceof Http2ResetFrame reset) {
                answer.complete("reset " + reset.errorCode());
            }
            ReferenceCountUtil.release(message);
        }

        private void end(Http2Headers headers) {
            exception |= headers.contains(EXCEPTION);
            String status = text(headers, "grpc-status");
            if (status != null) {
                String statement = text(headers, "highway-refused");
                String why = statement == null ? text(headers, "grpc-message") : statement;
                if (!status.equals("0")) {
                    answer.complete("status " + status + " " + why);
                } else {
                    answer.complete(exception ? text.toString() : RawPeer.SERVED);
                }
            } else if (!String.valueOf(headers.status()).equals("200")) {
                answer.complete("HTTP " + headers.status());
            }
        }

        private static @Nullable String text(Http2Headers headers, String name) {
            CharSequence value = headers.get(name);
            return value == null ? null : value.toString();
        }

        @Override
        public void userEventTriggered(ChannelHandlerContext context, Object event) {
            if (event instanceof Http2ResetFrame reset) {
                answer.complete("reset " + reset.errorCode());
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            answer.complete(RawPeer.CLOSED);
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            answer.complete(RawPeer.CLOSED);
        }
    }
}
