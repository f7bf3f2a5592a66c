// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.provider.server;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.Http2ChannelDuplexHandler;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;

/**
 * Cancels the calls of a Triple server when their connection ends. Dubbo 3.3 does so only while the request goes on, so the
 * end of a server stream or of a unary call would never be known.
 */
final class CancelOnDisconnect extends Http2ChannelDuplexHandler {

    @Override
    public void channelInactive(ChannelHandlerContext context) throws Http2Exception {
        forEachActiveStream(stream -> {
            if (!stream.state().remoteSideOpen()) {
                context.fireChannelRead(new DefaultHttp2ResetFrame(Http2Error.CANCEL).stream(stream));
            }
            return true;
        });
        context.fireChannelInactive();
    }
}
