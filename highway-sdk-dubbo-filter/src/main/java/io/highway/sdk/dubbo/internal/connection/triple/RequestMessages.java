// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.connection.triple;

import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import org.apache.dubbo.common.URL;
import org.jspecify.annotations.Nullable;

/**
 * The requests of one connection of a Triple server. Dubbo gets messages uncompressed, so that it neither inflates without
 * a bound nor drops what follows the first message of a call (apache/dubbo#16414). They are inflated on other threads.
 */
public final class RequestMessages extends StreamMessages {

    /** What a connection may send ahead of the standard window. */
    private static final int RAISED_WINDOW = 2 * 1024 * 1024;

    /** The requests of one connection of a server. */
    public RequestMessages(URL server) {
        super(server);
    }

    @Override
    void begin(StreamConnection begun) {
        Http2Connection http2 = begun.http2();
        try {
            http2.local().flowController().incrementWindowSize(http2.connectionStream(), RAISED_WINDOW);
        } catch (Http2Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    @Nullable
    MessageStream streamOf(StreamConnection begun, Http2HeadersFrame frame) {
        if (frame.isEndStream()) { // Dubbo 3.2 keeps each name of an encoding
            frame.headers().remove(RequestHeaders.ENCODING);
            return null;
        }
        return new RequestStream(begun, frame.stream(), frame.headers());
    }

    /** Trailers say no more than that the request ends. */
    @Override
    boolean end(MessageStream known, Http2HeadersFrame trailers) {
        known.read(Unpooled.EMPTY_BUFFER, true);
        return true;
    }
}
