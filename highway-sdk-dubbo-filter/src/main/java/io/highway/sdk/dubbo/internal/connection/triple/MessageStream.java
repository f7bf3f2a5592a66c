// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.connection.triple;

import io.highway.sdk.dubbo.internal.limits.BufferedBytes;
import io.highway.sdk.dubbo.internal.limits.Pieces;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.CompositeByteBuf;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameStream;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2LocalFlowController;
import io.netty.handler.codec.http2.Http2Stream;
import io.netty.handler.codec.http2.Http2StreamFrame;
import java.util.List;

/**
 * What the peer sends over one HTTP/2 stream, with its windows, which are returned as {@link BufferedBytes} permit. Its
 * methods run on the connection's event loop, if they do not say otherwise.
 */
abstract class MessageStream {

    final StreamConnection connection;
    final Http2FrameStream stream;
    final BufferedBytes.Body body;

    /** Whether what still comes is discarded. */
    boolean isRefused;

    /** Whether the end of the body was passed on. */
    boolean isPassedOn;

    /** Bytes of the windows that were returned to the connection, but not to the stream. */
    int lent;

    MessageStream(StreamConnection connection, Http2FrameStream stream) {
        this.connection = connection;
        this.stream = stream;
        this.body = connection.buffered().begin();
    }

    final Pieces newPieces() {
        return new Pieces(connection.context().alloc(), connection.buffered()::isMemoryScarce);
    }

    /** Its headers are here. */
    void begin() {
        // nothing to do
    }

    /** Whether Dubbo gets these headers now. */
    boolean passesOn(Http2HeadersFrame headers) {
        return !isRefused;
    }

    /** Whether Dubbo may send this. */
    boolean mayWrite(Object frame) {
        return true;
    }

    /** Counts what has arrived and will be read next. */
    abstract void received(int window, int bytes);

    /** Memory has become free. */
    abstract void resume();

    /** Returns to the stream what was lent. */
    void returnWindows() {
        grow(lent);
        lent = 0;
    }

    /** Returns the window to the connection, but not to the stream. */
    final void lend(int window) {
        grow(-window);
        consume(window);
        lent += window;
    }

    final void consume(int window) {
        Http2Stream known = connection.http2().stream(stream.id());
        if (known == null || window == 0) {
            return;
        }
        try {
            if (windows().consumeBytes(known, window)) {
                connection.context().flush();
            }
        } catch (Http2Exception e) {
            throw new IllegalStateException(e);
        }
    }

    final void grow(int window) {
        Http2Stream known = connection.http2().stream(stream.id());
        if (known == null || window == 0) {
            return;
        }
        try {
            windows().incrementWindowSize(known, window);
        } catch (Http2Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private Http2LocalFlowController windows() {
        return connection.http2().local().flowController();
    }

    /** Takes the buffer over. */
    abstract void read(ByteBuf data, boolean isEnd);

    final void passOn(ByteBuf content, boolean isEnd) {
        isPassedOn |= isEnd;
        body.arrived(isEnd);
        passOn(new DefaultHttp2DataFrame(content, isEnd).stream(stream), content);
    }

    /** Hands a frame with this content over to Dubbo. */
    void passOn(Http2StreamFrame frame, ByteBuf content) {
        connection.context().fireChannelRead(frame);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // a failure closes the connection
    final void reset(Http2Error error) {
        connection.context().writeAndFlush(new DefaultHttp2ResetFrame(error).stream(stream));
    }

    /** Ends a stream that has made no progress for too long. */
    abstract void sweep();

    /** The stream is closed. */
    abstract void close();

    /** A message that counts until Dubbo has read it. */
    static final class Counted extends CompositeByteBuf {

        private final BufferedBytes.Body body;
        private final long bytes;

        Counted(ByteBuf message, BufferedBytes.Body body) {
            super(message.alloc(), message.isDirect(), 2, List.of(message));
            this.body = body;
            this.bytes = body.passOn(message.readableBytes());
        }

        @Override
        protected void deallocate() {
            super.deallocate();
            body.taken(bytes);
        }
    }
}
