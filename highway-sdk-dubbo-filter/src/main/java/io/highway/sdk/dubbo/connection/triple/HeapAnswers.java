// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.connection.triple;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2MultiplexHandler;

/**
 * Copies the data of Triple answers to heap arrays. Dubbo's client (3.2.19, 3.3.6) releases a partly received message
 * only with the trailers of the answer ({@code TriDecoder#close}). An answer that ends earlier, by a reset, a
 * disconnect or a timeout, would leak Netty's pooled direct memory.
 */
final class HeapAnswers extends ChannelInboundHandlerAdapter {

    private HeapAnswers() {}

    /** Adds the handler before the one that distributes frames to their streams. */
    static void addTo(ChannelHandlerContext anywhere) {
        ChannelHandlerContext streams = anywhere.pipeline().context(Http2MultiplexHandler.class);
        anywhere.pipeline().addBefore(streams.name(), HeapAnswers.class.getName(), new HeapAnswers());
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        context.fireChannelRead(message instanceof Http2DataFrame frame ? onHeap(frame) : message);
    }

    private static Http2DataFrame onHeap(Http2DataFrame frame) {
        try {
            ByteBuf content = Unpooled.wrappedBuffer(ByteBufUtil.getBytes(frame.content()));
            return new DefaultHttp2DataFrame(content, frame.isEndStream(), frame.padding()).stream(frame.stream());
        } finally {
            frame.release();
        }
    }
}
