// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.connection.triple;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.highway.sdk.dubbo.internal.evidence.Statements;
import io.highway.sdk.dubbo.internal.limits.BodiesInTurn;
import io.highway.sdk.dubbo.internal.limits.MemoryBudget;
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
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.apache.dubbo.common.logger.Logger;
import org.apache.dubbo.common.logger.LoggerFactory;
import org.apache.dubbo.rpc.model.FrameworkModel;

/**
 * The requests of one HTTP/1.1 connection of a Triple server, in front of what collects them, which has no bound over all
 * connections, and none at all for a request that asks for an upgrade. Their bytes count in the {@link MemoryBudget}. Its methods run on the connection's event loop.
 */
public final class Http1Requests extends ChannelDuplexHandler {

    private static final Logger log = LoggerFactory.getLogger(Http1Requests.class);

    private final FrameworkModel framework;

    /** Requests that are not answered yet. */
    private final Deque<MemoryBudget.Body> served = new ArrayDeque<>();

    private ChannelHandlerContext context;
    private MemoryBudget budget;
    private BodiesInTurn requests;
    private int most;

    /** What of it was not passed on: what collects requests keeps each piece, and the buffer that it came in. */
    private Pieces pieces;

    private boolean isRefused;

    /** The requests of one connection of a server. */
    @SuppressWarnings("NullAway.Init") // handlerAdded precedes every other method
    public Http1Requests(FrameworkModel framework) {
        this.framework = framework;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext added) {
        context = added;
        budget = MemoryBudget.of(framework);
        requests = new BodiesInTurn(budget, added.channel(), false, this::refuseForMemory);
        pieces = new Pieces(added.alloc(), budget::isScarce);
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
        }
        if (message instanceof HttpContent content) {
            requests.add(content.content().readableBytes());
            if (message instanceof LastHttpContent) {
                served.add(Objects.requireNonNull(requests.end()));
                requests.proceed();
                passOn(1);
            } else if (requests.bytes() > most) {
                ReferenceCountUtil.release(message);
                refuse(HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE, "it has more than " + most + " bytes");
                return;
            } else {
                requests.proceed();
                pieces.add(content.content(), content.content().readableBytes());
                content.release();
                passOn(Pieces.SMALL);
                return;
            }
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
        if (context.channel().config().isAutoRead()) { // else it waits for memory
            context.read();
        }
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // the promise tells
    public void write(ChannelHandlerContext unused, Object message, ChannelPromise promise) {
        boolean isInterim =
                message instanceof HttpResponse answer && answer.status().codeClass() == HttpStatusClass.INFORMATIONAL;
        MemoryBudget.Body answered = message instanceof LastHttpContent && !isInterim ? served.poll() : null;
        if (answered != null) {
            answered.release();
        }
        context.write(message, promise);
    }

    private void refuseForMemory() {
        refuse(HttpResponseStatus.SERVICE_UNAVAILABLE, "it waited for memory, see highway.max-buffered");
    }

    /**
     * Answers a request that is not complete. Its rest is discarded, and the connection not closed at once: a peer that still
     * sends would not read the answer.
     */
    @SuppressWarnings("FutureReturnValueIgnored") // a failure closes the connection
    private void refuse(HttpResponseStatus status, String why) {
        budget.logLimit().warn(log, "highway: an HTTP/1.1 request was refused before anything of it ran: " + why);
        isRefused = true;
        releaseAll();
        requests.proceed();
        FullHttpResponse answer = new DefaultFullHttpResponse(
                HttpVersion.HTTP_1_1, status, Unpooled.copiedBuffer("highway: not run: " + why + "\n", US_ASCII));
        answer.headers().set("content-type", "text/plain").set("connection", "close");
        answer.headers().setInt("content-length", answer.content().readableBytes());
        if (status.equals(HttpResponseStatus.SERVICE_UNAVAILABLE)) {
            String home = TripleServerCompatibility.of(framework).home();
            answer.headers().set(Statements.REFUSED, home + ";" + Statements.BUSY + "; " + why);
        }
        context.writeAndFlush(answer);
        context.executor().schedule(() -> context.close(), 1, TimeUnit.SECONDS);
    }

    private void releaseAll() {
        pieces.release();
        requests.release();
        served.forEach(MemoryBudget.Body::releaseLater); // Dubbo runs them
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
