// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.connection.triple;

import io.highway.sdk.dubbo.connection.channel.BufferedBytes;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2ConnectionAdapter;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameCodec;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2Stream;
import io.netty.handler.codec.http2.Http2StreamFrame;
import io.netty.handler.codec.http2.Http2WindowUpdateFrame;
import io.netty.util.ReferenceCountUtil;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.dubbo.common.URL;

/**
 * The requests of one connection of a Triple server, in front of the handler that distributes frames to their streams.
 * Dubbo gets every gRPC message whole, in one frame and uncompressed, so that it neither inflates without a bound nor
 * drops what follows the first message of a call (apache/dubbo#16414). All bytes count as {@link BufferedBytes}. Over the
 * bound HTTP/2 windows are not returned. Its methods run on the connection's event loop; messages are inflated on other
 * threads.
 */
public final class RequestMessages extends ChannelDuplexHandler {

    private final URL server;

    /** By the number of the stream, oldest first. */
    private final Map<Integer, RequestStream> calls = new LinkedHashMap<>();

    private ChannelHandlerContext context;
    private RequestConnection connection;

    /** The requests of one connection of a server. */
    @SuppressWarnings("NullAway.Init") // handlerAdded precedes every other method
    public RequestMessages(URL server) {
        this.server = server;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext added) {
        context = added;
        Http2Connection http2 = added.pipeline().get(Http2FrameCodec.class).connection();
        BufferedBytes buffered = BufferedBytes.of(server.getOrDefaultFrameworkModel());
        connection = RequestConnection.of(
                server, added, http2, buffered.connection(added.channel().eventLoop(), this::resume, this::sweep));
        raiseWindow(http2, connection.buffered().takeWindow());
        http2.addListener(new Http2ConnectionAdapter() {
            @Override
            public void onStreamClosed(Http2Stream stream) {
                RequestStream call = calls.remove(stream.id());
                if (call != null) {
                    call.close();
                }
            }
        });
    }

    private static void raiseWindow(Http2Connection http2, int bytes) {
        try {
            http2.local().flowController().incrementWindowSize(http2.connectionStream(), bytes);
        } catch (Http2Exception e) {
            throw new IllegalStateException(e);
        }
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
        RequestStream known = calls.get(frame.stream().id());
        if (known != null) { // trailers, which say no more than that the request ends
            known.read(Unpooled.EMPTY_BUFFER, true);
            return;
        }
        if (!frame.isEndStream()) {
            RequestStream call = new RequestStream(connection, frame.stream(), frame.headers());
            calls.put(frame.stream().id(), call);
            if (call.isRefusedByHeaders()) {
                return;
            }
        }
        context.fireChannelRead(frame);
    }

    private void read(Http2DataFrame frame) {
        RequestStream call = calls.get(frame.stream().id());
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
        RequestStream call = message instanceof Http2StreamFrame frame && frame.stream() != null
                ? calls.get(frame.stream().id())
                : null;
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
        calls.values().forEach(RequestStream::close);
        calls.clear();
        connection.buffered().close();
    }

    /** Memory has become free: returns windows, and inflates what waits. */
    private void resume() {
        for (RequestStream call : new ArrayList<>(calls.values())) {
            call.resume();
        }
        context.fireChannelReadComplete();
        context.flush();
    }

    private boolean sweep() {
        for (RequestStream call : new ArrayList<>(calls.values())) {
            call.sweep();
        }
        return !calls.isEmpty();
    }
}
