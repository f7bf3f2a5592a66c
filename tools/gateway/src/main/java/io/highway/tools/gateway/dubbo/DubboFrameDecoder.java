// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateway.dubbo;

import static io.highway.tools.gateway.dubbo.DubboFrame.HEADER_LENGTH;
import static io.highway.tools.gateway.dubbo.DubboFrame.LENGTH;
import static io.highway.tools.gateway.dubbo.DubboFrame.MAGIC;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.CorruptedFrameException;
import java.util.List;

/** Cuts a connection into whole frames, each a {@link ByteBuf} slice, or an {@link OversizedFrame} beyond the limit. */
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
        if (in.readableBytes() < HEADER_LENGTH) {
            return;
        }
        int start = in.readerIndex();
        if (in.getUnsignedShort(start) != MAGIC) {
            in.skipBytes(in.readableBytes());
            throw new CorruptedFrameException("not a Dubbo frame");
        }
        long length = HEADER_LENGTH + in.getUnsignedInt(start + LENGTH);
        if (length > maxFrame) {
            DubboFrame head = new DubboFrame(in.readSlice(HEADER_LENGTH));
            out.add(new OversizedFrame(head.isRequest(), head.isTwoWay(), head.serialization(), head.id(), length));
            toSkip = length - HEADER_LENGTH;
        } else if (in.readableBytes() >= length) {
            out.add(in.readRetainedSlice((int) length));
        }
    }
}
