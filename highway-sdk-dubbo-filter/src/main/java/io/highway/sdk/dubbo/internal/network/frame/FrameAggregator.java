// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.network.frame;

import io.highway.sdk.dubbo.internal.memory.BodyBackpressure;
import io.highway.sdk.dubbo.internal.memory.BodyBuffer;
import io.highway.sdk.dubbo.internal.memory.MemoryBudget;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import org.apache.dubbo.common.logger.Logger;
import org.apache.dubbo.common.logger.LoggerFactory;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.jspecify.annotations.Nullable;

/**
 * The frames of one Dubbo connection, in front of a decoder, which gets every frame whole. Their bytes count in the
 * {@link MemoryBudget} until they are passed on, those of an answer until it is decoded. Its methods run on the
 * connection's event loop.
 */
public class FrameAggregator extends ChannelDuplexHandler {

    private static final Logger log = LoggerFactory.getLogger(FrameAggregator.class);

    private static final String WAITED = "its request waited for memory, see highway.max-buffered";

    private final FrameworkModel framework;
    private final boolean isServer;
    private final int payload;
    private ChannelHandlerContext context;
    private MemoryBudget budget;
    private BodyBackpressure frames;

    /** Whether the connection is no Dubbo connection, but one of telnet: its bytes are passed on as they are. */
    private boolean isOther;

    /** The bytes of such a connection since the last answer. */
    private long otherBytes;

    /** What has arrived of the next frame. */
    private BodyBuffer pieces;

    private final ByteBuf header = Unpooled.buffer(FrameHeader.HEADER_BYTES, FrameHeader.HEADER_BYTES);
    private long missing;

    /** The bytes of a refused frame that are still to come. */
    private long skipped;

    /**
     * The frames of one connection.
     *
     * @param isServer whether the peer is a client
     * @param payload the size in bytes from which on a frame does not wait for memory; without a limit if it is not positive
     */
    @SuppressWarnings("NullAway.Init") // handlerAdded precedes every other method
    protected FrameAggregator(FrameworkModel framework, boolean isServer, int payload) {
        this.framework = framework;
        this.isServer = isServer;
        this.payload = payload > 0 ? payload : Integer.MAX_VALUE;
    }

    /** Those of a client, whose connection is closed where a server answers that it is busy. */
    public static FrameAggregator ofClient(FrameworkModel framework) {
        return new FrameAggregator(framework, false, Integer.MAX_VALUE);
    }

    @Override
    public void handlerAdded(ChannelHandlerContext added) {
        context = added;
        budget = MemoryBudget.of(framework);
        frames = new BodyBackpressure(budget, added.channel(), !isServer, () -> refuse(WAITED));
        pieces = new BodyBuffer(added.alloc(), budget::isScarce);
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
        boolean isWhole = missing == 0 || !FrameHeader.isHeader(header, 0);
        if (!isWhole && FrameHeader.bytes(header, 0) > payload && budget.isOver()) {
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
            int frame = (int) FrameHeader.bytes(data, data.readerIndex());
            context.fireChannelRead(data.readRetainedSlice(frame)); // Dubbo's decoder copies what it keeps
            return;
        }
        if (!FrameHeader.isHeader(header, 0) && !readHeader(data)) {
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
        int taken = Math.min(FrameHeader.HEADER_BYTES - header.readableBytes(), data.readableBytes());
        header.writeBytes(data, start, taken);
        keep(data, taken);
        if (header.readableBytes() >= Short.BYTES && !FrameHeader.isMagic(header, 0)) {
            isOther = true;
            release();
            passOnOther(pieces.take());
            return false;
        }
        if (!FrameHeader.isHeader(header, 0)) {
            return false;
        }
        missing = FrameHeader.bytes(header, 0) - FrameHeader.HEADER_BYTES;
        if (missing > budget.limit()) {
            refuse("it has " + missing + " bytes, and highway.max-buffered is " + budget.limit());
            return false;
        }
        return true;
    }

    /** Whether the data begins with all of an answer or an event: nothing of it would be buffered. */
    private static boolean isWholeAnswer(ByteBuf data) {
        int start = data.readerIndex();
        return FrameHeader.isHeader(data, start)
                && !FrameHeader.isRequest(data, start)
                && FrameHeader.bytes(data, start) <= data.readableBytes();
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
    protected final void close(String why) {
        budget.logLimit().warn(log, "highway: a Dubbo connection was closed, whose last message was not read: " + why);
        skipped = Long.MAX_VALUE;
        context.close();
    }

    private void keep(ByteBuf data, int bytes) {
        frames.add(bytes);
        pieces.add(data, bytes);
    }

    private void complete() {
        MemoryBudget.Body whole = FrameHeader.isRequest(header, 0) ? frames.end() : null;
        if (whole != null) {
            requested(whole);
        }
        passOn();
        frames.release(); // unless who got it has taken over what it counts
    }

    /** What the answer counts that is passed on now, for the one who decodes it; null if nothing. */
    final MemoryBudget.@Nullable Body takeMemory() {
        return frames.end();
    }

    /** A request is complete. */
    protected void requested(MemoryBudget.Body whole) {
        whole.release();
    }

    /** The decoder gets a frame. */
    protected void passOn() {
        header.clear();
        context.fireChannelRead(pieces.take());
    }

    /** The header of the present frame. */
    protected final ByteBuf header() {
        return header;
    }

    protected final ChannelHandlerContext context() {
        return context;
    }

    protected final FrameworkModel framework() {
        return framework;
    }

    private void release() {
        header.clear();
        frames.release();
    }

    /** A connection of telnet has got an answer. */
    protected final void answeredOther() {
        otherBytes = 0;
    }

    /** A frame that is not complete will not be read. */
    protected void refuse(String why) {
        close(why);
    }

    /** Skips the rest of a refused frame. */
    protected final void skip() {
        skipped = missing;
        pieces.release();
        release();
        frames.proceed();
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext unused) {
        pieces.release();
        release();
    }

    @Override
    public void channelInactive(ChannelHandlerContext unused) {
        handlerRemoved(context);
        context.fireChannelInactive();
    }
}
