// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.connection.triple;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http2.Http2GoAwayFrame;
import io.netty.util.AttributeKey;
import org.apache.dubbo.remoting.api.connection.AbstractConnectionClient;
import org.apache.dubbo.rpc.protocol.tri.transport.TripleGoAwayHandler;

/**
 * Keeps Dubbo from reconnecting a lost or draining connection, which the SDK replaces. Dubbo would connect one second
 * later: 3.2 on the event loop of the lost connection, where it waits a second and every other connection of that loop
 * with it, even if this client is closed by then.
 */
final class NoReconnect extends ChannelInboundHandlerAdapter {

    /** Dubbo's mark of connections that it does not reconnect; private in {@code NettyConnectionHandler}. */
    private static final AttributeKey<Boolean> NOT_RECONNECTED = AttributeKey.valueOf("dubbo_channel_goaway");

    /** The public constant's class differs between 3.2 and 3.3. */
    private static final AttributeKey<AbstractConnectionClient> CLIENT = AttributeKey.valueOf("connection");

    private NoReconnect() {}

    /** Adds the handler before the one that tells Dubbo of a GOAWAY. */
    static void addTo(ChannelHandlerContext anywhere) {
        ChannelHandlerContext goAway = anywhere.pipeline().context(TripleGoAwayHandler.class);
        anywhere.pipeline().addBefore(goAway.name(), NoReconnect.class.getName(), new NoReconnect());
    }

    /** Dubbo reads the mark after all handlers. */
    @Override
    public void channelInactive(ChannelHandlerContext context) {
        context.channel().attr(NOT_RECONNECTED).set(true);
        context.fireChannelInactive();
    }

    /** Does what Dubbo does at a GOAWAY, except reconnecting. */
    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        AbstractConnectionClient client = context.channel().attr(CLIENT).get();
        if (message instanceof Http2GoAwayFrame
                && client != null
                && !Boolean.TRUE.equals(context.channel().attr(NOT_RECONNECTED).getAndSet(true))) {
            client.onGoaway(context.channel());
        }
        context.fireChannelRead(message);
    }
}
