// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.network.frame;

import io.highway.sdk.dubbo.internal.network.connection.ConnectionHandler;
import io.highway.sdk.dubbo.internal.network.connection.ConnectionPreface;
import io.highway.sdk.dubbo.internal.network.connection.MultiplexedConnection;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.util.collection.LongObjectHashMap;
import io.netty.util.collection.LongObjectMap;
import java.nio.channels.ClosedChannelException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.dubbo.common.logger.Logger;
import org.apache.dubbo.common.logger.LoggerFactory;
import org.apache.dubbo.rpc.AppResponse;
import org.jspecify.annotations.Nullable;

/** One connection of the Dubbo protocol, with its calls. */
@SuppressWarnings("FutureReturnValueIgnored") // a write that fails closes the connection
final class FrameConnection extends MultiplexedConnection<FrameCall> implements FrameCall.Carrier {

    private static final Logger log = LoggerFactory.getLogger(FrameConnection.class);

    /** So many answers within {@link #UNKNOWN_NANOS} that no call waits for are no late ones. */
    private static final int MOST_UNKNOWN = 10_000;

    private static final long UNKNOWN_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final FrameAggregator frames;

    /** By id; of the event loop. */
    private final LongObjectMap<FrameCall> calls = new LongObjectHashMap<>();

    private volatile int written;

    private int unknown;
    private long unknownSince;

    /** @param frames in front of it */
    FrameConnection(Channel channel, FrameAggregator frames) {
        super(channel);
        this.frames = frames;
    }

    @Override
    protected boolean hasCallsInFlight() {
        return written > 0;
    }

    @Override
    protected boolean write(FrameCall call) {
        boolean isRefusedSilently = isDraining() && !call.request().isTwoWay();
        if (!channel().isActive() || isRefusedSilently) {
            call.notWritten(new ClosedChannelException());
            return false;
        }
        if (!call.begin(this)) {
            return false;
        }
        ConnectionHandler.used(channel());
        calls.put(call.request().id(), call);
        written = calls.size();
        channel().write(call.body().bytes()).addListener(write -> written(call, write.cause()));
        return true;
    }

    private void written(FrameCall call, @Nullable Throwable failure) {
        if (failure != null) {
            remove(call.request().id());
            call.unwritten(failure);
        } else if (!call.request().isTwoWay()) {
            remove(call.request().id());
            call.answered(AppResponse::new);
            closeIfUnused();
        }
    }

    private @Nullable FrameCall remove(long id) {
        FrameCall call = calls.remove(id);
        written = calls.size();
        return call;
    }

    @Override
    public void abandon(FrameCall call) {
        onLoop(() -> {
            remove(call.request().id());
            closeIfUnused();
        });
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ByteBuf frame = (ByteBuf) message;
        try {
            isReady();
            int start = frame.readerIndex();
            if (!FrameHeader.isHeader(frame, start)) {
                context.close();
            } else if (FrameHeader.isAnswer(frame, start)) {
                answered(frame, start);
            } else if (FrameHeader.isHeartbeatRequest(frame, start)) {
                context.writeAndFlush(FrameHeader.heartbeatAnswer(frame, start));
            } else if (FrameHeader.isReadOnlyEvent(frame, start)) {
                drains();
            }
        } finally {
            frame.release();
        }
    }

    private void answered(ByteBuf frame, int start) {
        FrameCall call = remove(FrameHeader.id(frame, start));
        if (call == null) {
            unknown();
            return;
        }
        byte[] answer = ByteBufUtil.getBytes(frame);
        call.answered(() -> call.read(answer), frames.takeMemory());
        closeIfUnused();
    }

    /** An answer that comes too late is nothing unusual; it is not decoded. */
    private void unknown() {
        long now = System.nanoTime();
        if (unknown == 0 || now - unknownSince > UNKNOWN_NANOS) {
            unknownSince = now;
            unknown = 0;
        }
        unknown++;
        if (unknown == MOST_UNKNOWN) {
            log.warn("highway: a connection to " + channel().remoteAddress() + " is closed: within ten seconds "
                    + unknown + " answers came over it that no call waits for");
            channel().close();
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event instanceof IdleStateEvent) {
            context.writeAndFlush(Unpooled.wrappedBuffer(ConnectionPreface.DUBBO.bytes("")));
        }
        context.fireUserEventTriggered(event);
    }

    @Override
    protected void lost() {
        List<FrameCall> lost = List.copyOf(calls.values());
        calls.clear();
        written = 0;
        lost.forEach(FrameCall::lost);
    }
}
