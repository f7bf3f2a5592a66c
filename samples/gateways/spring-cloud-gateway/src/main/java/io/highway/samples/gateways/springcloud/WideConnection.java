// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.gateways.springcloud;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameCodec;
import io.netty.handler.codec.http2.Http2SettingsFrame;

/**
 * Widens the window of a whole connection as soon as the other side has spoken. SETTINGS have no word for it, so it would stay
 * at 64 KB for all calls together: over a link with a round trip of 30 ms that is 2 MB/s.
 */
final class WideConnection extends ChannelInboundHandlerAdapter {

    private final int more;

    WideConnection(int more) {
        this.more = more;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) throws Http2Exception {
        if (message instanceof Http2SettingsFrame) {
            widen(context.pipeline().get(Http2FrameCodec.class).connection());
            context.flush();
            context.fireChannelRead(message);
            context.pipeline().remove(this);
        } else {
            context.fireChannelRead(message);
        }
    }

    private void widen(Http2Connection connection) throws Http2Exception {
        connection.local().flowController().incrementWindowSize(connection.connectionStream(), more);
    }
}
