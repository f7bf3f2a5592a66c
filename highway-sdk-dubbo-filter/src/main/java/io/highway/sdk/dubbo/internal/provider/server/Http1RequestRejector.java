// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.provider.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.highway.sdk.dubbo.internal.provider.server.PreDecodeCheck.Refusal;
import io.highway.sdk.dubbo.internal.provider.server.PreDecodeCheck.ServiceName;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.ReferenceCountUtil;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.jspecify.annotations.Nullable;

/**
 * Refuses HTTP/1.1 on a Triple port to peers whose calls need route headers, before a body is read: no tunnel uses it
 * there, and Dubbo buffers its requests without a bound over all connections, answers pipelined ones in the order of
 * completion, and runs a request hidden in the body of one with two lengths. To other peers Dubbo serves it alone. For the
 * event loop of one connection.
 */
final class Http1RequestRejector extends ChannelInboundHandlerAdapter {

    private final FrameworkModel framework;
    private boolean isRefused;

    /** The requests of one connection of a server. */
    public Http1RequestRejector(FrameworkModel framework) {
        this.framework = framework;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        Refusal refusal = message instanceof HttpRequest head && !isRefused ? refusal(head, context) : null;
        if (refusal != null) {
            isRefused = true;
            answer(refusal, context);
        }
        if (isRefused) {
            ReferenceCountUtil.release(message);
        } else {
            context.fireChannelRead(message);
        }
    }

    /** As of a request without route headers. */
    private @Nullable Refusal refusal(HttpRequest head, ChannelHandlerContext context) {
        PreDecodeCheck guard = PreDecodeCheck.of(framework);
        ServiceName service = ServiceName.ofPath(
                head.uri(),
                head.headers().get(TripleRequestHeaders.GROUP),
                head.headers().get(TripleRequestHeaders.VERSION));
        return guard == null
                ? null
                : guard.refusalByHeaders(
                        (InetSocketAddress) context.channel().remoteAddress(),
                        service,
                        head.uri().substring(head.uri().lastIndexOf('/') + 1),
                        name -> null);
    }

    /** The connection is not closed at once: a peer that still sends would not read the answer. */
    @SuppressWarnings("FutureReturnValueIgnored") // a failure closes the connection
    private static void answer(Refusal refusal, ChannelHandlerContext context) {
        FullHttpResponse answer = new DefaultFullHttpResponse(
                HttpVersion.HTTP_1_1,
                HttpResponseStatus.NOT_FOUND,
                Unpooled.copiedBuffer(
                        "highway: not run: " + refusal.message() + "; HTTP/1.1 on this port carries none\n", UTF_8));
        answer.headers().set("content-type", "text/plain").set("connection", "close");
        answer.headers().setInt("content-length", answer.content().readableBytes());
        context.writeAndFlush(answer);
        context.executor().schedule(() -> context.close(), 1, TimeUnit.SECONDS);
    }
}
