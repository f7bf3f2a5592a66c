// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.network.http2;

import io.highway.sdk.dubbo.internal.memory.MemoryBudget;
import io.highway.sdk.dubbo.internal.network.compression.BoundedInflater;
import io.highway.sdk.dubbo.internal.network.compression.UnreadableAnswerException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import org.apache.dubbo.rpc.StatusRpcException;
import org.apache.dubbo.rpc.TriRpcStatus;
import org.jspecify.annotations.Nullable;

/** The body of one answer: its messages are copied to the heap, and count in the memory budget until they are read. */
final class AnswerBody extends InboundStream {

    /** Whose answer it is. */
    interface Owner {

        /** That of its stream. */
        int id();

        /** A message of the answer has come, compressed or not. */
        void message(byte[] bytes, boolean isCompressed);

        /** It has ended so; what comes later changes nothing. */
        void ended(TriRpcStatus status);

        /** Ends the stream, unless it has ended. */
        void reset();
    }

    private final Owner call;

    /** Null if the answer has no gRPC messages. */
    private final @Nullable MessageReader reader;

    private boolean isTaken;

    AnswerBody(StreamContext connection, Owner call, boolean isGrpc) {
        super(connection);
        this.call = call;
        body.begun();
        this.reader = isGrpc
                ? new MessageReader(connection.mostBuffered(), "highway.max-buffered of the caller", newPieces())
                : null;
    }

    @Override
    protected int id() {
        return call.id();
    }

    /** Reads what has arrived; the buffer remains the caller's. */
    void read(ByteBuf data, int window) {
        received(window, data.readableBytes());
        if (isRefused) {
            withholdWindow();
            return;
        }
        if (reader == null) {
            body.remove(data.readableBytes());
            returnWindow();
            return;
        }
        try {
            while (data.isReadable()) {
                ByteBuf message = reader.next(data);
                if (message != null) {
                    passOn(message);
                }
            }
            settle();
        } catch (StatusRpcException e) {
            refuse(e.getStatus());
        } catch (OutOfMemoryError e) { // else the rest would be the answer
            refuse(noMemory());
        }
    }

    private void passOn(ByteBuf message) {
        try {
            int begin = message.readerIndex() + BoundedInflater.PREFIX_BYTES;
            int length = message.readableBytes() - BoundedInflater.PREFIX_BYTES;
            call.message(ByteBufUtil.getBytes(message, begin, length), MessageReader.isCompressed(message));
            body.remove(BoundedInflater.PREFIX_BYTES);
        } finally {
            message.release();
        }
    }

    /** The answer has ended well: then no part of a message is left; returns the failure, or null. */
    @Nullable
    TriRpcStatus partOfAMessage() {
        return isIncomplete()
                ? TriRpcStatus.INTERNAL.withDescription("highway: the answer ends within a message")
                : null;
    }

    @Override
    public void settle() {
        if (!isRefused) {
            super.settle();
        }
    }

    @Override
    protected boolean isIncomplete() {
        return reader != null && reader.isInsideMessage();
    }

    @Override
    protected void refuseForMemory() {
        refuse(noMemory());
    }

    private static TriRpcStatus noMemory() {
        return TriRpcStatus.fromCode(TriRpcStatus.Code.RESOURCE_EXHAUSTED)
                .withCause(UnreadableAnswerException.withoutMemory(
                        "there is no memory for the answer, see highway.max-buffered"));
    }

    /** The call ends as if the server had ended it: it may have run. */
    private void refuse(TriRpcStatus status) {
        discardRest();
        call.ended(status);
    }

    /**
     * Discards what is left of the answer, up to the stream's window: a reset would meet it on its way, and the codecs of the
     * hops behind would answer each frame of it by another reset, for which Netty ends connections, with the calls of others
     * (more than 200 in 30 s).
     */
    void discardRest() {
        isRefused = true;
        discard();
        withholdWindow();
        resetOnceQuiet(withheld);
    }

    private void resetOnceQuiet(int seen) {
        later(() -> {
            if (seen == withheld) {
                call.reset();
            } else {
                resetOnceQuiet(withheld);
            }
        });
    }

    /** Counts its bytes. */
    MemoryBudget.Body memory() {
        return body;
    }

    /** The same, for whoever releases them once the answer is read. */
    MemoryBudget.Body takeMemory() {
        isTaken = true;
        return body;
    }

    @Override
    public void close() {
        super.close();
        closeReader();
        if (body.hasUnread()) {
            body.releaseLater();
        } else if (!isTaken) {
            body.release();
        }
    }

    private void discard() {
        closeReader();
        body.release();
    }

    private void closeReader() {
        if (reader != null) {
            reader.close();
        }
    }
}
