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

    /** Sets the limit; if applications share the address, the last one that was set applies. */
    public void limit(long bytes) {
        limit = bytes;
    }

    /**
     * Counts a request until {@link #leave}. A single request is always admitted, whatever its size.
     *
     * @return null, or the problem if the limit is reached; then it is not counted
     */
    public @Nullable String enter(long bytes) {
        String unwritable = unwritable(bytes);
        if (unwritable != null) {
            return unwritable;
        }
        long before = unanswered.getAndAdd(bytes);
        if (before > 0 && before + bytes > limit) {
            unanswered.addAndGet(-bytes);
            return busy(before + " bytes of requests are in flight");
        }
        return null;
    }

    /** A counted request was answered, or its caller stopped waiting. */
    public void leave(long bytes) {
        unanswered.addAndGet(-bytes);
    }

    /** The problem before a request is serialised and its size is known, or null. */
    public @Nullable String excess() {
        long now = unanswered.get();
        return now >= limit ? busy(now + " bytes of requests are in flight") : unwritable(0);
    }

    /** Requests whose callers have stopped waiting may still be queued. */
    private @Nullable String unwritable(long bytes) {
        Channel channel = connection.get();
        ChannelOutboundBuffer buffer = channel == null ? null : channel.unsafe().outboundBuffer();
        long waiting = unwritten.get() + (buffer == null ? 0 : buffer.totalPendingWriteBytes());
        return waiting > 0 && waiting + bytes > limit ? busy(waiting + " bytes wait to be written") : null;
    }

    private String busy(String what) {
        return what + " over the connection, and highway.gateways.max-bytes-in-flight is " + limit;
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
