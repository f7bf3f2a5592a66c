// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.http.server;

import io.highway.sdk.dubbo.internal.evidence.NotSentStatements;
import io.highway.sdk.dubbo.internal.memory.BodyBuffer;
import io.highway.sdk.dubbo.internal.memory.MemoryBudget;
import io.highway.sdk.dubbo.internal.provider.server.PreDecodeCheck.Refusal;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseEncoder;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.ScheduledFuture;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.apache.dubbo.common.logger.Logger;
import org.apache.dubbo.common.logger.LoggerFactory;
import org.jspecify.annotations.Nullable;

/**
 * Serves the requests of one HTTP/1.1 connection, one after another: the next one is read when the last one is answered.
 * Before the body of one is read, its head is checked. Its methods run on the connection's event loop.
 */
final class HttpRequestHandler extends ChannelInboundHandlerAdapter implements RequestBody.Owner {

    private static final Logger log = LoggerFactory.getLogger(HttpRequestHandler.class);

    private static final int HEAD_SECONDS = 10;

    /** Between two reads of a body. */
    private static final int BODY_SECONDS = 30;

    private static final int IDLE_SECONDS = 75;

    /** How long a peer can read the answer to what it is still sending. */
    private static final int LINGER_SECONDS = 1;

    private enum State {
        HEAD,
        BODY,
        ANSWERING,

        /** A request is answered, and nothing of the next one is read. */
        IDLE,

        CLOSING
    }

    private final CallDispatcher server;

    private ChannelHandlerContext context;
    private StrictHttpDecoder decoder;
    private MemoryBudget budget;
    private MemoryBudget.Account memory;
    private State state = State.HEAD;

    /** Of the last request that is served here: whether the connection stays after its answer. */
    private boolean isPersistent;

    private boolean isHttp10;
    private @Nullable RequestBody body;

    /** What was not written of an answer when it was looked at last. */
    private long unwrittenBytes;

    private @Nullable ScheduledFuture<?> timer;

    @SuppressWarnings("NullAway.Init") // handlerAdded precedes every other method
    HttpRequestHandler(CallDispatcher server) {
        this.server = server;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext added) {
        context = added;
        budget = MemoryBudget.of(server.url().getOrDefaultFrameworkModel());
        memory = budget.open(added.channel().eventLoop(), this::resume);
        decoder = new StrictHttpDecoder(() -> memory.begin(this::endUnread), this::isReading, this::afterReading);
        added.pipeline().addBefore(added.name(), null, decoder);
        added.pipeline().addBefore(added.name(), null, new HttpResponseEncoder());
        after(HEAD_SECONDS, this::close);
    }

    @Override
    public void channelRead(ChannelHandlerContext unused, Object message) {
        try {
            if (state == State.CLOSING) {
                return;
            }
            if (message instanceof RequestRejectedException problem) {
                throw problem;
            }
            if (message instanceof HttpRequest head) {
                begin(HttpRequestHead.of(head));
            } else if (state == State.BODY) {
                readBody((HttpContent) message);
            }
        } catch (RequestRejectedException e) {
            failed(e);
        } finally {
            ReferenceCountUtil.release(message);
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext changed) {
        if (changed.channel().isWritable() && state == State.IDLE) {
            decoder.proceed();
        }
        changed.fireChannelWritabilityChanged();
    }

    /** The next request waits as long as the peer does not read its answers. */
    private boolean isReading() {
        return switch (state) {
            case IDLE -> context.channel().isWritable();
            case BODY -> !requestBody().isWhole(); // else it is being inflated
            case ANSWERING -> false;
            case HEAD, CLOSING -> true;
        };
    }

    /**
     * Requests that come before the last one is answered wait in the network, but for the first of them, and once
     * memory is scarce all that have not arrived.
     */
    private void afterReading() {
        if (state == State.IDLE && isReading() && decoder.unread() > 0) {
            state = State.HEAD;
            after(HEAD_SECONDS, this::close);
        }
        boolean isTooMuch = !isReading() && (decoder.unread() >= MemoryBudget.STEP || !decoder.mayGrow());
        boolean isToPause = isTooMuch || (body != null && body.isHeldUp());
        context.channel().config().setAutoRead(!isToPause);
    }

    /** Checks what the head says before the body is read. */
    private void begin(HttpRequestHead head) throws RequestRejectedException {
        stopTimer();
        isPersistent = HttpUtil.isKeepAlive(head.head());
        isHttp10 = head.isHttp10();
        if (head.isHealthCheck()) {
            answer(HttpAnswer.health(server.isDraining()));
            return;
        }
        server.requireFits(head.length());
        if (!head.hasBody()) {
            throw new RequestRejectedException("it has no body");
        }
        HttpCallHeaders arriving = HttpCallHeaders.of(head, server.url(), memory.begin(this::refuseForMemory));
        body = new RequestBody(server, context, arriving, new BodyBuffer(context.alloc(), budget::isScarce), this);
        Refusal refusal = server.refusalByHead(arriving, context, !isCheckedWhole(head, arriving));
        if (refusal != null) {
            refuse(arriving, refusal);
            return;
        }
        state = State.BODY;
        after(BODY_SECONDS, this::close);
        if (HttpUtil.is100ContinueExpected(head.head()) && decoder.unread() == 0) {
            write(HttpAnswer.toContinue());
        }
    }

    /** Whether it is refused once it is whole, so that the connection stays: a body to inflate may be a bomb. */
    private static boolean isCheckedWhole(HttpRequestHead head, HttpCallHeaders arriving) {
        return head.isSmall() && arriving.encodings().encoding() == null;
    }

    /** Without a statement another copy of it may run. */
    private void refuse(HttpCallHeaders arriving, Refusal refusal) throws RequestRejectedException {
        if (refusal.statement() == null) {
            throw new RequestRejectedException(refusal.message());
        }
        String island = arriving.path().island();
        String reason = refusal.statement().substring(refusal.statement().indexOf(';') + 1);
        refuse(HttpAnswer.refused(island, arriving.refusal(reason, false)), refusal.message());
    }

    private RequestBody requestBody() {
        return Objects.requireNonNull(body);
    }

    private void readBody(HttpContent part) throws RequestRejectedException {
        RequestBody arriving = requestBody();
        stopTimer();
        arriving.read(part.content(), part instanceof LastHttpContent);
        if (!arriving.isWhole() && !arriving.isHeldUp()) {
            after(BODY_SECONDS, this::close);
        }
    }

    @Override
    public void received(ByteBuf frame) {
        HttpCallHeaders whole = requestBody().request();
        state = State.ANSWERING;
        whole.memory().incomplete(false);
        try {
            server.serve(context, whole, frame, this::answerLater);
        } catch (RequestRejectedException e) {
            failed(e);
        } finally {
            frame.release();
        }
    }

    @Override
    public void failed(RequestRejectedException problem) {
        refuse(HttpAnswer.malformed(problem), String.valueOf(problem.getMessage()));
    }

    /** On any thread. */
    private void answerLater(HttpAnswer answer) {
        context.channel().eventLoop().execute(() -> {
            if (state == State.ANSWERING) {
                answer(answer);
                decoder.proceed();
            } else { // the connection is closed
                answer.release();
            }
        });
    }

    @SuppressWarnings("FutureReturnValueIgnored") // nothing follows
    private void answer(HttpAnswer answer) {
        endRequest(answer.isAcceptance());
        FullHttpResponse message = answer.message(isPersistent, isHttp10);
        unwrittenBytes = Long.MAX_VALUE;
        after(IDLE_SECONDS, this::endIdle); // first: with the writing the next request may begin
        if (isPersistent) {
            state = State.IDLE;
            write(message);
        } else {
            state = State.CLOSING;
            decoder.skip();
            context.writeAndFlush(message).addListener(ChannelFutureListener.CLOSE);
        }
    }

    /** Nothing has come for long: the connection ends, unless the peer still reads its answer. */
    private void endIdle() {
        Channel channel = context.channel();
        long unwritten = channel.config().getWriteBufferHighWaterMark()
                - channel.bytesBeforeUnwritable()
                + channel.bytesBeforeWritable(); // up to the mark as it is, above it less
        if (unwritten > 0 && unwritten < unwrittenBytes) {
            unwrittenBytes = unwritten;
            after(IDLE_SECONDS, this::endIdle);
        } else {
            close();
        }
    }

    /** The rest of the connection is not read. */
    private void refuse(HttpAnswer answer, String why) {
        budget.logLimit().warn(log, "highway: an HTTP/1.1 request was refused before anything of it ran: " + why);
        endRequest(false);
        state = State.CLOSING;
        write(answer.message(false, false));
        after(LINGER_SECONDS, this::close);
        decoder.skip();
    }

    private void resume() {
        if (body != null && body.resume()) {
            after(BODY_SECONDS, this::close);
            decoder.proceed();
        } else {
            afterReading();
        }
    }

    private void refuseForMemory() {
        HttpCallHeaders arriving = requestBody().request();
        String why = "it waited for memory, see highway.max-buffered";
        String reason = arriving.refusal(NotSentStatements.BUSY + "; " + why, true);
        refuse(HttpAnswer.refused(arriving.path().island(), reason), why);
    }

    /** The next request waits in vain: its peer does not read the last answer. */
    private void endUnread() {
        if (state == State.IDLE) {
            close();
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // a failure closes the connection
    private void write(FullHttpResponse message) {
        context.writeAndFlush(message);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // nothing follows
    private void close() {
        context.close();
    }

    private void after(int seconds, Runnable task) {
        stopTimer();
        timer = context.channel().eventLoop().schedule(task, seconds, TimeUnit.SECONDS);
    }

    private void stopTimer() {
        if (timer != null) {
            timer.cancel(false);
            timer = null;
        }
    }

    /** What a call that runs has of its request counts for a while. */
    private void endRequest(boolean runs) {
        if (body != null) {
            body.end(runs);
            body = null;
        }
    }

    /** The connection has ended; Dubbo runs on what it has begun. */
    @Override
    public void handlerRemoved(ChannelHandlerContext unused) {
        stopTimer();
        endRequest(state == State.ANSWERING);
        state = State.CLOSING;
    }

    /** What is wrong with a connection concerns its peer only. */
    @Override
    public void exceptionCaught(ChannelHandlerContext unused, Throwable cause) {
        if (!(cause instanceof IOException)) { // a reset
            budget.logLimit().warn(log, "highway: an HTTP/1.1 connection was closed: " + cause);
        }
        close();
    }
}
