// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateway;

import io.highway.sdk.dubbo.internal.facts.UnreadableRequestException;
import io.highway.tools.gateway.DubboUpstream.Caller;
import io.highway.tools.gateway.dubbo.DubboFrame;
import io.highway.tools.gateway.dubbo.DubboRequest;
import io.highway.tools.gateway.dubbo.OversizedFrame;
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
        if (message instanceof OversizedFrame frame) {
            refuseOversized(frame);
            return;
        }
        DubboFrame frame = new DubboFrame((ByteBuf) message);
        if (frame.isRequest() && !frame.isEvent()) {
            forward(frame);
            return;
        }
        if (frame.isRequest() && frame.isTwoWay()) {
            channel.writeAndFlush(frame.heartbeatAnswer(context.alloc()));
        }
        frame.bytes().release();
    }

    private void forward(DubboFrame frame) {
        serialization = frame.serialization();
        Caller caller = new Caller(flow, frame.id(), frame.serialization(), this::answer);
        if (frame.isTwoWay()) {
            inFlight++;
            forwarder.traffic().begin();
        }
        DubboRequest request;
        try {
            request = DubboRequest.read(frame);
        } catch (UnreadableRequestException e) {
            refuse(frame, caller, null, "?", Refusal.unreadable(String.valueOf(e.getMessage())));
            return;
        }
        ServiceName service = ServiceName.of(request.group(), request.service(), request.version());
        forwarder.connect(Protocol.DUBBO, request.island(), service).whenComplete((upstream, failure) -> {
            if (failure != null) {
                refuse(frame, caller, request.island(), service + "#" + request.method(), Refusal.of(failure));
            } else {
                forwarder.traffic().forwarded();
                DubboUpstream.of(upstream).send(frame, caller);
            }
        });
    }

    private void refuse(DubboFrame frame, Caller caller, @Nullable String island, String call, Refusal refusal) {
        forwarder.traffic().refused(Protocol.DUBBO, call, channel.remoteAddress(), refusal);
        if (frame.isTwoWay()) {
            caller.error("HIGHWAY-NOT-FORWARDED: " + refusal.statement(island));
        }
        frame.bytes().release();
    }

    private void refuseOversized(OversizedFrame frame) {
        if (!frame.request()) {
            return;
        }
        Refusal refusal = Refusal.unreadable("frame of " + frame.length() + " bytes is over the limit");
        forwarder.traffic().refused(Protocol.DUBBO, "?", channel.remoteAddress(), refusal);
        if (frame.twoWay()) {
            inFlight++;
            forwarder.traffic().begin();
            new Caller(flow, frame.id(), frame.serialization(), this::answer)
                    .error("HIGHWAY-NOT-FORWARDED: " + refusal.statement(null));
        }
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
        channel.writeAndFlush(DubboFrame.readonlyEvent(channel.alloc(), serialization));
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
