// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.connection.dubbo;

import io.highway.sdk.dubbo.internal.connection.channel.ConnectionMarks;
import io.highway.sdk.dubbo.internal.connection.channel.Freshness;
import io.highway.sdk.dubbo.internal.connection.channel.Greeting;
import io.highway.sdk.dubbo.internal.connection.channel.SilenceDetector;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.util.collection.LongObjectHashMap;
import io.netty.util.collection.LongObjectMap;
import java.nio.channels.ClosedChannelException;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.dubbo.common.logger.Logger;
import org.apache.dubbo.common.logger.LoggerFactory;
import org.apache.dubbo.rpc.AppResponse;
import org.jspecify.annotations.Nullable;

/**
 * The last handler of one connection of the Dubbo protocol, with its calls. Calls enter from any thread, and are written
 * on the event loop in batches, one flush each. Netty's methods run on the event loop; the others may be called by any
 * thread.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a write that fails closes the connection
final class FrameConnection extends ChannelInboundHandlerAdapter implements FrameCall.Carrier {

    /** The seconds without a byte in one direction after which a heartbeat follows. */
    static final int HEARTBEAT_SECONDS = 2;

    private static final Logger log = LoggerFactory.getLogger(FrameConnection.class);

    /** A connection that has been replaced stays open for this long, for calls that are on their way to it. */
    private static final long LEAST_DRAIN_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** So many answers within {@link #UNKNOWN_NANOS} that no call waits for are no late ones. */
    private static final int MOST_UNKNOWN = 10_000;

    private static final long UNKNOWN_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final Channel channel;
    private final CompletableFuture<Boolean> greeted = new CompletableFuture<>();
    private final Queue<FrameCall> entered = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean isScheduled = new AtomicBoolean();

    /** By id; of the event loop. */
    private final LongObjectMap<FrameCall> calls = new LongObjectHashMap<>();

    private volatile int written;
    private volatile boolean isDraining;
    private volatile long closeFromNanos;
    private volatile boolean isRetired;
    private int unknown;
    private long unknownSince;

    FrameConnection(Channel channel) {
        this.channel = channel;
    }

    Channel channel() {
        return channel;
    }

    /** Completes with the first frame of the gateway, or fails if the connection is closed before. */
    CompletableFuture<Boolean> greeted() {
        return greeted;
    }

    boolean isConnected() {
        return channel.isActive();
    }

    /** Whether the gateway takes no new calls, and answers those in flight. */
    boolean isDraining() {
        return isDraining;
    }

    /** Whether it can carry a call. */
    boolean isSound() {
        return isConnected() && !isDraining && !isRetired;
    }

    /** Whether the gateway sends nothing, in spite of a heartbeat every two seconds. */
    boolean isSilent() {
        return SilenceDetector.isSilent(channel);
    }

    /** Whether a new connection would have other certificates, or another address. */
    boolean isOutdated() {
        return Freshness.isOutdated(channel);
    }

    boolean hasCalls() {
        return written > 0 || !entered.isEmpty();
    }

    /** Another one has replaced it: it is closed once its calls have ended. */
    void retire() {
        closeAfter(LEAST_DRAIN_NANOS);
    }

    /** None is needed: it is closed once its calls have ended. */
    void close() {
        closeAfter(0);
    }

    private void closeAfter(long nanos) {
        closeFromNanos = System.nanoTime() + nanos;
        isRetired = true;
        onLoop(() -> channel.eventLoop().schedule(this::closeIfUnused, nanos, TimeUnit.NANOSECONDS));
    }

    private void closeIfUnused() {
        if (isRetired && !hasCalls() && System.nanoTime() - closeFromNanos >= 0) {
            channel.close();
        }
    }

    private void onLoop(Runnable task) {
        try {
            channel.eventLoop().execute(task);
        } catch (RejectedExecutionException e) { // the process ends, and the loop has closed its connections
            channel.close();
        }
    }

    @Override
    public void send(FrameCall call) {
        entered.add(call);
        if (isScheduled.compareAndSet(false, true)) {
            try {
                channel.eventLoop().execute(this::writeEntered);
            } catch (RejectedExecutionException e) {
                isScheduled.set(false);
                endEntered();
            }
        }
    }

    private void writeEntered() {
        isScheduled.set(false);
        boolean isAny = false;
        for (FrameCall call = entered.poll(); call != null; call = entered.poll()) {
            isAny |= write(call);
        }
        if (isAny) {
            channel.flush();
        }
        closeIfUnused();
    }

    private boolean write(FrameCall call) {
        boolean isRefusedSilently = isDraining && !call.request().isTwoWay();
        if (!channel.isActive() || isRefusedSilently) {
            call.notWritten(new ClosedChannelException());
            return false;
        }
        if (!call.begin(this)) {
            return false;
        }
        ConnectionMarks.used(channel);
        calls.put(call.request().id(), call);
        written = calls.size();
        channel.write(call.body().bytes()).addListener(write -> written(call, write.cause()));
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
            greeted.complete(true);
            int start = frame.readerIndex();
            if (!DubboFrame.isHeader(frame, start)) {
                context.close();
            } else if (DubboFrame.isAnswer(frame, start)) {
                answered(frame, start);
            } else if (DubboFrame.isHeartbeatRequest(frame, start)) {
                context.writeAndFlush(DubboFrame.heartbeatAnswer(frame, start));
            } else if (DubboFrame.isReadOnlyEvent(frame, start)) {
                isDraining = true;
            }
        } finally {
            frame.release();
        }
    }

    private void answered(ByteBuf frame, int start) {
        FrameCall call = remove(DubboFrame.id(frame, start));
        if (call == null) {
            unknown();
            return;
        }
        byte[] answer = ByteBufUtil.getBytes(frame);
        call.answered(() -> call.read(answer));
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
            log.warn("highway: a connection to " + channel.remoteAddress() + " is closed: within ten seconds " + unknown
                    + " answers came over it that no call waits for");
            channel.close();
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event instanceof IdleStateEvent) {
            context.writeAndFlush(Unpooled.wrappedBuffer(Greeting.DUBBO.bytes("")));
        }
        context.fireUserEventTriggered(event);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        greeted.completeExceptionally(new ClosedChannelException());
        List<FrameCall> lost = List.copyOf(calls.values());
        calls.clear();
        written = 0;
        lost.forEach(FrameCall::lost);
        endEntered();
        context.fireChannelInactive();
    }

    private void endEntered() {
        for (FrameCall call = entered.poll(); call != null; call = entered.poll()) {
            call.notWritten(new ClosedChannelException());
        }
    }

    /** What cannot be read, or is over a limit. */
    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        context.close();
    }
}
