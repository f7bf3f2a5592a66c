// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateway;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2ResetFrame;
import io.netty.util.ReferenceCountUtil;

/**
 * Writes what one stream receives to the other: headers, data, trailers, resets. Each side is read only while the other
 * accepts more, so HTTP/2 flow control works end to end.
 */
@SuppressWarnings("FutureReturnValueIgnored") // Netty reports a failed write by closing the channel
class TripleRelay extends ChannelInboundHandlerAdapter {
    private static final String REFUSED = "highway-refused";
    private static final String UNIMPLEMENTED = "12";

    private final Channel peer;
    private boolean begun;
    private boolean ended;

    /** Reads from a client; if the client closes, the upstream's work is cancelled. */
    TripleRelay(Channel peer) {
        this.peer = peer;
    }

    /**
     * Reads from an upstream; if the upstream closes, the client receives a status.
     *
     * @param provider whether the upstream runs services, which can write headers and must not make statements of a
     *     gateway
     * @param guarded whether it has the SDK, which alone may state that it refused a call
     * @param absent runs when a provider has answered that it lacks the service: it may be stopping, so others come first
     *     for a while
     */
    static TripleRelay ofResponse(Channel client, boolean provider, boolean guarded, Runnable absent) {
        return new TripleRelay(client) {
            @Override
            void relayHeaders(Http2HeadersFrame frame) {
                if (provider) {
                    if (saysUnimplemented(frame)) {
                        absent.run();
                    }
                    frame.headers().remove(TripleReplies.NOT_FORWARDED);
                    if (!guarded || !isWholeRefusal(frame)) {
                        frame.headers().remove(REFUSED);
                    }
                }
                super.relayHeaders(frame);
            }

            @Override
            void peerIsLeftAlone(Channel upstream, boolean begun) {
                client.writeAndFlush(
                        TripleReplies.connectionLost(begun, upstream.parent().remoteAddress()));
            }
        };
    }

    void peerIsLeftAlone(Channel self, boolean responseBegun) {
        peer.writeAndFlush(new DefaultHttp2ResetFrame(Http2Error.CANCEL));
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (message instanceof Http2HeadersFrame headers) {
            relayHeaders(headers);
        } else if (message instanceof Http2DataFrame data) {
            ended |= data.isEndStream();
            peer.write(new DefaultHttp2DataFrame(data.content(), data.isEndStream()));
        } else {
            ReferenceCountUtil.release(message);
        }
    }

    private static boolean saysUnimplemented(Http2HeadersFrame frame) {
        CharSequence status = frame.headers().get("grpc-status");
        return frame.isEndStream() && status != null && UNIMPLEMENTED.contentEquals(status);
    }

    /** The SDK at the provider refuses a call with one frame that ends the stream. */
    private static boolean isWholeRefusal(Http2HeadersFrame frame) {
        CharSequence status = frame.headers().get("grpc-status");
        return frame.isEndStream() && frame.headers().status() != null && status != null && !"0".contentEquals(status);
    }

    void relayHeaders(Http2HeadersFrame frame) {
        begun = true;
        ended |= frame.isEndStream();
        peer.write(new DefaultHttp2HeadersFrame(frame.headers(), frame.isEndStream()));
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        peer.flush();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        peer.config().setAutoRead(context.channel().isWritable());
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event instanceof Http2ResetFrame reset) {
            ended = true;
            peer.writeAndFlush(new DefaultHttp2ResetFrame(reset.errorCode()));
        }
        ReferenceCountUtil.release(event);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        peer.flush(); // a stream that ends closes before its last read is complete
        if (!ended && peer.isActive()) {
            peerIsLeftAlone(context.channel(), begun);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        context.close();
    }
}
