// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateway;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.HttpUtil;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** An HTTP/1.1 connection to where calls go, for one call at a time. */
@SuppressWarnings("FutureReturnValueIgnored") // Netty reports a failed write by closing the channel
final class HttpUpstream extends SimpleChannelInboundHandler<FullHttpResponse> {
    private final Channel channel;
    private @Nullable Consumer<@Nullable FullHttpResponse> caller;

    HttpUpstream(Channel channel) {
        this.channel = channel;
    }

    static HttpUpstream of(Channel channel) {
        return channel.pipeline().get(HttpUpstream.class);
    }

    /** Sends it once. The answer is null if the connection ends before it is complete. */
    void send(FullHttpRequest request, Consumer<@Nullable FullHttpResponse> answer) {
        caller = answer;
        channel.writeAndFlush(request);
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, FullHttpResponse response) {
        if (response.status().codeClass() == HttpStatusClass.INFORMATIONAL) {
            return; // the answer follows
        }
        if (response.decoderResult().isFailure() || caller == null) {
            context.close();
            return;
        }
        if (!HttpUtil.isKeepAlive(response)) {
            context.close();
        }
        answer(response);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        answer(null);
    }

    private void answer(@Nullable FullHttpResponse response) {
        Consumer<@Nullable FullHttpResponse> waiting = caller;
        caller = null;
        if (waiting != null) {
            waiting.accept(response);
        }
    }
}
