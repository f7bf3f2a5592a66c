// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateway;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Detects the protocol of a new connection by its first two bytes, and installs its handlers. */
@SuppressWarnings("FutureReturnValueIgnored") // Netty reports a failed write by closing the channel
final class ProtocolSniffer extends ByteToMessageDecoder {
    private static final Logger log = LoggerFactory.getLogger(ProtocolSniffer.class);
    private static final int DUBBO_MAGIC = 0xdabb;
    /** {@code PR} of {@code PRI * HTTP/2.0}: HTTP/2 with prior knowledge. */
    private static final int HTTP2_PREFACE = 0x5052;
    /** {@code PO} of {@code POST}. */
    private static final int POST = 0x504f;
    /** {@code GE} of {@code GET}. */
    private static final int GET = 0x4745;

    private final Consumer<Channel> dubbo;
    private final Consumer<Channel> triple;
    private final Consumer<Channel> http;

    ProtocolSniffer(Consumer<Channel> dubbo, Consumer<Channel> triple, Consumer<Channel> http) {
        this.dubbo = dubbo;
        this.triple = triple;
        this.http = http;
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
        if (in.readableBytes() < 2) {
            return;
        }
        int start = in.getUnsignedShort(in.readerIndex());
        if (start == DUBBO_MAGIC) {
            handOver(context, dubbo);
        } else if (start == HTTP2_PREFACE) {
            handOver(context, triple);
        } else if (start == POST || start == GET) {
            handOver(context, http);
        } else {
            log.info("closing {}: neither Dubbo nor HTTP", context.channel().remoteAddress());
            in.skipBytes(in.readableBytes());
            context.close();
        }
    }

    private void handOver(ChannelHandlerContext context, Consumer<Channel> pipeline) {
        pipeline.accept(context.channel());
        context.pipeline().remove(this);
    }
}
