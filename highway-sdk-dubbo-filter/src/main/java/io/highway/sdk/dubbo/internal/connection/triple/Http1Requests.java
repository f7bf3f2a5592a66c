// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.connection.triple;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.highway.sdk.dubbo.internal.evidence.Statements;
import io.highway.sdk.dubbo.internal.limits.BufferedBytes;
import io.highway.sdk.dubbo.internal.limits.Pieces;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.util.ArrayDeque;
import java.util.Deque;
import org.apache.dubbo.common.logger.Logger;
import org.apache.dubbo.common.logger.LoggerFactory;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.jspecify.annotations.Nullable;

/**
 * The requests of one HTTP/1.1 connection of a Triple server, in front of what collects them, which has no bound over all
 * connections, and none at all for a request that asks for an upgrade. Their bytes count as {@link BufferedBytes}; over the
 * limit the connection is not read. Its methods run on the connection's event loop.
 */
public final class Http1Requests extends ChannelDuplexHandler {

    private static final Logger log = LoggerFactory.getLogger(Http1Requests.class);

    private final FrameworkModel framework;

    /** Requests that are not answered yet. */
    private final Deque<BufferedBytes.Body> served = new ArrayDeque<>();

    private ChannelHandlerContext context;
    private BufferedBytes.Connection buffered;
    private int most;

    /** The request that arrives. */
    private BufferedBytes.@Nullable Body body;

    /** What of it was not passed on: what collects requests keeps each piece, and the buffer that it came in. */
    private Pieces pieces;

    private boolean isHeldUp;
    private boolean isRefused;

    /** The requests of one connection of a server. */
    @SuppressWarnings("NullAway.Init") // handlerAdded precedes every other method
    public Http1Requests(FrameworkModel framework) {
        this.framework = framework;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext added) {
        context = added;
        buffered = BufferedBytes.of(framework).connection(added.channel().eventLoop(), this::resume, this::sweep);
        pieces = new Pieces(added.alloc(), buffered::isMemoryScarce);
        most = added.pipeline().toMap().values().stream() // the handler of upgrades is one, too
                .mapToInt(handler ->
                        handler instanceof HttpObjectAggregator all ? all.maxContentLength() : Integer.MAX_VALUE)
                .min()
                .orElse(Integer.MAX_VALUE);
    }

    @Override
    public void channelRead(ChannelHandlerContext unused, Object message) {
        if (isRefused) {
            ReferenceCountUtil.release(message);
            return;
        }
        if (message instanceof HttpRequest request) {
            request.headers().remove(HttpHeaderNames.SEC_WEBSOCKET_EXTENSIONS); // Netty inflates without a limit
            body = buffered.begin();
        }
        BufferedBytes.Body growing = body;
        if (growing != null && message instanceof HttpContent content) {
            growing.add(content.content().readableBytes());
            if (message instanceof LastHttpContent) {
                growing.arrived(true);
                served.add(growing);
                body = null;
            } else if (growing.bytes() > most) {
                ReferenceCountUtil.release(message);
                refuse(HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE, "it has more than " + most + " bytes");
                return;
            } else if (!growing.mayGrow()) {
                isHeldUp = true;
                context.channel().config().setAutoRead(false);
            }
            if (!(message instanceof LastHttpContent)) {
                pieces.add(content.content(), content.content().readableBytes());
                content.release();
                passOn(Pieces.SMALL);
                return;
            }
            passOn(1);
        }
        context.fireChannelRead(message);
    }

    private void passOn(int atLeast) {
        if (pieces.bytes() >= atLeast) {
            context.fireChannelRead(new DefaultHttpContent(pieces.take()));
        }
    }

    /** What collects requests reads on where the channel does not read by itself. */
    @Override
    public void read(ChannelHandlerContext unused) {
        if (!isHeldUp) {
            context.read();
        }
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // the promise tells
    public void write(ChannelHandlerContext unused, Object message, ChannelPromise promise) {
        boolean isInterim =
                message instanceof HttpResponse answer && answer.status().codeClass() == HttpStatusClass.INFORMATIONAL;
        BufferedBytes.Body answered = message instanceof LastHttpContent && !isInterim ? served.poll() : null;
        if (answered != null) {
            answered.release();
        }
        context.write(message, promise);
    }

    private void resume() {
        BufferedBytes.Body growing = body;
        if (isHeldUp && (growing == null || growing.mayGrow())) {
            isHeldUp = false;
            context.channel().config().setAutoRead(true);
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // nothing follows
    private boolean sweep() {
        BufferedBytes.Body growing = body;
        if (isRefused) { // not at once: a peer that still sends would not read the answer
            context.close();
            return false;
        }
        if (growing != null && growing.isStalled() && buffered.isUnderPressure()) {
            refuse(HttpResponseStatus.SERVICE_UNAVAILABLE, "it waited for memory, see highway.max-buffered");
        }
        return body != null || isRefused;
    }

    /** Answers a request that is not complete. Its rest is discarded. */
    @SuppressWarnings("FutureReturnValueIgnored") // a failure closes the connection
    private void refuse(HttpResponseStatus status, String why) {
        buffered.logLimit().warn(log, "highway: an HTTP/1.1 request was refused before anything of it ran: " + why);
        isRefused = true;
        releaseAll();
        resume();
        FullHttpResponse answer = new DefaultFullHttpResponse(
                HttpVersion.HTTP_1_1, status, Unpooled.copiedBuffer("highway: not run: " + why + "\n", US_ASCII));
        answer.headers().set("content-type", "text/plain").set("connection", "close");
        answer.headers().setInt("content-length", answer.content().readableBytes());
        if (status.equals(HttpResponseStatus.SERVICE_UNAVAILABLE)) {
            String home = TripleServerCompatibility.of(framework).home();
            answer.headers().set(Statements.REFUSED, home + ";" + Statements.BUSY + "; " + why);
        }
        context.writeAndFlush(answer);
    }

    private void releaseAll() {
        pieces.release();
        if (body != null) {
            body.release();
            body = null;
        }
        served.forEach(BufferedBytes.Body::releaseLater); // Dubbo runs them
        served.clear();
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext unused) {
        releaseAll();
    }

    @Override
    public void channelInactive(ChannelHandlerContext unused) {
        releaseAll();
        context.fireChannelInactive();
    }
}
