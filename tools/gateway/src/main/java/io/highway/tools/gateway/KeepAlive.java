// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateway;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.handler.timeout.IdleStateHandler;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** Sends heartbeats to an idle upstream, and closes the connection after three unanswered ones in a row. */
@SuppressWarnings("FutureReturnValueIgnored") // Netty reports a failed write by closing the channel
final class KeepAlive extends IdleStateHandler {
    private static final int SILENCE_SECONDS = 10;
    private static final int UNANSWERED = 3;

    private final Function<ChannelHandlerContext, Object> heartbeat;
    private int unanswered;

    KeepAlive(Function<ChannelHandlerContext, Object> heartbeat) {
        super(SILENCE_SECONDS, 0, 0, TimeUnit.SECONDS);
        this.heartbeat = heartbeat;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) throws Exception {
        unanswered = 0;
        super.channelRead(context, message);
    }

    @Override
    protected void channelIdle(ChannelHandlerContext context, IdleStateEvent event) {
        if (unanswered++ < UNANSWERED) {
            context.channel().writeAndFlush(heartbeat.apply(context));
        } else {
            context.close();
        }
    }
}
