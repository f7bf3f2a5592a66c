// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.connection.triple;

import io.highway.sdk.dubbo.internal.compression.BoundedInflation;
import io.highway.sdk.dubbo.internal.compression.CompressedRequests;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2ResetFrame;
import io.netty.handler.codec.http2.Http2Stream;
import io.netty.util.AsciiString;
import org.apache.dubbo.common.URL;
import org.jspecify.annotations.Nullable;

/** The answers of one connection to a gateway. Dubbo inflates them, by {@link BoundedInflation}. */
final class AnswerMessages extends StreamMessages {

    private static final AsciiString CONTENT_TYPE = AsciiString.cached("content-type");

    private static final AsciiString STATUS = AsciiString.cached("grpc-status");

    private AnswerMessages(URL gateway) {
        super(gateway);
    }

    /** Adds the handler before the one that distributes frames to their streams. */
    static void addTo(ChannelHandlerContext anywhere, URL gateway) {
        ChannelHandlerContext streams = anywhere.pipeline().context(Http2MultiplexHandler.class);
        anywhere.pipeline().addBefore(streams.name(), AnswerMessages.class.getName(), new AnswerMessages(gateway));
    }

    /**
     * A peer that has answered may reset the stream, since it needs no more of the request (RFC 9113, section 8.1; Envoy
     * does). Dubbo would log a WARN for each.
     */
    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        boolean isAnswered = message instanceof Http2ResetFrame reset
                && reset.errorCode() == Http2Error.NO_ERROR.code()
                && reset.stream().state() == Http2Stream.State.HALF_CLOSED_REMOTE;
        if (!isAnswered) {
            super.channelRead(context, message);
        }
    }

    @Override
    @Nullable
    MessageStream streamOf(StreamConnection begun, Http2HeadersFrame frame) {
        Http2Headers headers = frame.headers();
        CharSequence status = headers.status();
        boolean isFinal = status == null || HttpStatusClass.valueOf(status) != HttpStatusClass.INFORMATIONAL;
        return isFinal && !frame.isEndStream()
                ? new AnswerStream(
                        begun, frame.stream(), headers.get(CONTENT_TYPE), headers.contains(CompressedRequests.ENCODING))
                : null;
    }

    @Override
    boolean end(MessageStream known, Http2HeadersFrame trailers) {
        CharSequence status = trailers.headers().get(STATUS);
        if (status != null && "0".contentEquals(status)) {
            ((AnswerStream) known).requireWhole();
        }
        return known.isRefused;
    }
}
