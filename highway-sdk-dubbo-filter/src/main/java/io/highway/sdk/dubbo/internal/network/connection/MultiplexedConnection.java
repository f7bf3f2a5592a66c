// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.network.connection;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.nio.channels.ClosedChannelException;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The last handler of one connection that carries several calls at once. Calls enter from any thread, and are written on the
 * event loop in batches, one flush each. Netty's methods and the abstract ones run on the event loop; the others may be called
 * by any thread.
 */
@SuppressWarnings("FutureReturnValueIgnored") // of closing, and of tasks that end with the event loop
public abstract class MultiplexedConnection<C extends PendingCall> extends ChannelInboundHandlerAdapter {

    /** The seconds without a byte after which a heartbeat follows. */
    public static final int HEARTBEAT_SECONDS = 2;

    /** A connection that has been replaced stays open for this long, for calls that are on their way to it. */
    private static final long LEAST_DRAIN_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Channel channel;
    private final CompletableFuture<Boolean> ready = new CompletableFuture<>();
    private final Queue<C> entered = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean isScheduled = new AtomicBoolean();
    private volatile boolean isDraining;
    private volatile long closeFromNanos;
    private volatile boolean isRetired;

    protected MultiplexedConnection(Channel channel) {
        this.channel = channel;
    }

    public final Channel channel() {
        return channel;
    }

    /** Completes when the gateway's first frame was read, or fails if the connection is closed before. */
    final CompletableFuture<Boolean> ready() {
        return ready;
    }

    /** The gateway's first frame was read. */
    protected final void isReady() {
        ready.complete(true);
    }

    public final boolean isConnected() {
        return channel.isActive();
    }

    /** Whether the gateway takes no new calls, and answers those in flight. */
    public final boolean isDraining() {
        return isDraining;
    }

    /** The gateway has said so. */
    protected final void drains() {
        isDraining = true;
    }

    /** Whether it can carry a call. */
    public final boolean isSound() {
        return isConnected() && !isDraining && !isRetired;
    }

    /** Whether the gateway sends nothing, in spite of a heartbeat every two seconds. */
    public final boolean isSilent() {
        return SilenceDetector.isSilent(channel);
    }

    /** Whether a new connection would have other certificates, or another address. */
    final boolean isOutdated() {
        return ConnectionHandler.isOutdated(channel);
    }

    final boolean hasCalls() {
        return hasCallsInFlight() || !entered.isEmpty();
    }

    /** Whether a call has left the queue of {@link #send} and has not ended. Callable by any thread. */
    protected abstract boolean hasCallsInFlight();

    /** Another one has replaced it: it is closed once its calls have ended. */
    final void retire() {
        closeAfter(LEAST_DRAIN_NANOS);
    }

    /** None is needed: it is closed once its calls have ended. */
    public void close() {
        closeOnceUnused();
    }

    /** It takes no new calls, and is closed once those that it has have ended. */
    protected final void closeOnceUnused() {
        closeAfter(0);
    }

    private void closeAfter(long nanos) {
        closeFromNanos = System.nanoTime() + nanos;
        isRetired = true;
        onLoop(() -> channel.eventLoop().schedule(this::closeIfUnused, nanos, TimeUnit.NANOSECONDS));
    }

    /** Whether it takes no new calls, and is to be closed. */
    protected final boolean isRetired() {
        return isRetired;
    }

    /** A call has ended. */
    protected final void closeIfUnused() {
        if (isRetired && !hasCalls() && System.nanoTime() - closeFromNanos >= 0) {
            channel.close();
        }
    }

    protected final void onLoop(Runnable task) {
        try {
            channel.eventLoop().execute(task);
        } catch (RejectedExecutionException e) { // the process ends, and the loop has closed its connections
            channel.close();
        }
    }

    /** Writes a call as soon as possible. */
    public final void send(C call) {
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
        for (C call = entered.poll(); call != null; call = entered.poll()) {
            isAny |= write(call);
        }
        if (isAny) {
            channel.flush();
        }
        closeIfUnused();
    }

    /** Writes a call, or keeps it; returns whether there is something to flush. */
    protected abstract boolean write(C call);

    /** The connection is lost, with the calls on it. */
    protected abstract void lost();

    @Override
    public final void channelInactive(ChannelHandlerContext context) {
        ready.completeExceptionally(new ClosedChannelException());
        lost();
        endEntered();
        context.fireChannelInactive();
    }

    private void endEntered() {
        for (C call = entered.poll(); call != null; call = entered.poll()) {
            call.notWritten(new ClosedChannelException());
        }
    }

    /** What cannot be read, or is over a limit. */
    @Override
    public final void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        context.close();
    }
}
