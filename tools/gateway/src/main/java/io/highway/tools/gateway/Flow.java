// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateway;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Back-pressure between Dubbo connections: a connection that wrote to a full one is not read again until that one has
 * drained. A connection that does not drain at all is closed, so that it does not block the others forever.
 */
@SuppressWarnings("FutureReturnValueIgnored") // Netty reports a failed write by closing the channel
final class Flow {
    /** As in Dubbo: the default of Netty 4.2.2, the adaptive one, frees large frames that wait to be written; 4.2.3 does not. */
    static final ByteBufAllocator BUFFERS = PooledByteBufAllocator.DEFAULT;

    static final WriteBufferWaterMark WATER_MARK = new WriteBufferWaterMark(1 << 20, 4 << 20);

    private static final Logger log = LoggerFactory.getLogger(Flow.class);
    private static final long STUCK_SECONDS = 30;

    private final Channel channel;
    private final Set<Flow> blocked = new HashSet<>();
    private final Set<Flow> heldBy = new HashSet<>();
    private @Nullable ScheduledFuture<?> stuck;

    Flow(Channel channel) {
        this.channel = channel;
    }

    Channel channel() {
        return channel;
    }

    void write(ByteBuf bytes, Flow source) {
        channel.writeAndFlush(bytes);
        if (!channel.isWritable() && channel.isActive()) {
            blocked.add(source);
            source.heldBy.add(this);
            source.channel.config().setAutoRead(false);
        }
    }

    void writabilityChanged() {
        if (channel.isWritable()) {
            release();
        } else if (stuck == null) {
            stuck = channel.eventLoop().schedule(this::closeStuck, STUCK_SECONDS, TimeUnit.SECONDS);
        }
    }

    void release() {
        if (stuck != null) {
            stuck.cancel(false);
            stuck = null;
        }
        for (Flow source : blocked) {
            source.heldBy.remove(this);
            if (source.heldBy.isEmpty()) {
                source.channel.config().setAutoRead(true);
            }
        }
        blocked.clear();
    }

    private void closeStuck() {
        log.info("closing {}: it has read too little for {} s", channel, STUCK_SECONDS);
        channel.close();
    }
}
