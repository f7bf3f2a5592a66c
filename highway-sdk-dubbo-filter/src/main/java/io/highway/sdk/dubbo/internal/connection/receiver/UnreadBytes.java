// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.connection.receiver;

import io.highway.sdk.dubbo.internal.limits.BufferedBytes;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What has arrived on a connection and is not read yet. It counts as buffered, but not while it is read: what is taken of
 * it is counted by who takes it. Its methods run on the connection's event loop.
 */
final class UnreadBytes {

    /** How long a peer can leave its answers unread while others need the memory. */
    private static final long STALLED_SECONDS = TimeUnit.NANOSECONDS.toSeconds(BufferedBytes.PROGRESS_NANOS);

    private final ByteBufAllocator allocator;
    private final BufferedBytes.Connection buffered;
    private ByteBuf bytes = Unpooled.EMPTY_BUFFER;
    private BufferedBytes.@Nullable Body memory;

    /** How long nothing of it was taken, though no request is being read or served. */
    private int stalledSeconds;

    UnreadBytes(ByteBufAllocator allocator, BufferedBytes.Connection buffered) {
        this.allocator = allocator;
        this.buffered = buffered;
    }

    /** Adds what has arrived, whose buffer is then this object's. */
    void add(ByteBuf data) {
        ByteBuf joined = data;
        if (bytes.isReadable()) {
            joined = allocator.buffer(bytes.readableBytes() + data.readableBytes());
            joined.writeBytes(bytes).writeBytes(data);
            data.release();
        }
        bytes.release();
        bytes = joined;
    }

    /** To be read from, between {@link #beginReading} and {@link #endReading}. */
    ByteBuf bytes() {
        return bytes;
    }

    /** Returns how many there are. */
    int beginReading() {
        uncount();
        return bytes.readableBytes();
    }

    /** Counts what was left of as many as there were; this may have happened within a reading that began before. */
    void endReading(int before) {
        if (bytes.readableBytes() < before) {
            stalledSeconds = 0;
        }
        uncount();
        if (bytes.isReadable()) {
            keepNoMore();
            memory = buffered.begin();
            memory.arrived(true);
            memory.add(bytes.readableBytes());
        } else {
            take().release();
        }
    }

    /** Copies few bytes of a large buffer, which was allocated for what the network may bring. */
    private void keepNoMore() {
        int size = bytes.readableBytes();
        if (size < bytes.capacity() / 2) {
            ByteBuf copy = allocator.buffer(size, size).writeBytes(bytes);
            bytes.release();
            bytes = copy;
        }
    }

    /** Whether there are any, and nobody reads them. */
    boolean areCounted() {
        return memory != null;
    }

    /** Once a second while no request is being read or served: whether nothing was taken for too long. */
    boolean areStalled() {
        return areCounted() && ++stalledSeconds > STALLED_SECONDS;
    }

    void skip() {
        take().release();
    }

    void uncount() {
        if (memory != null) {
            memory.release();
            memory = null;
        }
    }

    /** Takes all, to be released by the caller. */
    ByteBuf take() {
        uncount();
        ByteBuf all = bytes;
        bytes = Unpooled.EMPTY_BUFFER;
        return all;
    }
}
