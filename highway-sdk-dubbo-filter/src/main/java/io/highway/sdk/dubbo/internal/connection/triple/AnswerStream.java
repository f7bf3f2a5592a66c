// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.connection.triple;

import io.highway.sdk.dubbo.internal.limits.BufferedBytes;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.buffer.UnpooledHeapByteBuf;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2FrameStream;
import io.netty.handler.codec.http2.Http2Headers;
import org.apache.dubbo.rpc.StatusRpcException;
import org.apache.dubbo.rpc.TriRpcStatus;
import org.jspecify.annotations.Nullable;

/**
 * One answer of a Triple server that has a body. Its messages are passed on as heap arrays: Dubbo's client (3.2.19, 3.3.6)
 * releases what it has not read only with the trailers of the answer ({@code TriDecoder#close}), and an answer that ends
 * earlier, by a reset, a disconnect or a timeout, would leak Netty's pooled direct memory.
 */
final class AnswerStream extends MessageStream {

    private static final String GRPC = "application/grpc";

    /** Null if the answer has no gRPC messages. */
    private final @Nullable MessageReader reader;

    /** Whether the answer's headers name a known encoding of compressed messages. */
    private final boolean hasEncoding;

    /** When data has come last, of an answer that was refused. */
    private long discardedNanos;

    AnswerStream(
            StreamConnection connection,
            Http2FrameStream stream,
            @Nullable CharSequence contentType,
            boolean hasEncoding) {
        super(connection, stream);
        this.hasEncoding = hasEncoding;
        boolean isGrpc = contentType != null && contentType.toString().startsWith(GRPC);
        this.reader = isGrpc
                ? new MessageReader(connection.mostBuffered(), "highway.max-buffered of the caller", newPieces())
                : null;
    }

    /** The connection's window is always returned, since other answers need it. */
    @Override
    void received(int window, int bytes) {
        body.add(bytes);
        if (isRefused) {
            discardedNanos = System.nanoTime();
            lend(window);
        } else if (connection.buffered().isUnderPressure() && body.isHeldUp()) {
            lend(window);
        } else {
            consume(window);
        }
    }

    @Override
    void resume() {
        if (lent > 0 && !isRefused && !body.isHeldUp()) {
            returnWindows();
        }
    }

    @Override
    void read(ByteBuf data, boolean isEnd) {
        try {
            if (isRefused) {
                return;
            }
            if (body.isOver()) {
                refuse(noMemory());
                return;
            }
            if (reader == null) {
                body.remove(data.readableBytes());
                passOn(Unpooled.wrappedBuffer(ByteBufUtil.getBytes(data)), isEnd);
                return;
            }
            while (data.isReadable()) {
                ByteBuf message = reader.next(data);
                if (message != null) {
                    passOn(onHeap(message), isEnd && !data.isReadable());
                }
            }
            if (isEnd && !isPassedOn) {
                passOn(Unpooled.EMPTY_BUFFER, true);
            }
        } catch (StatusRpcException e) {
            refuse(e.getStatus());
        } catch (OutOfMemoryError e) { // else the rest would be the answer
            refuse(noMemory());
        } finally {
            data.release();
        }
    }

    private OnHeap onHeap(ByteBuf message) {
        try {
            if (!hasEncoding && MessageReader.isCompressed(message)) {
                throw TriRpcStatus.INTERNAL
                        .withDescription("highway: the answer is compressed, in no known grpc-encoding")
                        .asException();
            }
            return new OnHeap(message, body);
        } finally {
            message.release();
        }
    }

    /** The answer has ended well: then no part of a message is left. */
    void requireWhole() {
        if (!isRefused && reader != null && reader.isInsideMessage()) {
            refuse(TriRpcStatus.INTERNAL.withDescription("highway: the answer ends within a message"));
        }
    }

    /** Dubbo does not end the stream of a call that has timed out. */
    @Override
    void sweep() {
        boolean isWaiting = reader != null && reader.isInsideMessage();
        if (isRefused) {
            if (System.nanoTime() - discardedNanos > BufferedBytes.PROGRESS_NANOS) {
                reset(Http2Error.CANCEL);
            }
        } else if (isWaiting && body.isStalled() && connection.buffered().isUnderPressure()) {
            refuse(noMemory());
        } else if (!isWaiting) { // a stream may last for days
            body.handOver();
        }
    }

    private static TriRpcStatus noMemory() {
        return TriRpcStatus.fromCode(TriRpcStatus.Code.RESOURCE_EXHAUSTED)
                .withDescription("highway: there is no memory for the answer, see highway.max-buffered");
    }

    /**
     * The call ends as if the server had ended it: it may have run. What is left of the answer is discarded, up to the
     * stream's window: a reset would meet it on its way, and the codecs of the hops behind would answer each frame of it by
     * another reset, for which Netty ends connections, with the calls of others (more than 200 in 30 s).
     */
    private void refuse(TriRpcStatus status) {
        isRefused = true;
        discardedNanos = System.nanoTime();
        close();
        Http2Headers trailers = new DefaultHttp2Headers()
                .setInt("grpc-status", status.code.code)
                .set("grpc-message", TriRpcStatus.encodeMessage(status.description));
        connection.context().fireChannelRead(new DefaultHttp2HeadersFrame(trailers, true).stream(stream));
    }

    @Override
    void close() {
        if (reader != null) {
            reader.close();
        }
        body.release();
    }

    /** A copy of a message, which counts until Dubbo has read it. */
    private static final class OnHeap extends UnpooledHeapByteBuf {

        private final BufferedBytes.Body body;
        private final long bytes;

        OnHeap(ByteBuf message, BufferedBytes.Body body) {
            super(UnpooledByteBufAllocator.DEFAULT, ByteBufUtil.getBytes(message), message.readableBytes());
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
