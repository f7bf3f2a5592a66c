// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateway;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http2.Http2GoAwayFrame;
import io.netty.handler.codec.http2.Http2SettingsFrame;
import io.netty.util.ReferenceCountUtil;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * An HTTP/2 connection to where calls go, apart from its streams.
 * One that is about to stop finishes what it has; later calls get a new connection.
 */
final class TripleUpstream extends ChannelInboundHandlerAdapter {
    private final Consumer<Channel> retire;
    private final CompletableFuture<Void> settled = new CompletableFuture<>();
    private boolean hasSettings;

    TripleUpstream(Consumer<Channel> retire) {
        this.retire = retire;
    }

    CompletableFuture<Void> settled() {
        return settled;
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        if (hasSettings) {
            settled.complete(null); // only now: the window update that follows the settings has been read too
        }
        context.fireChannelReadComplete();
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // closes when its streams are over
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (message instanceof Http2GoAwayFrame) {
            retire.accept(context.channel());
            context.close();
        }
        hasSettings |= message instanceof Http2SettingsFrame;
        ReferenceCountUtil.release(message);
    }
}
