// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.connection.triple;

import io.highway.sdk.dubbo.internal.limits.MemoryBudget;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2ConnectionAdapter;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameCodec;
import io.netty.handler.codec.http2.Http2FrameStream;
import io.netty.handler.codec.http2.Http2HeadersEncoder;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2Stream;
import io.netty.handler.codec.http2.Http2StreamFrame;
import io.netty.handler.codec.http2.Http2WindowUpdateFrame;
import io.netty.util.ReferenceCountUtil;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.Set;
import org.apache.dubbo.common.URL;
import org.jspecify.annotations.Nullable;

/**
 * What the peer of a Triple connection sends, in front of the handler that distributes frames to their streams. Dubbo gets
 * every gRPC message whole, in one frame. All bytes count in the {@link MemoryBudget}, which decides whether HTTP/2
 * windows are returned. Its methods run on the connection's event loop.
 */
abstract class StreamMessages extends ChannelDuplexHandler {

    private final URL url;

    /** Oldest first; each is a property of its HTTP/2 stream, too. */
    private final Set<MessageStream> calls = new LinkedHashSet<>();

    private Http2Connection.PropertyKey ofStream;
    private ChannelHandlerContext context;
    private StreamConnection connection;

    @SuppressWarnings("NullAway.Init") // handlerAdded precedes every other method
    StreamMessages(URL url) {
        this.url = url;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext added) {
        context = added;
        Http2Connection http2 = added.pipeline().get(Http2FrameCodec.class).connection();
        MemoryBudget memory = MemoryBudget.of(url.getOrDefaultFrameworkModel());
        connection = StreamConnection.of(
                url, added, http2, memory.open(added.channel().eventLoop(), this::resume));
        begin(connection);
        ofStream = http2.newKey();
        http2.addListener(new Http2ConnectionAdapter() {
            @Override
            public void onStreamClosed(Http2Stream stream) {
                MessageStream call = stream.removeProperty(ofStream);
                if (call != null && calls.remove(call)) {
                    call.close();
                }
            }
        });
    }

    /** What is read of a stream; null if nothing is, or it has no number yet, or is closed. */
    private @Nullable MessageStream callOf(Http2FrameStream stream) {
        Http2Stream known = connection.http2().stream(stream.id());
        return known == null ? null : known.getProperty(ofStream);
    }

    /** The connection begins. */
    void begin(StreamConnection begun) {
        // nothing to do
    }

    @Override
    public void channelRead(ChannelHandlerContext unused, Object message) {
        if (message instanceof Http2HeadersFrame headers) {
            read(headers);
        } else if (message instanceof Http2DataFrame data) {
            read(data);
        } else {
            context.fireChannelRead(message);
        }
    }

    /**
     * The codec keeps as many of our headers in memory as the peer's settings say, up to 4 GB. At each stream, since Dubbo
     * does not pass on the settings of a connection's beginning.
     */
    private void limitHeaderTable() {
        Http2HeadersEncoder.Configuration table = context.pipeline()
                .get(Http2FrameCodec.class)
                .encoder()
                .configuration()
                .headersConfiguration();
        if (table.maxHeaderTableSize() > Http2CodecUtil.DEFAULT_HEADER_TABLE_SIZE) {
            try {
                table.maxHeaderTableSize(Http2CodecUtil.DEFAULT_HEADER_TABLE_SIZE);
            } catch (Http2Exception e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private void read(Http2HeadersFrame frame) {
        MessageStream known = callOf(frame.stream());
        boolean isRead = known == null ? begin(frame) : end(known, frame);
        if (isRead) {
            return;
        }
        MessageStream begun = known == null ? callOf(frame.stream()) : null;
        if (begun == null) {
            context.fireChannelRead(frame);
        } else {
            begun.passOn(frame, Unpooled.EMPTY_BUFFER);
        }
    }

    private boolean begin(Http2HeadersFrame frame) {
        limitHeaderTable();
        Http2Stream stream = connection.http2().stream(frame.stream().id());
        MessageStream call = stream == null ? null : streamOf(connection, frame);
        if (call != null && stream != null) {
            stream.setProperty(ofStream, call);
            calls.add(call);
            call.begin();
        }
        return call != null && !call.passesOn(frame);
    }

    /** The stream that begins with these headers; null if it has nothing to read. */
    abstract @Nullable MessageStream streamOf(StreamConnection begun, Http2HeadersFrame headers);

    /** Further headers of a stream; returns whether that is all. */
    abstract boolean end(MessageStream known, Http2HeadersFrame headers);

    private void read(Http2DataFrame frame) {
        MessageStream call = callOf(frame.stream());
        if (call == null) { // the stream is closed, and its windows are returned
            frame.release();
            return;
        }
        call.received(frame.initialFlowControlledBytes(), frame.content().readableBytes());
        call.read(frame.content(), frame.isEndStream());
    }

    /** The frames that streams write; the windows that they return were returned here or are withheld. */
    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // the promise tells
    public void write(ChannelHandlerContext unused, Object message, ChannelPromise promise) {
        if (message instanceof Http2WindowUpdateFrame) {
            promise.setSuccess();
            return;
        }
        MessageStream call =
                message instanceof Http2StreamFrame frame && frame.stream() != null ? callOf(frame.stream()) : null;
        if (call != null && !call.mayWrite(message)) {
            ReferenceCountUtil.release(message);
            promise.setFailure(new ClosedChannelException());
            return;
        }
        context.write(message, promise);
    }

    @Override
    public void channelInactive(ChannelHandlerContext unused) {
        closeAll();
        context.fireChannelInactive();
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext unused) {
        closeAll();
    }

    private void closeAll() {
        calls.forEach(MessageStream::close);
        calls.clear();
    }

    /** Memory has become free: returns windows, and inflates what waits. */
    private void resume() {
        for (MessageStream call : new ArrayList<>(calls)) {
            call.settle();
        }
        context.fireChannelReadComplete();
        context.flush();
    }
}
