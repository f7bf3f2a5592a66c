// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.connection.channel;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPromise;
import io.netty.util.internal.PlatformDependent;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of requests that one gateway address has been given and has not answered, and those that wait to be written to
 * it. Beyond a limit calls are refused, so that a gateway that does not keep up does not take all memory. Thread-safe.
 */
public final class BytesInFlight {

    private static final long LEAST_DEFAULT = 64L << 20;

    /** A quarter of the memory outside of the heap that the JVM may use, and no less than 64 MB. */
    public static final long DEFAULT_LIMIT = Math.max(LEAST_DEFAULT, PlatformDependent.maxDirectMemory() / 4);

    /** Smaller writes are not worth counting one by one. */
    private static final int LEAST_COUNTED = 1024;

    private final Supplier<@Nullable Channel> connection;
    private final AtomicLong unanswered = new AtomicLong();
    private final AtomicLong unwritten = new AtomicLong();
    private volatile long limit = DEFAULT_LIMIT;

    /** Of the latest connection to one gateway address. */
    BytesInFlight(Supplier<@Nullable Channel> connection) {
        this.connection = connection;
    }

    void limit(long bytes) {
        limit = bytes;
    }

    /**
     * Counts a request until {@link #leave}. One alone is always let in, however large it is.
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

    /** A counted request was answered, or is no longer waited for. */
    public void leave(long bytes) {
        unanswered.addAndGet(-bytes);
    }

    /** Asks before a request is serialised, and its size is known. */
    public void requireCapacity() throws ConnectionBusyException {
        long now = unanswered.get();
        if (now >= limit) {
            throw busy(now + " bytes of requests are in flight");
        }
        requireWritable(0);
    }

    /** Requests that nobody waits for any more may still be in the way. */
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

    /** Counts what is to be written until it is; returns the promise that tells it. */
    public ChannelPromise written(ByteBuf content, ChannelPromise promise) {
        int bytes = content.readableBytes();
        if (bytes < LEAST_COUNTED) {
            return promise;
        }
        unwritten.addAndGet(bytes);
        ChannelPromise told = promise.unvoid();
        told.addListener(done -> unwritten.addAndGet(-bytes));
        return told;
    }
}
