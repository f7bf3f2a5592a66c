// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.network.http2;

import io.highway.sdk.dubbo.internal.memory.BodyBuffer;
import io.highway.sdk.dubbo.internal.network.compression.BoundedInflater;
import io.netty.buffer.ByteBuf;
import org.apache.dubbo.rpc.StatusRpcException;
import org.apache.dubbo.rpc.TriRpcStatus;
import org.jspecify.annotations.Nullable;

/**
 * Finds the gRPC messages of one call, however its data is split. No message is longer than a limit, and no memory is
 * allocated for an announced length before the bytes arrive. Not thread-safe.
 */
public final class MessageReader {

    private static final int COMPRESSED = 1;

    private final int limit;
    private final String limitName;

    /** What has arrived of the next message, with its prefix. */
    private final BodyBuffer pieces;

    /**
     * Reads for one call.
     *
     * @param limit the maximum size of a message in bytes, inflated or not
     * @param limitName what sets the limit
     * @param pieces none yet
     */
    public MessageReader(int limit, String limitName, BodyBuffer pieces) {
        this.limit = limit;
        this.limitName = limitName;
        this.pieces = pieces;
    }

    /**
     * Reads up to the end of one message.
     *
     * @return the message with its prefix, which the caller releases, or null if the data ends before it does
     * @throws StatusRpcException if the message is over the limit or malformed
     */
    @Nullable
    public ByteBuf next(ByteBuf data) {
        while (data.isReadable()) {
            int before = pieces.bytes();
            if (before == 0 && data.readableBytes() >= BoundedInflater.PREFIX_BYTES) {
                requireFits(data);
                int whole = BoundedInflater.PREFIX_BYTES + length(data);
                if (whole <= data.readableBytes()) {
                    return data.readRetainedSlice(whole);
                }
                pieces.add(data, data.readableBytes());
                return null;
            }
            int end = before < BoundedInflater.PREFIX_BYTES
                    ? BoundedInflater.PREFIX_BYTES
                    : BoundedInflater.PREFIX_BYTES + length(pieces.first());
            pieces.add(data, Math.min(end - before, data.readableBytes()));
            if (pieces.bytes() == BoundedInflater.PREFIX_BYTES) {
                requireFits(pieces.first());
            }
            if (pieces.bytes() >= BoundedInflater.PREFIX_BYTES
                    && pieces.bytes() == BoundedInflater.PREFIX_BYTES + length(pieces.first())) {
                return pieces.take();
            }
        }
        return null;
    }

    private static int length(ByteBuf message) {
        return message.getInt(message.readerIndex() + 1);
    }

    private void requireFits(ByteBuf message) {
        byte first = message.getByte(message.readerIndex());
        if ((first & ~COMPRESSED) != 0) {
            throw TriRpcStatus.INTERNAL
                    .withDescription("This is no gRPC message: its first byte is " + (first & 0xff))
                    .asException();
        }
        int length = length(message);
        if (length < 0 || length > limit) { // an unsigned length above the int range is negative
            throw BoundedInflater.tooLarge("has " + Integer.toUnsignedString(length) + " bytes", limitName, limit);
        }
    }

    /** Whether a part of a message has arrived. */
    public boolean isInsideMessage() {
        return pieces.bytes() > 0;
    }

    /** Releases what has arrived of a message. */
    public void close() {
        pieces.release();
    }

    /** Whether a message is compressed; it begins with its prefix. */
    public static boolean isCompressed(ByteBuf message) {
        return message.getByte(message.readerIndex()) == COMPRESSED;
    }
}
