// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.connection.triple;

import io.highway.sdk.dubbo.internal.limits.MemoryBudget;
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
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What the peer sends over one HTTP/2 stream, with its window, which is returned as {@link MemoryBudget} permits. Its
 * methods run on the connection's event loop, if they do not say otherwise.
 */
abstract class MessageStream {

    final StreamConnection connection;
    final Http2FrameStream stream;
    final MemoryBudget.Body body;

    /** Whether what still comes is discarded. */
    boolean isRefused;

    /** Whether the end of the body was passed on. */
    boolean isPassedOn;

    /** Bytes of the stream's window that are not returned. */
    int withheld;

    /** Bytes of the windows of what was received last. */
    private int arrived;

    private @Nullable Future<?> timer;

    MessageStream(StreamConnection connection, Http2FrameStream stream) {
        this.connection = connection;
        this.stream = stream;
        this.body = connection.memory().begin(this::refuseForMemory);
    }

    final Pieces newPieces() {
        return new Pieces(connection.context().alloc(), connection.memory().budget()::isScarce);
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

    /** Counts what has arrived and will be read next; {@link #settle} returns its window. */
    final void received(int window, int bytes) {
        body.add(bytes);
        arrived += window;
    }

    /** Returns the window of what was read if more may come; again when memory has become free. */
    void settle() {
        boolean isIncomplete = isIncomplete();
        body.incomplete(isIncomplete);
        if (body.mayGrow()) {
            returnWindow();
            return;
        }
        withholdWindow();
        if (isIncomplete && body.isTooMuch()) {
            refuseForMemory();
        }
    }

    final void returnWindow() {
        changeWindows(withheld);
        withheld = 0;
    }

    /** Returns that of the connection only, which other streams need. */
    final void withholdWindow() {
        withheld += arrived;
        changeWindows(-arrived);
    }

    private void changeWindows(int ofStream) {
        Http2Stream known = ofStream == 0 && arrived == 0 ? null : connection.http2().stream(stream.id());
        if (known != null) {
            Http2LocalFlowController windows = connection.http2().local().flowController();
            try {
                windows.incrementWindowSize(known, ofStream);
                if (windows.consumeBytes(known, arrived)) {
                    connection.context().flush();
                }
            } catch (Http2Exception e) {
                throw new IllegalStateException(e);
            }
        }
        arrived = 0;
    }

    /** Whether a part of a message, or of a request, is still to come or to be inflated. */
    abstract boolean isIncomplete();

    /** Ends it, since there is no memory for the rest. */
    abstract void refuseForMemory();

    /** Takes the buffer over. */
    abstract void read(ByteBuf data, boolean isEnd);

    final void passOn(ByteBuf content, boolean isEnd) {
        isPassedOn |= isEnd;
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

    /** Runs a task, unless the stream is closed before, when what the peer has sent meanwhile has arrived. */
    final void later(Runnable task) {
        timer = connection.context().executor().schedule(task, MemoryBudget.KEPT_SECONDS, TimeUnit.SECONDS);
    }

    /** The stream is closed. */
    void close() {
        if (timer != null) {
            timer.cancel(false);
        }
    }

    /** A message that counts until Dubbo has read it. */
    static final class Counted extends CompositeByteBuf {

        private final MemoryBudget.Body body;
        private final long bytes;

        Counted(ByteBuf message, MemoryBudget.Body body) {
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
