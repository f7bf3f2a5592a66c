// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.limits;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPromise;
import io.netty.util.internal.PlatformDependent;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of unanswered requests to one gateway address, and the bytes that wait to be written to it. Beyond a limit
 * calls are refused, so that a slow gateway does not exhaust memory. Thread-safe.
 */
public final class BytesInFlight {

    private static final long LEAST_DEFAULT = 64L << 20;

    /** A quarter of the JVM's maximum direct memory, at least 64 MB. */
    public static final long DEFAULT_LIMIT = Math.max(LEAST_DEFAULT, PlatformDependent.maxDirectMemory() / 4);

    /** Smaller writes are not counted. */
    private static final int LEAST_COUNTED = 1024;

    private final Supplier<@Nullable Channel> connection;
    private final AtomicLong unanswered = new AtomicLong();
    private final AtomicLong unwritten = new AtomicLong();
    private volatile long limit = DEFAULT_LIMIT;

    /** Counts for the latest connection to one gateway address. */
    public BytesInFlight(Supplier<@Nullable Channel> connection) {
        this.connection = connection;
    }

    public void limit(long bytes) {
        limit = bytes;
    }

    /**
     * Counts a request until {@link #leave}. A single request is always admitted, whatever its size.
     *
     * @throws ConnectionBusyException if the limit is reached; then it is not counted
     */
    public void enter(long bytes) throws ConnectionBusyException {
        requireWritable(bytes);
        long before = unanswered.getAndAdd(bytes);
        if (before > 0 && before + bytes > limit) {
            unanswered.addAndGet(-bytes);
            throw busy(before + " bytes of requests are in flight");
        }
    }

    /** A counted request was answered, or its caller stopped waiting. */
    public void leave(long bytes) {
        unanswered.addAndGet(-bytes);
    }

    /** Checks the limit before a request is serialised and its size is known. */
    public void requireCapacity() throws ConnectionBusyException {
        long now = unanswered.get();
        if (now >= limit) {
            throw busy(now + " bytes of requests are in flight");
        }
        requireWritable(0);
    }

    /** Requests whose callers have stopped waiting may still be queued. */
    private void requireWritable(long bytes) throws ConnectionBusyException {
        Channel channel = connection.get();
        ChannelOutboundBuffer buffer = channel == null ? null : channel.unsafe().outboundBuffer();
        long waiting = unwritten.get() + (buffer == null ? 0 : buffer.totalPendingWriteBytes());
        if (waiting > 0 && waiting + bytes > limit) {
            throw busy(waiting + " bytes wait to be written");
        }
    }

    private ConnectionBusyException busy(String what) {
        return new ConnectionBusyException(
                what + " over the connection, and highway.gateways.max-bytes-in-flight is " + limit);
    }

    /** Counts bytes until they are written; returns the promise to write them with. */
    public ChannelPromise written(ByteBuf content, ChannelPromise promise) {
        int bytes = content.readableBytes();
        if (bytes < LEAST_COUNTED) {
            return promise;
        }
        unwritten.addAndGet(bytes);
        ChannelPromise completed = promise.unvoid();
        completed.addListener(done -> unwritten.addAndGet(-bytes));
        return completed;
    }
}
