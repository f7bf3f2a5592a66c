// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.provider.server;

import io.highway.sdk.dubbo.internal.call.CallAttributes;
import io.highway.sdk.dubbo.internal.evidence.NotSentStatements;
import io.highway.sdk.dubbo.internal.memory.MemoryBudget;
import io.highway.sdk.dubbo.internal.network.frame.FrameAggregator;
import io.highway.sdk.dubbo.internal.network.frame.FrameHeader;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandler;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import java.util.HashMap;
import java.util.Map;
import org.apache.dubbo.common.logger.Logger;
import org.apache.dubbo.common.logger.LoggerFactory;
import org.apache.dubbo.remoting.exchange.Request;
import org.apache.dubbo.remoting.exchange.Response;
import org.apache.dubbo.rpc.Constants;
import org.apache.dubbo.rpc.RpcException;
import org.apache.dubbo.rpc.RpcInvocation;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.apache.dubbo.rpc.model.ServiceModel;
import org.jspecify.annotations.Nullable;

/**
 * The frames of one connection of a Dubbo server. Those of a request count until the call is answered; without an answer
 * until it has ended, ten seconds at most.
 */
final class InboundFrameLimiter extends FrameAggregator {

    private static final Logger log = LoggerFactory.getLogger(InboundFrameLimiter.class);

    private final String home;

    /** Calls that are not answered yet. */
    private final Map<Long, MemoryBudget.Body> served = new HashMap<>();

    /** The request that Dubbo decodes now, if it is large and has no answer: the guard releases it. */
    private MemoryBudget.@Nullable Body decoded;

    /** Requests that no thread took, until their answer is written. */
    private final Map<Long, Request> rejected = new HashMap<>();

    /** The frames of one connection to this island. */
    public InboundFrameLimiter(FrameworkModel framework, String home, int payload) {
        super(framework, true, payload);
        this.home = home;
    }

    @Override
    protected void requested(MemoryBudget.Body whole) {
        if (!FrameHeader.isTwoWay(header(), 0) || served.putIfAbsent(FrameHeader.id(header(), 0), whole) != null) {
            keepUntilEnded(whole);
        }
    }

    private void keepUntilEnded(MemoryBudget.Body whole) {
        if (whole.bytes() <= MemoryBudget.STEP) {
            whole.release();
            return;
        }
        whole.releaseLater();
        decoded = whole;
    }

    @Override
    protected void passOn() {
        super.passOn();
        decoded = null;
    }

    /** Behind Dubbo's decoder. */
    public ChannelInboundHandler afterDecoder() {
        return new ChannelInboundHandlerAdapter() {
            @Override
            public void channelRead(ChannelHandlerContext after, Object message) {
                MemoryBudget.Body whole = decoded;
                if (whole != null
                        && message instanceof Request request
                        && request.getData() instanceof RpcInvocation call) {
                    CallAttributes.put(call, MemoryBudget.Body.class, whole);
                }
                RejectedTaskDetector.watch(true);
                after.fireChannelRead(message);
                if (RejectedTaskDetector.isAny() && message instanceof Request request && request.isTwoWay()) {
                    rejected.put(request.getId(), request); // its answer is written by a later task of the event loop
                }
                RejectedTaskDetector.watch(false);
            }
        };
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // the promise tells
    public void write(ChannelHandlerContext unused, Object message, ChannelPromise promise) {
        answeredOther();
        if (message instanceof ByteBuf data && !rejected.isEmpty()) {
            writeRefusals(data);
            context().write(data, promise);
            return;
        }
        if (message instanceof ByteBuf data && !served.isEmpty()) {
            answered(data);
        }
        context().write(message, promise);
    }

    /** Dubbo writes several answers as one buffer. What is no answer is left in it. */
    @SuppressWarnings("FutureReturnValueIgnored") // a failure closes the connection
    private void writeRefusals(ByteBuf answers) {
        while (FrameHeader.isHeader(answers, answers.readerIndex())
                && FrameHeader.bytes(answers, answers.readerIndex()) <= answers.readableBytes()) {
            ByteBuf answer = answers.readRetainedSlice((int) FrameHeader.bytes(answers, answers.readerIndex()));
            Response refusal = refusalWithoutThread(answer);
            if (refusal == null) {
                answered(answer);
                context().write(answer);
            } else {
                answer.release();
                context().channel().writeAndFlush(refusal);
            }
        }
    }

    /** Instead of Dubbo's own answer to a request with route headers for which no thread was free; otherwise null. */
    private @Nullable Response refusalWithoutThread(ByteBuf answer) {
        int start = answer.readerIndex();
        if (rejected.isEmpty()
                || !FrameHeader.isHeader(answer, start)
                || FrameHeader.status(answer, start) != Response.SERVER_THREADPOOL_EXHAUSTED_ERROR) {
            return null;
        }
        Request request = rejected.remove(FrameHeader.id(answer, start));
        return request == null
                ? null
                : AdmissionHandler.withoutThread(request, context().channel(), framework());
    }

    private void answered(ByteBuf frames) {
        long at = frames.readerIndex();
        while (at < frames.writerIndex() && FrameHeader.isHeader(frames, (int) at)) {
            int start = (int) at;
            if (FrameHeader.isAnswer(frames, start)) {
                MemoryBudget.Body call = served.remove(FrameHeader.id(frames, start));
                if (call != null) {
                    call.release();
                }
            }
            at += FrameHeader.bytes(frames, start);
        }
    }

    /** Answers the frame, and skips its rest. */
    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // a failure closes the connection
    protected void refuse(String why) {
        if (!FrameHeader.isHeader(header(), 0)) {
            close(why);
            return;
        }
        MemoryBudget.of(framework())
                .logLimit()
                .warn(log, "highway: a Dubbo request was refused before anything of it ran: " + why);
        if (FrameHeader.isTwoWay(header(), 0)) {
            RpcException refusal = new RpcException(
                    RpcException.FORBIDDEN_EXCEPTION, "highway: nothing of the call ran at " + home + ": " + why);
            RpcInvocation call = new RpcInvocation((ServiceModel) null, "", "", "", new Class<?>[0], new Object[0]);
            call.getAttributes().put(Constants.SERIALIZATION_ID_KEY, FrameHeader.serialization(header(), 0));
            String statement = home + ";" + NotSentStatements.BUSY + "; " + why;
            context()
                    .channel()
                    .writeAndFlush(AdmissionHandler.answer(FrameHeader.id(header(), 0), call, refusal, statement));
        }
        skip();
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext removed) {
        served.values().forEach(MemoryBudget.Body::releaseLater); // Dubbo runs them
        served.clear();
        super.handlerRemoved(removed);
    }
}
