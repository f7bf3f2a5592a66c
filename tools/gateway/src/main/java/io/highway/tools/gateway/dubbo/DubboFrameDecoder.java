// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateway.dubbo;

import static io.highway.sdk.dubbo.internal.network.frame.FrameHeader.HEADER_BYTES;

import io.highway.sdk.dubbo.internal.network.frame.FrameHeader;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.CorruptedFrameException;
import java.util.List;

/**
 * Cuts a connection into whole frames, each a {@link ByteBuf} slice. Of one over the limit there is the header alone; its
 * body is skipped as it arrives.
 */
public final class DubboFrameDecoder extends ByteToMessageDecoder {
    private final long maxFrame;
    private long toSkip;

    public DubboFrameDecoder(long maxFrame) {
        this.maxFrame = maxFrame;
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
        if (toSkip > 0) {
            int skipped = (int) Math.min(toSkip, in.readableBytes());
            in.skipBytes(skipped);
            toSkip -= skipped;
            return;
        }
        if (in.readableBytes() < HEADER_BYTES) {
            return;
        }
        int start = in.readerIndex();
        if (!FrameHeader.isHeader(in, start)) {
            in.skipBytes(in.readableBytes());
            throw new CorruptedFrameException("not a Dubbo frame");
        }
        long length = FrameHeader.bytes(in, start);
        if (length > maxFrame) {
            out.add(in.readRetainedSlice(HEADER_BYTES));
            toSkip = length - HEADER_BYTES;
        } else if (in.readableBytes() >= length) {
            out.add(in.readRetainedSlice((int) length));
        }
    }
}
