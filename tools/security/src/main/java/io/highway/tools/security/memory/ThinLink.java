// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.security.memory;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.traffic.GlobalTrafficShapingHandler;
import java.util.concurrent.ScheduledExecutorService;

/** A link of 30 Mbit/s that connections share, next to their sockets. It carries small pieces, as a network does. */
final class ThinLink extends GlobalTrafficShapingHandler {

    private static final int BYTES_PER_SECOND = 3_750_000;
    private static final int CHECK_MILLIS = 1_000;
    private static final int LONGEST_MILLIS = 600_000;
    private static final int PIECE = 4 << 10;
    private static final int QUEUE = 64 << 10;

    ThinLink(ScheduledExecutorService timer) {
        super(timer, BYTES_PER_SECOND, 0, CHECK_MILLIS, LONGEST_MILLIS);
        setMaxWriteDelay(LONGEST_MILLIS);
        setMaxWriteSize(QUEUE); // above it the connection is not writable
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) throws Exception {
        ByteBuf bytes = (ByteBuf) message;
        while (bytes.readableBytes() > PIECE) {
            super.write(context, bytes.readRetainedSlice(PIECE), context.newPromise());
        }
        super.write(context, bytes, promise);
    }
}
