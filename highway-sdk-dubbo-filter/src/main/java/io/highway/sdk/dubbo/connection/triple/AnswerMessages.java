// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.connection.triple;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import org.apache.dubbo.common.URL;
import org.jspecify.annotations.Nullable;

/** The answers of one connection to a gateway. Dubbo inflates them, by {@link BoundedInflation}. */
final class AnswerMessages extends StreamMessages {

    private AnswerMessages(URL gateway) {
        super(gateway);
    }

    /** Adds the handler before the one that distributes frames to their streams. */
    static void addTo(ChannelHandlerContext anywhere, URL gateway) {
        ChannelHandlerContext streams = anywhere.pipeline().context(Http2MultiplexHandler.class);
        anywhere.pipeline().addBefore(streams.name(), AnswerMessages.class.getName(), new AnswerMessages(gateway));
    }

    @Override
    @Nullable
    MessageStream streamOf(StreamConnection begun, Http2HeadersFrame frame) {
        CharSequence status = frame.headers().status();
        boolean isFinal = status == null || HttpStatusClass.valueOf(status) != HttpStatusClass.INFORMATIONAL;
        return isFinal ? new AnswerStream(begun, frame.stream(), frame.headers().get("content-type")) : null;
    }

    @Override
    boolean end(MessageStream known, Http2HeadersFrame trailers) {
        return known.isRefused;
    }
}
