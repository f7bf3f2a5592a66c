// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateway;

import io.highway.sdk.dubbo.internal.facts.DubboRequestFacts;
import io.highway.sdk.dubbo.internal.facts.UnreadableRequestException;
import io.highway.sdk.dubbo.internal.network.frame.FrameHeader;
import io.highway.tools.gateway.DubboUpstream.Caller;
import io.highway.tools.gateway.dubbo.OwnFrames;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import org.jspecify.annotations.Nullable;

/** The connection of one Dubbo client: its requests go out through shared upstreams, its heartbeats end here. */
@SuppressWarnings("FutureReturnValueIgnored") // Netty reports a failed write by closing the channel
final class DubboClient extends ChannelInboundHandlerAdapter {
    private final Channel channel;
    private final Flow flow;
    private final Forwarder forwarder;
    private int inFlight;
    private int serialization;

    DubboClient(Channel channel, Forwarder forwarder) {
        this.channel = channel;
        this.flow = new Flow(channel);
        this.forwarder = forwarder;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ByteBuf frame = (ByteBuf) message;
        int at = frame.readerIndex();
        if (FrameHeader.isRequest(frame, at)) {
            forward(frame, at);
            return;
        }
        boolean isWhole = FrameHeader.bytes(frame, at) <= frame.readableBytes();
        if (isWhole && FrameHeader.isHeartbeatRequest(frame, at)) {
            channel.writeAndFlush(OwnFrames.heartbeatAnswer(context.alloc(), frame));
        }
        frame.release();
    }

    private void forward(ByteBuf frame, int at) {
        serialization = FrameHeader.serialization(frame, at);
        Caller caller = new Caller(flow, FrameHeader.id(frame, at), serialization, this::answer);
        if (FrameHeader.isTwoWay(frame, at)) {
            inFlight++;
            forwarder.traffic().begin();
        }
        long length = FrameHeader.bytes(frame, at);
        if (length > frame.readableBytes()) {
            refuse(frame, caller, null, "?", Refusal.unreadable("frame of " + length + " bytes is over the limit"));
            return;
        }
        DubboRequestFacts request;
        try {
            request = DubboRequestFacts.ofBody(OwnFrames.body(frame), serialization);
        } catch (UnreadableRequestException e) {
            refuse(frame, caller, null, "?", Refusal.unreadable(String.valueOf(e.getMessage())));
            return;
        }
        String island = request.attachments().get("highway-island");
        ServiceName service = ServiceName.of(request.attachments().get("group"), request.service(), request.version());
        forwarder.connect(Protocol.DUBBO, island, service).whenComplete((upstream, failure) -> {
            if (failure != null) {
                refuse(frame, caller, island, service + "#" + request.method(), Refusal.of(failure));
            } else {
                forwarder.traffic().forwarded();
                DubboUpstream.of(upstream).send(frame, caller);
            }
        });
    }

    private void refuse(ByteBuf frame, Caller caller, @Nullable String island, String call, Refusal refusal) {
        forwarder.traffic().refused(Protocol.DUBBO, call, channel.remoteAddress(), refusal);
        if (FrameHeader.isTwoWay(frame, frame.readerIndex())) {
            caller.error("HIGHWAY-NOT-FORWARDED: " + refusal.statement(island));
        }
        frame.release();
    }

    /** Ends a call with the bytes of its answer. */
    private void answer(ByteBuf answer, Flow source) {
        if (channel.isActive()) {
            inFlight--;
            flow.write(answer, source);
            forwarder.traffic().end(1);
        } else {
            answer.release();
        }
    }

    /** Asks the client to send no new requests, as a provider does before it stops. */
    void sendReadonly() {
        channel.writeAndFlush(OwnFrames.readonlyEvent(channel.alloc(), serialization));
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        flow.writabilityChanged();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        flow.release();
        forwarder.traffic().end(inFlight);
        inFlight = 0;
    }
}
