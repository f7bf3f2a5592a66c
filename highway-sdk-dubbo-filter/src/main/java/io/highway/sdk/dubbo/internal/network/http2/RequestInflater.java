// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.network.http2;

import io.highway.sdk.dubbo.internal.memory.BodyBuffer;
import io.highway.sdk.dubbo.internal.memory.MemoryBudget;
import io.highway.sdk.dubbo.internal.network.compression.BoundedInflater;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.dubbo.rpc.StatusRpcException;
import org.apache.dubbo.rpc.TriRpcStatus;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.apache.dubbo.rpc.protocol.tri.compressor.DeCompressor;
import org.jspecify.annotations.Nullable;

/**
 * Inflates the compressed messages of one request, one after the other, on another thread, as {@link MemoryBudget} permits. Its
 * methods run on the connection's event loop, if they do not say otherwise.
 */
public final class RequestInflater {

    /** What it needs of a connection. */
    public interface Connection {

        /** Of a handler of it. */
        ChannelHandlerContext context();

        FrameworkModel framework();

        /** The largest message in bytes. */
        int payload();

        /** Runs long tasks. */
        Executor inflating();
    }

    /** Whose messages they are; called on the connection's event loop. */
    public interface Owner {

        /** Whether the message is no longer needed. */
        boolean isEnded();

        /** The message that was added is inflated. */
        void inflated(ByteBuf message);

        /** The message that was added cannot be inflated. */
        void failed(TriRpcStatus status);
    }

    private final Connection connection;
    private final MemoryBudget.Body body;
    private final String encoding;
    private final Owner owner;

    /** The message that waits to be inflated. */
    private @Nullable ByteBuf waiting;

    private boolean isInflating;

    /** Whether it is known to inflate to more than a step. */
    private boolean isLarge;

    /** That of one request. */
    public RequestInflater(Connection connection, MemoryBudget.Body body, String encoding, Owner owner) {
        this.connection = connection;
        this.body = body;
        this.encoding = encoding;
        this.owner = owner;
    }

    /** Whether it has no message. */
    public boolean isIdle() {
        return waiting == null && !isInflating;
    }

    public boolean isInflating() {
        return isInflating;
    }

    /** The next message, if it is idle; {@link #proceed} follows. */
    public void add(ByteBuf message) {
        waiting = BodyBuffer.kept(message);
    }

    /** Begins with the message that waits, if there is one and it may be inflated now. */
    public void proceed() {
        ByteBuf message = waiting;
        boolean isSmall = !isLarge;
        if (message == null || isInflating || !body.mayInflate(isSmall)) {
            return;
        }
        isInflating = true;
        waiting = null;
        try {
            connection.inflating().execute(() -> inflate(message, isSmall));
        } catch (RuntimeException | Error e) { // the process stops, or has no thread for it
            body.inflated();
            message.release();
            owner.failed(TriRpcStatus.UNAVAILABLE.withDescription("A message cannot be inflated now: " + e));
        }
    }

    /** On another thread. A message that is expected to be small is tried again later if it is not. */
    private void inflate(ByteBuf message, boolean isSmall) {
        AtomicInteger counted = new AtomicInteger();
        ByteBuf plain = null;
        TriRpcStatus failure = null;
        try {
            int most = isSmall ? Math.min(connection.payload(), MemoryBudget.STEP) : connection.payload();
            plain = BoundedInflater.inflate(encoding, message, most, this::snappy, step -> {
                body.add(step);
                counted.addAndGet(step);
            });
        } catch (StatusRpcException e) {
            failure = e.getStatus();
        } catch (IOException | RuntimeException | Error e) { // of a library, or for lack of memory: others go on
            failure = TriRpcStatus.INTERNAL.withDescription("A message cannot be inflated: " + e);
        }
        boolean isTooLarge = failure != null && failure.code == TriRpcStatus.Code.RESOURCE_EXHAUSTED;
        ByteBuf again = isSmall && isTooLarge && connection.payload() > MemoryBudget.STEP ? message : null;
        if (again != null) {
            body.remove(counted.get());
        } else {
            int passedOn = plain == null ? counted.get() : plain.readableBytes(); // a failed one counts until its end
            body.remove(message.readableBytes() + counted.get() - passedOn);
            message.release();
        }
        body.inflated();
        ByteBuf inflated = plain;
        TriRpcStatus why = failure;
        connection.context().channel().eventLoop().execute(() -> inflated(again, inflated, why));
    }

    private byte[] snappy(byte[] message) {
        return DeCompressor.getCompressor(connection.framework(), BoundedInflater.SNAPPY)
                .decompress(message);
    }

    private void inflated(@Nullable ByteBuf again, @Nullable ByteBuf message, @Nullable TriRpcStatus failure) {
        isInflating = false;
        if (owner.isEnded()) {
            ReferenceCountUtil.release(again);
            ReferenceCountUtil.release(message);
        } else if (again != null) {
            waiting = again;
            isLarge = true;
            proceed();
        } else if (message != null) {
            isLarge = false;
            owner.inflated(message);
        } else if (failure != null) {
            owner.failed(failure);
        }
    }

    /** Drops the message that waits. */
    public void close() {
        ReferenceCountUtil.release(waiting);
        waiting = null;
    }
}
