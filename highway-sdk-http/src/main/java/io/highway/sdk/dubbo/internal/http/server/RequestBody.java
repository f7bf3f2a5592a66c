// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.http.server;

import io.highway.sdk.dubbo.internal.memory.BodyBuffer;
import io.highway.sdk.dubbo.internal.memory.MemoryBudget;
import io.highway.sdk.dubbo.internal.network.compression.BoundedInflater;
import io.highway.sdk.dubbo.internal.network.http2.RequestInflater;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpResponseStatus;
import org.apache.dubbo.rpc.TriRpcStatus;
import org.jspecify.annotations.Nullable;

/**
 * The body of one request, as it arrives and is inflated, as {@link MemoryBudget} permits. Its methods run on the
 * connection's event loop.
 */
final class RequestBody implements RequestInflater.Owner {

    /** Whose body it is. */
    interface Owner {

        /** It is a frame, to be released by this method. */
        void received(ByteBuf frame);

        /** It cannot be inflated. */
        void failed(RequestRejectedException problem);
    }

    private final CallDispatcher server;
    private final ChannelHandlerContext context;
    private final HttpCallHeaders request;
    private final BodyBuffer pieces;
    private final Owner owner;
    private @Nullable RequestInflater inflater;
    private boolean isWhole;
    private boolean isHeldUp;
    private boolean isEnded;

    RequestBody(
            CallDispatcher server,
            ChannelHandlerContext context,
            HttpCallHeaders request,
            BodyBuffer pieces,
            Owner owner) {
        this.server = server;
        this.context = context;
        this.request = request;
        this.pieces = pieces;
        this.owner = owner;
    }

    /** Takes what has arrived; with the last of it, it is inflated, and goes to its owner. */
    void read(ByteBuf part, boolean isLast) throws RequestRejectedException {
        int taken = part.readableBytes();
        server.requireFits(pieces.bytes() + (long) taken);
        request.memory().add(taken);
        pieces.add(part, taken);
        isWhole = isLast;
        isHeldUp = !isLast && !request.memory().mayGrow();
        if (isLast) {
            inflate(request.encodings().encoding());
        }
    }

    private void inflate(@Nullable String encoding) {
        if (encoding == null) {
            owner.received(pieces.take());
            return;
        }
        request.memory().add(BoundedInflater.PREFIX_BYTES); // which a message of Triple has
        inflater = new RequestInflater(server.inflating(context), request.memory(), encoding, this);
        inflater.add(Unpooled.wrappedBuffer(Unpooled.buffer().writeZero(BoundedInflater.PREFIX_BYTES), pieces.take()));
        inflater.proceed();
    }

    /** Whether nothing more of it comes. */
    boolean isWhole() {
        return isWhole;
    }

    /** Whether no more of it may be read, for lack of memory. */
    boolean isHeldUp() {
        return isHeldUp;
    }

    /** Asks again for memory; returns whether more of it may be read that was held up. */
    boolean resume() {
        if (inflater != null) {
            inflater.proceed();
        }
        boolean goesOn = isHeldUp && request.memory().mayGrow();
        isHeldUp = isHeldUp && !goesOn;
        return goesOn;
    }

    /** The request is answered, or will not be; the memory of one that runs counts for a while. */
    void end(boolean runs) {
        isEnded = true;
        pieces.release();
        if (inflater != null) {
            inflater.close();
        }
        if (runs) {
            request.memory().releaseLater();
        } else {
            request.memory().release();
        }
    }

    HttpCallHeaders request() {
        return request;
    }

    @Override
    public boolean isEnded() {
        return isEnded;
    }

    @Override
    public void inflated(ByteBuf message) {
        owner.received(message.skipBytes(BoundedInflater.PREFIX_BYTES));
    }

    @Override
    public void failed(TriRpcStatus why) {
        owner.failed(new RequestRejectedException(
                why.code == TriRpcStatus.Code.RESOURCE_EXHAUSTED
                        ? HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE
                        : HttpResponseStatus.BAD_REQUEST,
                why.description));
    }
}
