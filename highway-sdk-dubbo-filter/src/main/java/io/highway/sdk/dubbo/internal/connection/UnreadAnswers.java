// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.connection;

import io.highway.sdk.dubbo.internal.limits.BufferedBytes;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import java.util.concurrent.TimeUnit;
import org.apache.dubbo.common.logger.Logger;
import org.apache.dubbo.common.logger.LoggerFactory;

/**
 * Reads a connection of a server no further while its peer leaves too many answers unread, and closes it if the peer reads
 * nothing for ten seconds: Netty queues answers without a bound, and a small request may have a large one. Its methods run on
 * the connection's event loop.
 */
final class UnreadAnswers extends ChannelDuplexHandler {

    private static final Logger log = LoggerFactory.getLogger(UnreadAnswers.class);

    /** More than Netty counts for each write beside its bytes. */
    private static final int ENTRY = 128;

    private final BufferedBytes buffered;
    private boolean isCounted;
    private boolean isHeldUp;

    /** What has been added since the last look, while it is held up: calls that run on are answered. */
    private long added;

    UnreadAnswers(BufferedBytes buffered) {
        this.buffered = buffered;
    }

    @Override
    public void read(ChannelHandlerContext context) {
        if (bytes(context.channel()) <= buffered.mostUnread()) {
            context.read();
        } else if (!isHeldUp) {
            isHeldUp = true;
            closeUnlessRead(context);
        }
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // the promise reports the result
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        if (isHeldUp && message instanceof ByteBuf bytes) {
            added += ENTRY + bytes.readableBytes();
        }
        context.write(message, promise);
    }

    /** The bytes that wait to be written; 0 if they are few. */
    private static long bytes(Channel channel) {
        return channel.isWritable()
                ? 0
                : channel.bytesBeforeWritable() + channel.config().getWriteBufferLowWaterMark();
    }

    @SuppressWarnings("FutureReturnValueIgnored") // it ends with the connection
    private void closeUnlessRead(ChannelHandlerContext context) {
        long before = bytes(context.channel());
        added = 0;
        context.executor()
                .schedule(
                        () -> {
                            long now = bytes(context.channel());
                            if (isHeldUp && now < before + added) {
                                closeUnlessRead(context);
                            } else if (isHeldUp) {
                                close(context, now);
                            }
                        },
                        BufferedBytes.PROGRESS_NANOS,
                        TimeUnit.NANOSECONDS);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // nothing follows
    private void close(ChannelHandlerContext context, long bytes) {
        String end = buffered.logLimit().next();
        if (end != null) {
            log.warn("highway: a connection was closed, whose peer has read nothing of " + bytes
                    + " bytes of answers for ten seconds" + end);
        }
        context.close();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        boolean isWritable = context.channel().isWritable();
        count(!isWritable);
        if (isWritable && isHeldUp) {
            isHeldUp = false;
            context.read();
        }
        context.fireChannelWritabilityChanged();
    }

    private void count(boolean isUnread) {
        if (isUnread != isCounted) {
            isCounted = isUnread;
            buffered.unread().addAndGet(isUnread ? 1 : -1);
        }
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        isHeldUp = false;
        count(false);
    }
}
