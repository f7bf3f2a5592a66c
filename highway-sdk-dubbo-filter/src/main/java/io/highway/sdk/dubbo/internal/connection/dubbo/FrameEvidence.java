// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.connection.dubbo;

import io.highway.sdk.dubbo.internal.connection.channel.ConnectionMarks;
import io.highway.sdk.dubbo.internal.evidence.AttemptEvidence;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.util.ReferenceCountUtil;
import java.nio.channels.ClosedChannelException;
import java.util.Arrays;
import org.apache.dubbo.remoting.exchange.support.MultiMessage;

/**
 * Records the write results of the Dubbo frames of one connection. Dubbo writes several requests as one
 * ({@code Netty4BatchWriteQueue}) and, if that fails, fails all of them, though the first may have been sent. Certain
 * is: on a connection that was closed before, nothing was written; on one that broke, not the end of the last frame.
 */
final class FrameEvidence extends ChannelOutboundHandlerAdapter {

    private boolean isUsed;

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // the promise reports the result
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        ChannelPromise completed = promise;
        if (message instanceof ByteBuf bytes) {
            Calls calls = new Calls(bytes, context.channel().isActive());
            completed = promise.unvoid();
            completed.addListener(calls);
            if (!isUsed && calls.count > 0) {
                isUsed = true;
                ConnectionMarks.used(context.channel());
            }
        }
        context.write(message, completed);
    }

    /** Netty removes all handlers of a closed connection, but Dubbo may still write to it. */
    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        if (!context.channel().isOpen()) {
            context.pipeline().addLast(new Closed());
        }
    }

    /**
     * Releases messages written to a closed connection. Dubbo's queue (3.3.6, {@code Netty4BatchWriteQueue}) writes
     * several requests as one message that Netty does not treat as reference-counted, so their buffers leaked.
     */
    private static final class Closed extends ChannelOutboundHandlerAdapter {

        @Override
        @SuppressWarnings("FutureReturnValueIgnored") // the promise reports the result
        public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
            if (message instanceof MultiMessage requests) {
                for (Object request : requests) {
                    ReferenceCountUtil.release(request);
                }
                promise.tryFailure(new ClosedChannelException());
            } else {
                context.write(message, promise);
            }
        }
    }

    /** The calls in one write. */
    private static final class Calls implements ChannelFutureListener {

        private final boolean connected;
        private long[] ids = new long[1];
        private int count;
        private boolean lastFrameIsCall;

        Calls(ByteBuf frames, boolean connected) {
            this.connected = connected;
            long next = frames.readerIndex();
            while (next < frames.writerIndex() && DubboFrame.isHeader(frames, (int) next)) {
                int at = (int) next;
                lastFrameIsCall = DubboFrame.isRequest(frames, at) && DubboFrame.isTwoWay(frames, at);
                if (lastFrameIsCall) { // only these have a waiting caller
                    add(DubboFrame.id(frames, at));
                }
                next += DubboFrame.bytes(frames, at);
            }
        }

        private void add(long id) {
            ids = count == ids.length ? Arrays.copyOf(ids, 2 * count) : ids;
            ids[count] = id;
            count++;
            AttemptEvidence evidence = AttemptEvidence.ofRequest(id);
            if (evidence != null) {
                evidence.leave();
            }
        }

        @Override
        public void operationComplete(ChannelFuture written) {
            if (!written.isSuccess()) {
                int first = !connected ? 0 : lastFrameIsCall ? count - 1 : count;
                for (int i = first; i < count; i++) {
                    AttemptEvidence evidence = AttemptEvidence.ofRequest(ids[i]);
                    if (evidence != null) {
                        evidence.notWritten(written.cause());
                    }
                }
            }
        }
    }
}
