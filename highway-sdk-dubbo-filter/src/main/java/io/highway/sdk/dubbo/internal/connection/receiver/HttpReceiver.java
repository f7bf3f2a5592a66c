// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.connection.receiver;

import io.highway.sdk.dubbo.internal.evidence.Statements;
import io.highway.sdk.dubbo.internal.limits.BufferedBytes;
import io.highway.sdk.dubbo.internal.limits.Pieces;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.util.concurrent.ScheduledFuture;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.apache.dubbo.common.logger.Logger;
import org.apache.dubbo.common.logger.LoggerFactory;
import org.jspecify.annotations.Nullable;

/**
 * Reads the requests of one HTTP/1.1 connection, one after another: those below {@code /highway} are served here, and the
 * bytes of others go on to Dubbo's handlers. The next request is processed when the last one is answered, whoever answers
 * it, so that answers keep the order of requests.
 *
 * <p>What cannot be told apart safely is Dubbo's for good: HTTP/2, upgrades, and requests for Dubbo whose end is ambiguous.
 * Its methods run on the connection's event loop.
 */
final class HttpReceiver extends ChannelInboundHandlerAdapter implements RequestBody.Owner {

    private static final Logger log = LoggerFactory.getLogger(HttpReceiver.class);

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
        AT_DUBBO,
        CLOSING
    }

    private final CallServer server;
    private final Runnable configureDubbo;

    private ChannelHandlerContext context;
    private DubboRequests dubbo;
    private BufferedBytes.Connection buffered;
    private State state = State.HEAD;
    private final HeadEnd headEnd = new HeadEnd();
    private UnreadBytes unread;

    /** Of the last request that is served here: whether the connection stays after its answer. */
    private boolean isPersistent;

    private boolean isHttp10;
    private @Nullable ReceivedRequest request;
    private @Nullable RequestBody body;
    private BodyFraming framing = BodyFraming.of(0);
    private boolean isForDubbo;
    private boolean isPaused;

    /** What was not written of an answer when it was looked at last. */
    private long unwrittenBytes;

    private @Nullable ScheduledFuture<?> timer;

    @SuppressWarnings("NullAway.Init") // handlerAdded precedes every other method
    HttpReceiver(CallServer server, Runnable configureDubbo) {
        this.server = server;
        this.configureDubbo = configureDubbo;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext added) {
        context = added;
        dubbo = new DubboRequests(added, configureDubbo, this::answeredByDubbo);
        buffered =
                BufferedBytes.of(server.framework()).connection(added.channel().eventLoop(), this::resume, this::sweep);
        unread = new UnreadBytes(added.alloc(), buffered);
    }

    @Override
    public void channelRead(ChannelHandlerContext unused, Object message) {
        unread.add((ByteBuf) message);
        process();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext changed) {
        if (changed.channel().isWritable() && state == State.HEAD) {
            process();
        }
        changed.fireChannelWritabilityChanged();
    }

    private void process() {
        int before = unread.beginReading();
        try {
            while (unread.bytes().isReadable() && processNext()) {
                // the next request
            }
        } catch (MalformedRequestException e) {
            if (isForDubbo) {
                dubbo.takeAll();
            } else {
                failed(e);
            }
        }
        unread.endReading(before);
        pauseOrReadOn();
    }

    /** Nobody else pauses meanwhile: Dubbo's handlers do so within a request. */
    private void pauseOrReadOn() {
        if (isPaused != isToPause()) {
            isPaused = !isPaused;
            context.channel().config().setAutoRead(!isPaused);
        }
    }

    /** Returns whether what follows can be processed, too. */
    private boolean processNext() throws MalformedRequestException {
        return switch (state) {
            case HEAD -> context.channel().isWritable() && readHead(); // else the peer does not read its answers
            case BODY -> readBody();
            case AT_DUBBO -> passBodyOn();
            case ANSWERING -> false;
            case CLOSING -> {
                unread.skip();
                yield false;
            }
        };
    }

    private boolean readHead() throws MalformedRequestException {
        if (headEnd.isNew()) {
            after(HEAD_SECONDS, this::endHead);
        }
        ByteBuf bytes = unread.bytes();
        boolean isElsewhere = RequestHead.kind(bytes) == RequestHead.Kind.DUBBOS;
        isForDubbo = isElsewhere && !server.isAlone();
        int length = headEnd.find(bytes);
        if (length == 0) {
            return false;
        }
        RequestHead read = RequestHead.parse(bytes, length);
        framing = read.framing();
        stopTimer();
        if (isElsewhere) {
            passOn(read, length);
        } else {
            bytes.skipBytes(length);
            isPersistent = read.isPersistent();
            isHttp10 = read.isHttp10();
            begin(read);
        }
        return true;
    }

    /** It has taken too long. */
    private void endHead() {
        if (isForDubbo) {
            dubbo.takeAll();
        } else {
            close();
        }
    }

    /** Checks what the head says before the body is read. */
    private void begin(RequestHead read) throws MalformedRequestException {
        if (read.header("host") == null && !read.isHttp10()) {
            throw new MalformedRequestException("it has no host");
        }
        if (read.isHealthCheck() && framing.isComplete()) {
            answer(HttpAnswer.health(server.isDraining()));
            return;
        }
        boolean isToContinue = read.expectsContinue();
        server.requireFits(framing.left());
        if (framing.isComplete()) {
            throw new MalformedRequestException("it has no body");
        }
        BodyEncodings encodings = BodyEncodings.of(read, server.framework());
        ReceivedRequest arriving = ReceivedRequest.of(read, encodings, buffered);
        request = arriving;
        String refusal = encodings.refusal();
        if (refusal != null) {
            String reason = arriving.refusal(refusal, false, server.framework());
            refuse(HttpAnswer.refused(arriving.path().island(), reason), refusal);
            return;
        }
        state = State.BODY;
        Pieces pieces = new Pieces(context.alloc(), buffered::isMemoryScarce);
        body = new RequestBody(server, context, arriving, framing, pieces, this);
        after(BODY_SECONDS, this::close);
        if (isToContinue && !unread.bytes().isReadable()) {
            write(HttpAnswer.CONTINUE.duplicate());
        }
    }

    private boolean readBody() throws MalformedRequestException {
        RequestBody arriving = Objects.requireNonNull(body);
        if (arriving.isWhole()) { // it is being inflated
            return false;
        }
        stopTimer();
        arriving.read(unread.bytes());
        if (!arriving.isWhole() && !arriving.isHeldUp()) {
            after(BODY_SECONDS, this::close);
        }
        return arriving.isWhole();
    }

    @Override
    public void received(ByteBuf frame) {
        ReceivedRequest whole = Objects.requireNonNull(request);
        state = State.ANSWERING;
        whole.memory().arrived(true);
        try {
            server.serve(context, whole, frame, this::answerLater);
        } catch (MalformedRequestException e) {
            failed(e);
        } finally {
            frame.release();
        }
    }

    @Override
    public void failed(MalformedRequestException problem) {
        refuse(HttpAnswer.malformed(problem), String.valueOf(problem.getMessage()));
    }

    /** On any thread. */
    private void answerLater(HttpAnswer answer) {
        context.channel().eventLoop().execute(() -> {
            if (state == State.ANSWERING) {
                answer(answer);
                process();
            } else { // the connection is closed
                answer.body().release();
            }
        });
    }

    @SuppressWarnings("FutureReturnValueIgnored") // nothing follows
    private void answer(HttpAnswer answer) {
        ReceivedRequest accepted = request;
        if (answer.isAcceptance() && accepted != null) {
            accepted.memory().releaseLater(); // it runs
            request = null;
        }
        releaseRequest();
        ByteBuf encoded = answer.encode(isPersistent, isHttp10);
        unwrittenBytes = Long.MAX_VALUE;
        after(IDLE_SECONDS, this::endIdle); // first: the writing may call process, which begins the next request
        if (isPersistent) {
            state = State.HEAD;
            write(encoded);
        } else {
            state = State.CLOSING;
            context.writeAndFlush(encoded).addListener(ChannelFutureListener.CLOSE);
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

    /** Passes the head of a request for Dubbo on, if it is served here. */
    private void passOn(RequestHead read, int length) throws MalformedRequestException {
        if (isForDubbo
                && (read.headers().containsKey("upgrade") || read.method().equals("CONNECT"))) {
            throw new MalformedRequestException("what follows is another protocol");
        }
        if (isForDubbo && DubboRequests.SERVE_HTTP_1) {
            state = State.AT_DUBBO;
            dubbo.begin(unread.bytes().readRetainedSlice(length), framing);
        } else {
            failed(new MalformedRequestException(HttpResponseStatus.NOT_FOUND, "it is not below /highway"));
        }
    }

    private boolean passBodyOn() throws MalformedRequestException {
        dubbo.passBodyOn(unread.bytes());
        if (dubbo.isEnded()) { // it has answered before
            state = State.HEAD;
        }
        return dubbo.isEnded();
    }

    private void answeredByDubbo() {
        if (state == State.AT_DUBBO && dubbo.isEnded()) {
            state = State.HEAD;
            process();
        }
    }

    /** The rest of the connection is not read. */
    private void refuse(HttpAnswer answer, String why) {
        buffered.logLimit().warn(log, "highway: an HTTP/1.1 request was refused before anything of it ran: " + why);
        releaseRequest();
        unread.skip();
        state = State.CLOSING;
        write(answer.encode(false, false));
        after(LINGER_SECONDS, this::close);
        pauseOrReadOn();
    }

    private void resume() {
        if (state == State.BODY && Objects.requireNonNull(body).resume()) {
            after(BODY_SECONDS, this::close);
            pauseOrReadOn();
        }
    }

    private boolean sweep() {
        ReceivedRequest arriving = request;
        if (arriving != null && state == State.BODY && arriving.memory().isStalled() && buffered.isUnderPressure()) {
            String why = "it waited for memory, see highway.max-buffered";
            String reason = arriving.refusal(Statements.BUSY + "; " + why, true, server.framework());
            refuse(HttpAnswer.refused(arriving.path().island(), reason), why);
        }
        if (state == State.HEAD && unread.areStalled() && buffered.isUnderPressure()) {
            close();
        }
        return request != null || unread.areCounted();
    }

    /**
     * Requests that come before the last one is answered wait in the network, but for the first of them, and once
     * memory is scarce all that have not arrived.
     */
    private boolean isToPause() {
        RequestBody arriving = state == State.BODY ? body : null;
        boolean isServing = state == State.ANSWERING
                || (arriving != null && arriving.isWhole())
                || (state == State.AT_DUBBO && dubbo.isWhole())
                || (state == State.HEAD && !context.channel().isWritable());
        int most = buffered.isUnderPressure() ? 1 : BufferedBytes.STEP;
        return (arriving != null && arriving.isHeldUp())
                || (isServing && unread.bytes().readableBytes() >= most);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // a failure closes the connection
    private void write(ByteBuf bytes) {
        context.writeAndFlush(bytes);
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

    private void releaseRequest() {
        if (request != null) {
            request.memory().release();
            request = null;
        }
        if (body != null) {
            body.release();
            body = null;
        }
    }

    /** What is unread is for Dubbo, if it took over. */
    @Override
    public void handlerRemoved(ChannelHandlerContext unused) {
        end();
        pauseOrReadOn();
        ByteBuf rest = unread.take();
        if (rest.isReadable()) {
            context.fireChannelRead(rest);
            context.fireChannelReadComplete();
        } else {
            rest.release();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext unused) {
        end();
        unread.skip();
        state = State.CLOSING;
        context.fireChannelInactive();
    }

    /** A reset: without Dubbo's handlers it would reach the end of the pipeline, which logs it. */
    @Override
    public void exceptionCaught(ChannelHandlerContext failed, Throwable cause) {
        if (cause instanceof IOException) {
            close();
        } else {
            failed.fireExceptionCaught(cause);
        }
    }

    private void end() {
        stopTimer();
        unread.uncount();
        if (request != null && state == State.ANSWERING) {
            request.memory().releaseLater(); // Dubbo runs it
            request = null;
        }
        releaseRequest();
    }
}
