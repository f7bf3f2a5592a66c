// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.network.connection;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.AttributeKey;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Detects that a gateway has sent nothing for three seconds over a connection (overdue), or for five (silent), not even an
 * answer to the heartbeat or PING that follows after two. Runs on the connection's event loop: while that or the whole
 * process is paused (a long garbage collection, a virtual machine that is moved), nothing is asked and nothing is read, so
 * that time does not count.
 */
final class SilenceDetector extends ChannelInboundHandlerAdapter {

    private static final AttributeKey<SilenceDetector> OF_CHANNEL = AttributeKey.valueOf("highway.silence");
    private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(5);

    /** The time for the heartbeat to follow, and a second for its answer. */
    private static final long OVERDUE_NANOS = TimeUnit.SECONDS.toNanos(3);

    private static final long INTERVAL_MILLIS = 200;

    /** A check that is this late was delayed by a pause. */
    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final LongSupplier nanoTime;

    /** The event loop alone writes these. */
    private volatile long silentSince;

    private volatile long lastCheck;
    private @Nullable Future<?> checks;

    /** Detects silence by a clock such as {@link System#nanoTime}. */
    SilenceDetector(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** Whether the gateway is silent on a connection; false if nothing detects it there. Any thread may call it. */
    public static boolean isSilent(Channel channel) {
        return silence(channel) > LIMIT_NANOS;
    }

    /** Whether the answer to a heartbeat is overdue on a connection. Any thread may call it. */
    static boolean isOverdue(Channel channel) {
        return silence(channel) > OVERDUE_NANOS;
    }

    /** The silence at the last check, nanoseconds: between two of them the process may have been paused. */
    private static long silence(Channel channel) {
        SilenceDetector detector = channel.attr(OF_CHANNEL).get();
        return detector == null ? 0 : detector.lastCheck - detector.silentSince;
    }

    /** Time since something was received over a connection, nanoseconds; 0 if nothing measures it there, or after a pause. */
    static long silentNanos(Channel channel) {
        SilenceDetector detector = channel.attr(OF_CHANNEL).get();
        return detector == null ? 0 : detector.silentNanos();
    }

    private long silentNanos() {
        long checked = lastCheck;
        long now = nanoTime.getAsLong();
        return now - checked > PAUSE_NANOS ? 0 : now - silentSince;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        silentSince = nanoTime.getAsLong();
        lastCheck = silentSince;
        context.channel().attr(OF_CHANNEL).set(this);
        checks = context.executor()
                .scheduleWithFixedDelay(
                        () -> check(context.channel()), INTERVAL_MILLIS, INTERVAL_MILLIS, TimeUnit.MILLISECONDS);
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        if (checks != null) {
            checks.cancel(false);
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        silentSince = nanoTime.getAsLong();
        context.fireChannelRead(message);
    }

    private void check(Channel channel) {
        long now = nanoTime.getAsLong();
        boolean isRead = channel.config().isAutoRead(); // not while there is no memory for what comes
        if (!isRead || now - lastCheck > PAUSE_NANOS) {
            silentSince = now;
        }
        lastCheck = now;
    }
}
