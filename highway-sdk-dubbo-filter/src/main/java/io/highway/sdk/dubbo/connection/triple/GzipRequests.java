// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.connection.triple;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2FrameStream;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.util.AsciiString;
import java.util.Collections;
import java.util.Set;
import java.util.WeakHashMap;

/**
 * Sets the compressed flag of the messages that {@link GzipMessages} compressed on the calling thread, for calls with
 * the attachment {@link #KEY}, which is removed here. Dubbo's compressor is process-wide, while a policy has one per
 * island, and Dubbo writes every message as uncompressed.
 */
public final class GzipRequests extends ChannelOutboundHandlerAdapter {

    /**
     * The URL parameter of invokers whose requests are compressed, and the attachment of their calls; its value is the
     * encoding.
     */
    public static final String KEY = "highway-compression";

    /** The only encoding; every gRPC implementation has it. */
    public static final String GZIP = "gzip";

    /** The attachment as the name of a header that is looked up for each call; its hash is computed once. */
    private static final AsciiString HEADER = AsciiString.cached(KEY);

    private static final String ENCODING = "grpc-encoding";

    /** The flag and the length before each gRPC message. */
    private static final int PREFIX_BYTES = 5;

    private static final byte COMPRESSED = 1;

    /** The first bytes of every gzip member and of no protobuf message: the last three bits are not a wire type. */
    private static final int GZIP_MAGIC = 0x1f8b;

    /** Streams with compression; ended ones are removed by garbage collection. */
    private final Set<Http2FrameStream> asking = Collections.newSetFromMap(new WeakHashMap<>());

    private GzipRequests() {}

    /**
     * Adds the handler before the one that distributes frames to their streams, where frames still have their stream.
     */
    static void addTo(ChannelHandlerContext anywhere) {
        ChannelHandlerContext streams = anywhere.pipeline().context(Http2MultiplexHandler.class);
        anywhere.pipeline().addBefore(streams.name(), GzipRequests.class.getName(), new GzipRequests());
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // the promise reports the result
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        if (message instanceof Http2HeadersFrame frame) {
            begin(frame);
        } else if (message instanceof Http2DataFrame frame && !asking.isEmpty() && asking.contains(frame.stream())) {
            mark(frame.content());
        }
        context.write(message, promise);
    }

    private void begin(Http2HeadersFrame frame) {
        Http2Headers headers = frame.headers();
        if (headers.remove(HEADER) && !headers.contains(ENCODING)) {
            headers.set(ENCODING, GZIP);
            asking.add(frame.stream());
        }
    }

    /** Dubbo writes every message as one frame. */
    private static void mark(ByteBuf content) {
        if (content.readableBytes() > PREFIX_BYTES + 1
                && content.getUnsignedShort(content.readerIndex() + PREFIX_BYTES) == GZIP_MAGIC) {
            content.setByte(content.readerIndex(), COMPRESSED);
        }
    }
}
