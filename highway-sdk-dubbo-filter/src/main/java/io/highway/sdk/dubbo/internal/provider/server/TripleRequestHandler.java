// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.provider.server;

import io.highway.sdk.dubbo.internal.memory.MemoryBudget;
import io.highway.sdk.dubbo.internal.network.http2.StreamContext;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2ConnectionAdapter;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameCodec;
import io.netty.handler.codec.http2.Http2FrameStream;
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
import org.apache.dubbo.remoting.Constants;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.jspecify.annotations.Nullable;

/**
 * The requests of one connection of a Triple server, in front of the handler that distributes frames to their streams. Dubbo
 * gets every gRPC message whole, in one frame, and uncompressed, so that it neither inflates without a bound nor drops what
 * follows the first message of a call (apache/dubbo#16414). They are inflated on other threads. All bytes count in the
 * {@link MemoryBudget}, which decides whether HTTP/2 windows are returned. Its methods run on the connection's event loop.
 */
final class TripleRequestHandler extends ChannelDuplexHandler {

    /** What a connection may send ahead of the standard window. */
    private static final int RAISED_WINDOW = 2 * 1024 * 1024;

    private final URL url;

    /** Oldest first; each is a property of its HTTP/2 stream, too. */
    private final Set<TripleRequestBody> calls = new LinkedHashSet<>();

    private Http2Connection.PropertyKey ofStream;
    private ChannelHandlerContext context;
    private StreamContext connection;
    private ServerContext servers;

    /** The requests of one connection of a server. */
    @SuppressWarnings("NullAway.Init") // handlerAdded precedes every other method
    public TripleRequestHandler(URL server) {
        this.url = server;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext added) throws Http2Exception {
        context = added;
        Http2Connection http2 = added.pipeline().get(Http2FrameCodec.class).connection();
        FrameworkModel framework = url.getOrDefaultFrameworkModel();
        servers = ServerContext.of(framework);
        int payload = url.getParameter(Constants.PAYLOAD_KEY, Constants.DEFAULT_PAYLOAD);
        MemoryBudget memory = MemoryBudget.of(framework);
        connection = StreamContext.of(
                framework, payload, added, http2, memory.open(added.channel().eventLoop(), this::resume));
        http2.local().flowController().incrementWindowSize(http2.connectionStream(), RAISED_WINDOW);
        ofStream = http2.newKey();
        http2.addListener(new Http2ConnectionAdapter() {
            @Override
            public void onStreamClosed(Http2Stream stream) {
                TripleRequestBody call = stream.removeProperty(ofStream);
                if (call != null && calls.remove(call)) {
                    call.close();
                }
            }
        });
    }

    /** What is read of a stream; null if nothing is, or it has no number yet, or is closed. */
    private @Nullable TripleRequestBody callOf(Http2FrameStream stream) {
        Http2Stream known = connection.http2().stream(stream.id());
        return known == null ? null : known.getProperty(ofStream);
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

    private void read(Http2HeadersFrame frame) {
        TripleRequestBody known = callOf(frame.stream());
        if (known != null) { // trailers say no more than that the request ends
            known.read(Unpooled.EMPTY_BUFFER, true);
            return;
        }
        // at each stream, since Dubbo does not pass on the settings of a connection's beginning
        StreamContext.limitHeaderTable(
                context.pipeline().get(Http2FrameCodec.class).encoder());
        if (frame.isEndStream()) { // Dubbo 3.2 keeps each name of an encoding
            frame.headers().remove(TripleRequestHeaders.ENCODING);
        }
        Http2Stream stream = connection.http2().stream(frame.stream().id());
        if (frame.isEndStream() || stream == null) {
            context.fireChannelRead(frame);
            return;
        }
        TripleRequestBody call = new TripleRequestBody(servers, connection, frame.stream(), frame.headers());
        stream.setProperty(ofStream, call);
        calls.add(call);
        call.begin();
        if (call.passesOn(frame)) {
            call.passOn(frame, Unpooled.EMPTY_BUFFER);
        }
    }

    private void read(Http2DataFrame frame) {
        TripleRequestBody call = callOf(frame.stream());
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
        TripleRequestBody call =
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
        calls.forEach(TripleRequestBody::close);
        calls.clear();
    }

    /** Memory has become free: returns windows, and inflates what waits. */
    private void resume() {
        for (TripleRequestBody call : new ArrayList<>(calls)) {
            call.settle();
        }
        context.fireChannelReadComplete();
        context.flush();
    }
}
