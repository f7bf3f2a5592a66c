// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateway;

import io.highway.sdk.dubbo.internal.network.frame.FrameHeader;
import io.highway.tools.gateway.dubbo.OwnFrames;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One connection that carries the calls of many clients: each gets an id of ours, and its own back in the answer. */
@SuppressWarnings("FutureReturnValueIgnored") // Netty reports a failed write by closing the channel
final class DubboUpstream extends ChannelInboundHandlerAdapter {
    private static final Logger log = LoggerFactory.getLogger(DubboUpstream.class);
    private static final long SWEEP_SECONDS = 30;
    /** No caller waits so long; what is older was lost on the other side. */
    private static final long EXPIRY_NANOS = TimeUnit.MINUTES.toNanos(10);

    private final Channel channel;
    private final Flow flow;
    private final Consumer<Channel> retire;
    private final Map<Long, Pending> pending = new HashMap<>();
    private long lastId;
    private boolean retired;
    private @Nullable ScheduledFuture<?> sweeping;

    /**
     * The origin of a request.
     *
     * @param flow of the connection that the request came over
     * @param id of the request, and the serialization it used
     * @param answers takes over an answer, with the flow of the connection that it came over
     */
    record Caller(Flow flow, long id, int serialization, BiConsumer<ByteBuf, Flow> answers) {
        void error(String message) {
            answers.accept(OwnFrames.error(flow.channel().alloc(), id, serialization, message), flow);
        }

        private void response(ByteBuf frame, Flow source) {
            answers.accept(OwnFrames.withId(frame, id), source);
        }
    }

    private record Pending(Caller caller, long since) {}

    DubboUpstream(Channel channel, Consumer<Channel> retire) {
        this.channel = channel;
        this.flow = new Flow(channel);
        this.retire = retire;
    }

    static DubboUpstream of(Channel channel) {
        return channel.pipeline().get(DubboUpstream.class);
    }

    /** Takes over the frame. */
    void send(ByteBuf frame, Caller caller) {
        long id = ++lastId;
        if (FrameHeader.isTwoWay(frame, frame.readerIndex())) {
            pending.put(id, new Pending(caller, System.nanoTime()));
        }
        flow.write(OwnFrames.withId(frame, id), caller.flow());
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        sweeping =
                context.executor().scheduleWithFixedDelay(this::sweep, SWEEP_SECONDS, SWEEP_SECONDS, TimeUnit.SECONDS);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ByteBuf frame = (ByteBuf) message;
        int at = frame.readerIndex();
        Caller caller = FrameHeader.isAnswer(frame, at) ? take(FrameHeader.id(frame, at)) : null;
        long length = FrameHeader.bytes(frame, at);
        boolean isWhole = length <= frame.readableBytes();
        if (caller != null && isWhole) {
            caller.response(frame, flow);
        } else {
            if (caller != null) {
                caller.error("HIGHWAY-RESPONSE-TOO-LARGE: " + length + " bytes");
            } else if (isWhole) {
                onEvent(frame, at);
            }
            frame.release();
        }
        closeWhenRetired();
    }

    private @Nullable Caller take(long id) {
        Pending call = pending.remove(id);
        return call == null ? null : call.caller();
    }

    private void onEvent(ByteBuf event, int at) {
        if (FrameHeader.isReadOnlyEvent(event, at)) {
            log.info("{} takes no new calls; the next one gets a new connection", channel.remoteAddress());
            retired = true;
            retire.accept(channel);
        } else if (FrameHeader.isHeartbeatRequest(event, at)) {
            channel.writeAndFlush(OwnFrames.heartbeatAnswer(channel.alloc(), event));
        }
    }

    private void closeWhenRetired() {
        if (retired && pending.isEmpty()) {
            channel.close();
        }
    }

    private void sweep() {
        long now = System.nanoTime();
        pending.values().removeIf(call -> !call.caller().flow().channel().isActive());
        List<Map.Entry<Long, Pending>> old = pending.entrySet().stream()
                .filter(entry -> now - entry.getValue().since() > EXPIRY_NANOS)
                .toList();
        for (Map.Entry<Long, Pending> entry : old) {
            pending.remove(entry.getKey());
            entry.getValue().caller().error("HIGHWAY-UNKNOWN: no answer from " + channel.remoteAddress());
        }
        closeWhenRetired();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        flow.writabilityChanged();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        flow.release();
        if (sweeping != null) {
            sweeping.cancel(false);
        }
        List<Pending> lost = new ArrayList<>(pending.values());
        pending.clear();
        for (Pending call : lost) {
            call.caller()
                    .error("HIGHWAY-CONNECTION-LOST: " + channel.remoteAddress() + " closed with the call in flight");
        }
    }
}
