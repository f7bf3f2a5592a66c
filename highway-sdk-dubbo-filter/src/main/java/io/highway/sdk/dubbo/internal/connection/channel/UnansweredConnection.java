// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.connection.channel;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.timeout.IdleStateEvent;

/**
 * Hides a connection from the handler by which Dubbo uses it, until the gateway has answered in the right protocol.
 * Dubbo would log a line whenever a connection opens, closes or fails.
 */
final class UnansweredConnection extends ChannelInboundHandlerAdapter {

    private boolean answered;

    /** Hides a connection that is not open yet from the last handler, which has this name. */
    static void hideFrom(String handler, Channel channel) {
        channel.pipeline().addBefore(handler, null, new UnansweredConnection());
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        // later
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        FirstBytes first = answered ? null : FirstBytes.of(context.channel());
        if (first != null && first.isRightProtocol()) {
            answered = true;
            context.fireChannelActive();
        }
        context.fireChannelRead(message);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        if (answered) {
            context.fireChannelInactive();
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (answered || !(event instanceof IdleStateEvent)) {
            context.fireUserEventTriggered(event);
        }
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // the connection has failed in any case
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (answered) {
            context.fireExceptionCaught(cause);
        } else {
            context.close();
        }
    }
}
