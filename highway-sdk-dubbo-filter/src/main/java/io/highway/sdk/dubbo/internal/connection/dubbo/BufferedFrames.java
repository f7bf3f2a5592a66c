// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.connection.dubbo;

import io.highway.sdk.dubbo.internal.connection.triple.RejectedTasks;
import io.highway.sdk.dubbo.internal.evidence.Statements;
import io.highway.sdk.dubbo.internal.intent.CallState;
import io.highway.sdk.dubbo.internal.limits.MemoryBudget;
import io.highway.sdk.dubbo.internal.limits.Pieces;
import io.highway.sdk.dubbo.internal.limits.SequentialBodies;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelDuplexHandler;
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
 * The frames of one Dubbo connection, in front of Dubbo's decoder, which gets every frame whole. Their bytes count in the
 * {@link MemoryBudget}: those of a request until the call is answered; without an answer until it has ended, ten seconds
 * at most. Its methods run on the connection's event loop.
 */
public final class BufferedFrames extends ChannelDuplexHandler {

    private static final Logger log = LoggerFactory.getLogger(BufferedFrames.class);

    private static final String WAITED = "its request waited for memory, see highway.max-buffered";

    private final FrameworkModel framework;

    /** Null at a client. */
    private final @Nullable String home;

    private final int payload;

    /** Calls that are not answered yet. */
    private final Map<Long, MemoryBudget.Body> served = new HashMap<>();

    /** The request that Dubbo decodes now, if it is large and has no answer: the guard releases it. */
    private MemoryBudget.@Nullable Body decoded;

    /** Requests that no thread took, until their answer is written. */
    private final Map<Long, Request> rejected = new HashMap<>();

    private ChannelHandlerContext context;
    private MemoryBudget budget;
    private SequentialBodies frames;

    /** Whether the connection is no Dubbo connection, but one of telnet: its bytes are passed on as they are. */
    private boolean isOther;

    /** The bytes of such a connection since the last answer. */
    private long otherBytes;

    /** What has arrived of the next frame. */
    private Pieces pieces;

    private final ByteBuf header = Unpooled.buffer(DubboFrame.HEADER_BYTES, DubboFrame.HEADER_BYTES);
    private long missing;

    /** The bytes of a refused frame that are still to come. */
    private long skipped;

    /**
     * The frames of one connection.
     *
     * @param home the island of this process at a server; null at a client, whose connection is closed where a server
     *     answers that it is busy
     * @param payload the size in bytes from which on a frame does not wait for memory; without a limit if it is not positive
     */
    @SuppressWarnings("NullAway.Init") // handlerAdded precedes every other method
    public BufferedFrames(FrameworkModel framework, @Nullable String home, int payload) {
        this.framework = framework;
        this.home = home;
        this.payload = payload > 0 ? payload : Integer.MAX_VALUE;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext added) {
        context = added;
        budget = MemoryBudget.of(framework);
        frames = new SequentialBodies(budget, added.channel(), home == null, () -> refuse(WAITED));
        pieces = new Pieces(added.alloc(), budget::isScarce);
    }

    @Override
    public void channelRead(ChannelHandlerContext unused, Object message) {
        if (!(message instanceof ByteBuf data)) {
            context.fireChannelRead(message);
            return;
        }
        try {
            while (data.isReadable() && !isOther) {
                read(data);
            }
            if (data.isReadable()) {
                passOnOther(data.readRetainedSlice(data.readableBytes()));
            }
        } finally {
            data.release();
        }
        boolean isWhole = missing == 0 || !DubboFrame.isHeader(header, 0);
        if (!isWhole && DubboFrame.bytes(header, 0) > payload && budget.isOver()) {
            refuse("it is larger than the payload of its protocol, and there is no memory, see highway.max-buffered");
        }
        frames.proceed();
    }

    /** Up to the end of one frame. */
    private void read(ByteBuf data) {
        if (skipped > 0) {
            int skip = (int) Math.min(skipped, data.readableBytes());
            data.skipBytes(skip);
            skipped -= skip;
            return;
        }
        if (!header.isReadable() && isWholeAnswer(data)) {
            int frame = (int) DubboFrame.bytes(data, data.readerIndex());
            context.fireChannelRead(data.readRetainedSlice(frame)); // Dubbo's decoder copies what it keeps
            return;
        }
        if (!DubboFrame.isHeader(header, 0) && !readHeader(data)) {
            return;
        }
        int taken = (int) Math.min(missing, data.readableBytes());
        if (taken > 0) {
            keep(data, taken);
            missing -= taken;
        }
        if (missing == 0) {
            complete();
        }
    }

    /** Reads on in a header; returns whether it is complete, and its frame is read. */
    private boolean readHeader(ByteBuf data) {
        int start = data.readerIndex();
        int taken = Math.min(DubboFrame.HEADER_BYTES - header.readableBytes(), data.readableBytes());
        header.writeBytes(data, start, taken);
        keep(data, taken);
        if (header.readableBytes() >= Short.BYTES && !DubboFrame.isMagic(header, 0)) {
            isOther = true;
            release();
            passOnOther(pieces.take());
            return false;
        }
        if (!DubboFrame.isHeader(header, 0)) {
            return false;
        }
        missing = DubboFrame.bytes(header, 0) - DubboFrame.HEADER_BYTES;
        if (missing > budget.limit()) {
            refuse("it has " + missing + " bytes, and highway.max-buffered is " + budget.limit());
            return false;
        }
        return true;
    }

    /** Whether the data begins with all of an answer or an event: nothing of it would be buffered. */
    private static boolean isWholeAnswer(ByteBuf data) {
        int start = data.readerIndex();
        return DubboFrame.isHeader(data, start)
                && !DubboFrame.isRequest(data, start)
                && DubboFrame.bytes(data, start) <= data.readableBytes();
    }

    /** Dubbo collects a command up to its end, without a bound. */
    private void passOnOther(ByteBuf data) {
        otherBytes += data.readableBytes();
        if (otherBytes > MemoryBudget.STEP) {
            data.release();
            close("it is no Dubbo request and has more than " + MemoryBudget.STEP + " bytes");
        } else {
            context.fireChannelRead(data);
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // nothing follows
    private void close(String why) {
        budget.logLimit().warn(log, "highway: a Dubbo connection was closed, whose last message was not read: " + why);
        skipped = Long.MAX_VALUE;
        context.close();
    }

    private void keep(ByteBuf data, int bytes) {
        frames.add(bytes);
        pieces.add(data, bytes);
    }

    private void complete() {
        MemoryBudget.Body whole = frames.end();
        if (whole != null) {
            if (!DubboFrame.isRequest(header, 0)) {
                whole.release();
            } else if (!DubboFrame.isTwoWay(header, 0) || served.putIfAbsent(DubboFrame.id(header, 0), whole) != null) {
                keepUntilEnded(whole);
            }
        }
        passOn();
    }

    private void keepUntilEnded(MemoryBudget.Body whole) {
        if (whole.bytes() <= MemoryBudget.STEP) {
            whole.release();
            return;
        }
        whole.releaseLater();
        decoded = whole;
    }

    private void passOn() {
        header.clear();
        context.fireChannelRead(pieces.take());
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
                    CallState.put(call, MemoryBudget.Body.class, whole);
                }
                RejectedTasks.watch(true);
                after.fireChannelRead(message);
                if (RejectedTasks.isAny() && message instanceof Request request && request.isTwoWay()) {
                    rejected.put(request.getId(), request); // its answer is written by a later task of the event loop
                }
                RejectedTasks.watch(false);
            }
        };
    }

    private void release() {
        header.clear();
        frames.release();
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // the promise tells
    public void write(ChannelHandlerContext unused, Object message, ChannelPromise promise) {
        otherBytes = 0;
        if (message instanceof ByteBuf data && !rejected.isEmpty()) {
            writeRefusals(data);
            context.write(data, promise);
            return;
        }
        if (message instanceof ByteBuf data && !served.isEmpty()) {
            answered(data);
        }
        context.write(message, promise);
    }

    /** Dubbo writes several answers as one buffer. What is no answer is left in it. */
    @SuppressWarnings("FutureReturnValueIgnored") // a failure closes the connection
    private void writeRefusals(ByteBuf answers) {
        while (DubboFrame.isHeader(answers, answers.readerIndex())
                && DubboFrame.bytes(answers, answers.readerIndex()) <= answers.readableBytes()) {
            ByteBuf answer = answers.readRetainedSlice((int) DubboFrame.bytes(answers, answers.readerIndex()));
            Response refusal = refusalWithoutThread(answer);
            if (refusal == null) {
                answered(answer);
                context.write(answer);
            } else {
                answer.release();
                context.channel().writeAndFlush(refusal);
            }
        }
    }

    /** Instead of Dubbo's own answer to a request with route headers for which no thread was free; otherwise null. */
    private @Nullable Response refusalWithoutThread(ByteBuf answer) {
        int start = answer.readerIndex();
        if (rejected.isEmpty()
                || !DubboFrame.isHeader(answer, start)
                || DubboFrame.status(answer, start) != Response.SERVER_THREADPOOL_EXHAUSTED_ERROR) {
            return null;
        }
        Request request = rejected.remove(DubboFrame.id(answer, start));
        return request == null ? null : AdmittedCalls.withoutThread(request, context.channel(), framework);
    }

    private void answered(ByteBuf frames) {
        long at = frames.readerIndex();
        while (at < frames.writerIndex() && DubboFrame.isHeader(frames, (int) at)) {
            int start = (int) at;
            if (DubboFrame.isAnswer(frames, start)) {
                MemoryBudget.Body call = served.remove(DubboFrame.id(frames, start));
                if (call != null) {
                    call.release();
                }
            }
            at += DubboFrame.bytes(frames, start);
        }
    }

    /** Answers a frame that is not complete, and skips its rest. */
    @SuppressWarnings("FutureReturnValueIgnored") // a failure closes the connection
    private void refuse(String why) {
        if (home == null || !DubboFrame.isHeader(header, 0)) {
            close(why);
            return;
        }
        budget.logLimit().warn(log, "highway: a Dubbo request was refused before anything of it ran: " + why);
        if (DubboFrame.isTwoWay(header, 0)) {
            RpcException refusal = new RpcException(
                    RpcException.FORBIDDEN_EXCEPTION, "highway: nothing of the call ran at " + home + ": " + why);
            RpcInvocation call = new RpcInvocation((ServiceModel) null, "", "", "", new Class<?>[0], new Object[0]);
            call.getAttributes().put(Constants.SERIALIZATION_ID_KEY, DubboFrame.serialization(header, 0));
            String statement = home + ";" + Statements.BUSY + "; " + why;
            context.channel().writeAndFlush(AdmittedCalls.answer(DubboFrame.id(header, 0), call, refusal, statement));
        }
        skipped = missing;
        pieces.release();
        release();
        frames.proceed();
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext unused) {
        pieces.release();
        served.values().forEach(MemoryBudget.Body::releaseLater); // Dubbo runs them
        served.clear();
        release();
    }

    @Override
    public void channelInactive(ChannelHandlerContext unused) {
        handlerRemoved(context);
        context.fireChannelInactive();
    }
}
