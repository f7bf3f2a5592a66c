// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateway;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The last handler of a connection: whatever fails in those before it ends the connection. */
@SuppressWarnings("FutureReturnValueIgnored") // Netty reports a failed close by itself
final class ClosesOnFailure extends ChannelInboundHandlerAdapter {

    private static final Logger log = LoggerFactory.getLogger(ClosesOnFailure.class);

    private final String peer;

    /** @param peer what is at the other end, such as {@code dubbo client} */
    ClosesOnFailure(String peer) {
        this.peer = peer;
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        log.info("closing {} {}: {}", peer, context.channel().remoteAddress(), cause.toString());
        context.close();
    }
}
