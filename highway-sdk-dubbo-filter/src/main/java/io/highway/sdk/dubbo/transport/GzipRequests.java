// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.transport;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2FrameStream;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import java.util.Collections;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import org.jspecify.annotations.Nullable;

/**
 * Compresses the messages of Triple calls that carry the attachment {@link #KEY}, which itself stays here. Dubbo has one
 * compressor for the whole process and a policy one per island, so it is done where the call's frames pass, on the
 * connection's own thread. A message that does not get smaller is sent as it is, as gRPC's compression allows.
 */
public final class GzipRequests extends ChannelOutboundHandlerAdapter {

    /** The URL parameter of invokers whose requests are compressed, and the attachment of their calls; its value is the encoding. */
    public static final String KEY = "highway-compression";

    /** The only encoding; every gRPC implementation has it. */
    public static final String GZIP = "gzip";

    private static final String ENCODING = "grpc-encoding";

    /** A flag and the length. */
    private static final int PREFIX_BYTES = 5;

    /** Nothing below it gets smaller. */
    private static final int SMALLEST = 64;

    /** No name, no time, no flags. */
    private static final byte[] GZIP_HEADER = {0x1f, (byte) 0x8b, Deflater.DEFLATED, 0, 0, 0, 0, 0, 0, 0};

    /** The checksum and the length. */
    private static final int TRAILER_BYTES = 8;

    /** Streams that asked for it; those that are gone fall out by themselves. */
    private final Set<Http2FrameStream> asking = Collections.newSetFromMap(new WeakHashMap<>());

    private final CRC32 checksum = new CRC32();

    /** One for all messages of the connection, since it takes a quarter of a megabyte; null until one asks. */
    private @Nullable Deflater deflater;

    private GzipRequests() {}

    /** Stands before the handler that parts the connection's streams, where frames still know theirs. */
    static void addTo(ChannelHandlerContext anywhere) {
        ChannelHandlerContext streams = anywhere.pipeline().context(Http2MultiplexHandler.class);
        anywhere.pipeline().addBefore(streams.name(), GzipRequests.class.getName(), new GzipRequests());
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        if (deflater != null) {
            deflater.end();
        }
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // the promise tells
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        Object sent = message;
        if (message instanceof Http2HeadersFrame frame) {
            begin(frame);
        } else if (message instanceof Http2DataFrame frame && asking.contains(frame.stream())) {
            sent = compressed(context, frame);
        }
        context.write(sent, promise);
    }

    private void begin(Http2HeadersFrame frame) {
        Http2Headers headers = frame.headers();
        if (headers.remove(KEY) && !headers.contains(ENCODING)) {
            headers.set(ENCODING, GZIP);
            asking.add(frame.stream());
        }
    }

    private Http2DataFrame compressed(ChannelHandlerContext context, Http2DataFrame frame) {
        ByteBuf plain = frame.content();
        if (!isOneMessage(plain)) {
            return frame;
        }
        ByteBuf smaller = context.alloc().buffer(plain.readableBytes(), plain.readableBytes());
        if (!gzip(deflater(), plain.slice(plain.readerIndex() + PREFIX_BYTES, bodyBytes(plain)), smaller)) {
            smaller.release();
            return frame;
        }
        plain.release();
        return new DefaultHttp2DataFrame(smaller, frame.isEndStream(), frame.padding()).stream(frame.stream());
    }

    private Deflater deflater() {
        Deflater made = deflater;
        if (made == null) {
            made = new Deflater(Deflater.DEFAULT_COMPRESSION, true);
            deflater = made;
        }
        return made;
    }

    /** Writes a gRPC message whose body is compressed (RFC 1952); false if it does not fit. */
    private boolean gzip(Deflater deflater, ByteBuf body, ByteBuf message) {
        message.writeByte(1).writeInt(0).writeBytes(GZIP_HEADER);
        deflater.reset();
        deflater.setInput(body.nioBuffer());
        deflater.finish();
        while (!deflater.finished() && message.isWritable(TRAILER_BYTES + 1)) {
            int room = message.writableBytes() - TRAILER_BYTES;
            int written = deflater.deflate(message.nioBuffer(message.writerIndex(), room));
            message.writerIndex(message.writerIndex() + written);
        }
        checksum.reset();
        checksum.update(body.nioBuffer());
        message.writeIntLE((int) checksum.getValue()).writeIntLE(body.readableBytes());
        message.setInt(message.readerIndex() + 1, message.readableBytes() - PREFIX_BYTES);
        return deflater.finished();
    }

    /** Dubbo writes every message as one frame; what is compressed already stays so. */
    private static boolean isOneMessage(ByteBuf content) {
        return content.readableBytes() > SMALLEST
                && content.getByte(content.readerIndex()) == 0
                && content.getInt(content.readerIndex() + 1) == bodyBytes(content);
    }

    private static int bodyBytes(ByteBuf content) {
        return content.readableBytes() - PREFIX_BYTES;
    }
}
