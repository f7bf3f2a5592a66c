// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.connection.channel;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import javax.net.ssl.SSLException;

/**
 * Records the first bytes of a connection, and handles its failures: Dubbo or Netty would log each, a reset too, with a
 * stack trace.
 */
final class ConnectionWatch extends ChannelInboundHandlerAdapter {

    /** Receives the events; called on the connection's event loop. */
    interface Listener {

        /** The gateway has accepted the connection. */
        void accepted();

        /**
         * A connection that did not drain is closed.
         *
         * @param used whether a call was written to it
         */
        void ended(Channel channel, boolean used);

        /** TLS has failed. */
        void failed(Throwable cause);
    }

    private final FirstBytes first;
    private final Listener listener;

    ConnectionWatch(FirstBytes first, Listener listener) {
        this.first = first;
        this.listener = listener;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        listener.accepted();
        context.fireChannelActive();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        first.closed();
        if (!ConnectionMarks.isDraining(context.channel())) {
            listener.ended(context.channel(), ConnectionMarks.isUsed(context.channel()));
        }
        context.fireChannelInactive();
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // the connection cannot be used in any case
    public void channelRead(ChannelHandlerContext context, Object message) {
        first.read(message);
        if (first.isOtherProtocol()) {
            ReferenceCountUtil.release(message);
            context.close();
        } else {
            context.fireChannelRead(message);
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event instanceof SslHandshakeCompletionEvent handshake && !handshake.isSuccess()) {
            listener.failed(handshake.cause());
        }
        context.fireUserEventTriggered(event);
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // the connection has failed in any case
    public void exceptionCaught(ChannelHandlerContext context, Throwable thrown) {
        Throwable cause = thrown instanceof DecoderException && thrown.getCause() != null ? thrown.getCause() : thrown;
        if (cause instanceof SSLException) {
            listener.failed(cause);
        }
        if (cause instanceof IOException) {
            context.close();
        } else {
            context.fireExceptionCaught(thrown);
        }
    }
}
