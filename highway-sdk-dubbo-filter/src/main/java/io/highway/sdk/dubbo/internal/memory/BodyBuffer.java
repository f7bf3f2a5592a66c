// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.memory;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of one body as they arrive. They stay in the buffers that they came in, without a copy. Small pieces, and
 * all pieces while memory is scarce, are copied together: a piece keeps the whole buffer of the network in memory, of
 * which it may be a small part. Not thread-safe.
 */
public final class BodyBuffer {

    /** Smaller pieces are copied. */
    public static final int SMALL = 8 * 1024;

    private static final int SMALLEST_BUFFER = 1024;

    private final ByteBufAllocator buffers;
    private final BooleanSupplier isMemoryScarce;
    private List<ByteBuf> pieces = List.of();
    private int bytes;

    /** The last piece, if others can be copied to it. */
    private @Nullable ByteBuf tail;

    /** No bytes yet. */
    public BodyBuffer(ByteBufAllocator buffers, BooleanSupplier isMemoryScarce) {
        this.buffers = buffers;
        this.isMemoryScarce = isMemoryScarce;
    }

    /** A message that is kept for a while, in a separate buffer if it is small. The one that is given is released then. */
    public static ByteBuf kept(ByteBuf message) {
        if (message.readableBytes() >= SMALL) {
            return message;
        }
        try {
            return message.alloc().buffer(message.readableBytes()).writeBytes(message);
        } finally {
            message.release();
        }
    }

    /** How many there are. */
    public int bytes() {
        return bytes;
    }

    /** The first piece; it has the bytes that were added first, if fewer than 1,024 were added until they were whole. */
    public ByteBuf first() {
        return pieces.get(0);
    }

    /** Takes the next bytes from the data. */
    public void add(ByteBuf data, int more) {
        bytes += more;
        if (more >= SMALL && !isMemoryScarce.getAsBoolean()) {
            append(data.readRetainedSlice(more));
            tail = null;
            return;
        }
        for (int left = more; left > 0; ) {
            ByteBuf last = tail;
            if (last == null || !last.isWritable()) {
                last = newTail();
            }
            int copied = Math.min(left, last.writableBytes());
            last.writeBytes(data, copied);
            left -= copied;
        }
    }

    /** As large as what has arrived, so that at most half of it is free. */
    private ByteBuf newTail() {
        int size = Math.min(MemoryBudget.STEP, Math.max(SMALLEST_BUFFER, bytes));
        ByteBuf created = buffers.buffer(size, size);
        append(created);
        tail = created;
        return created;
    }

    /** Most bodies are whole when they come, and have no pieces. */
    private void append(ByteBuf piece) {
        if (pieces.isEmpty()) {
            pieces = new ArrayList<>(1);
        }
        pieces.add(piece);
    }

    /** All bytes, for the caller to release; then there are none. */
    public ByteBuf take() {
        ByteBuf all = pieces.size() == 1
                ? pieces.get(0)
                : buffers.compositeBuffer(Integer.MAX_VALUE).addComponents(true, pieces);
        reset();
        return all;
    }

    /** Releases all bytes. */
    public void release() {
        pieces.forEach(ByteBuf::release);
        reset();
    }

    private void reset() {
        pieces = List.of();
        bytes = 0;
        tail = null;
    }
}
