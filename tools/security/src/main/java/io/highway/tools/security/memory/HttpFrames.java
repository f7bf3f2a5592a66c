// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.security.memory;

import io.highway.tools.security.memory.RawPeer.Request;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/** HTTP/1.1; a call is a POST with a Dubbo frame, and one begins after the answer of the one before it. */
final class HttpFrames implements RawPeer.Connecting {

    private static final int MOST = 16 << 20;

    private CompletableFuture<String> last = CompletableFuture.completedFuture("");

    /** Of the request that is written. */
    private volatile CompletableFuture<String> current = last;

    @Override
    public void addTo(ChannelPipeline pipeline) {
        pipeline.addLast(new HttpClientCodec())
                .addLast(new HttpObjectAggregator(MOST))
                .addLast(new Answers());
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // a failed write closes the connection
    public void send(Channel connection, Request request, CompletableFuture<String> answer) {
        last.thenRun(() -> {
            current = answer;
            connection.writeAndFlush(post(request));
            if (!connection.isActive()) {
                answer.complete(RawPeer.CLOSED);
            }
        });
        last = answer;
    }

    private static FullHttpRequest post(Request request) {
        HttpHeaders headers = new DefaultHttpHeaders()
                .add("host", "shanghai.test")
                .add("content-type", "application/x-dubbo")
                .add("content-length", request.announced())
                .add("highway-call-id", UUID.randomUUID().toString().replace("-", ""));
        request.headers().forEach(headers::add);
        return new DefaultFullHttpRequest(
                HttpVersion.HTTP_1_1,
                HttpMethod.POST,
                "/highway/shanghai/" + request.path(),
                request.frame().retainedDuplicate(),
                headers,
                EmptyHttpHeaders.INSTANCE);
    }

    private final class Answers extends SimpleChannelInboundHandler<FullHttpResponse> {

        @Override
        @SuppressWarnings("FutureReturnValueIgnored") // it is over
        protected void channelRead0(ChannelHandlerContext context, FullHttpResponse response) {
            if (!HttpUtil.isKeepAlive(response)) { // else the next request would be lost
                context.close();
            }
            String refused = response.headers().get("highway-refused");
            boolean answered = response.status().code() == 200 && refused == null;
            current.complete(answered ? DubboFrames.answer(response.content()) : response.status() + " " + refused);
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            current.complete(RawPeer.CLOSED);
        }
    }
}
