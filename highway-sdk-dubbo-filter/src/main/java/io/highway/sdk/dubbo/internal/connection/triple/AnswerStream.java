// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.connection.triple;

import io.highway.sdk.dubbo.internal.limits.MemoryBudget;
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

    AnswerStream(
            StreamConnection connection,
            Http2FrameStream stream,
            @Nullable CharSequence contentType,
            boolean hasEncoding) {
        super(connection, stream);
        body.begun();
        this.hasEncoding = hasEncoding;
        boolean isGrpc = contentType != null && contentType.toString().startsWith(GRPC);
        this.reader = isGrpc
                ? new MessageReader(connection.mostBuffered(), "highway.max-buffered of the caller", newPieces())
                : null;
    }

    @Override
    void read(ByteBuf data, boolean isEnd) {
        try {
            if (isRefused) {
                withholdWindow();
                return;
            }
            if (reader == null) {
                body.remove(data.readableBytes());
                passOn(Unpooled.wrappedBuffer(ByteBufUtil.getBytes(data)), isEnd);
                returnWindow();
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
            settle();
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

    @Override
    void settle() {
        if (!isRefused) {
            super.settle();
        }
    }

    @Override
    boolean isIncomplete() {
        return reader != null && reader.isInsideMessage();
    }

    @Override
    void refuseForMemory() {
        refuse(noMemory());
    }

    private void resetOnceQuiet(int seen) {
        later(() -> {
            if (seen == withheld) {
                reset(Http2Error.CANCEL);
            } else {
                resetOnceQuiet(withheld);
            }
        });
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
        discard();
        withholdWindow();
        resetOnceQuiet(withheld);
        Http2Headers trailers = new DefaultHttp2Headers()
                .setInt("grpc-status", status.code.code)
                .set("grpc-message", TriRpcStatus.encodeMessage(status.description));
        connection.context().fireChannelRead(new DefaultHttp2HeadersFrame(trailers, true).stream(stream));
    }

    @Override
    void close() {
        super.close();
        discard();
    }

    private void discard() {
        if (reader != null) {
            reader.close();
        }
        body.release();
    }

    /** A copy of a message, which counts until Dubbo has read it. */
    private static final class OnHeap extends UnpooledHeapByteBuf {

        private final MemoryBudget.Body body;
        private final long bytes;

        OnHeap(ByteBuf message, MemoryBudget.Body body) {
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
