// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.connection.receiver;

import io.highway.sdk.dubbo.internal.compression.Inflation;
import io.highway.sdk.dubbo.internal.connection.triple.MessageInflater;
import io.highway.sdk.dubbo.internal.evidence.Statements;
import io.highway.sdk.dubbo.internal.limits.BufferedBytes;
import io.highway.sdk.dubbo.internal.limits.Pieces;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
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
import org.apache.dubbo.rpc.TriRpcStatus;
import org.jspecify.annotations.Nullable;

/**
 * Reads the requests of one HTTP/1.1 connection, one after another: those below {@code /highway} are served here, and the
 * bytes of others go on to Dubbo's handlers. The next request is processed when the last one is answered, whoever answers
 * it, so that answers keep the order of requests.
 *
 * <p>What cannot be told apart safely is Dubbo's for good: HTTP/2, upgrades, and requests for Dubbo whose end is ambiguous.
 * Its methods run on the connection's event loop.
 */
final class HttpReceiver extends ChannelInboundHandlerAdapter implements MessageInflater.Owner {

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
        INFLATING,
        BODY_FOR_DUBBO,
        ANSWERING,
        ANSWERED_BY_DUBBO,
        CLOSING
    }

    private final CallServer server;
    private final DubboHandlers dubbo;

    private ChannelHandlerContext context;
    private BufferedBytes.Connection buffered;
    private Pieces pieces;
    private State state = State.HEAD;
    private ByteBuf unread = Unpooled.EMPTY_BUFFER;

    /** How many unread bytes are known to have no end of a head, and where the last line of these begins. */
    private int scanned;

    private int lineStart;

    /** The request that was read last, of those that are served here. */
    private @Nullable RequestHead head;

    private @Nullable ReceivedRequest request;
    private @Nullable MessageInflater inflater;
    private BodyFraming framing = BodyFraming.of(0);
    private boolean isForDubbo;
    private boolean isDubboAnswering;
    private boolean isHeldUp;
    private boolean isPaused;

    /** What was not written of an answer when it was looked at last. */
    private long unwrittenBytes;

    private @Nullable ScheduledFuture<?> timer;

    @SuppressWarnings("NullAway.Init") // handlerAdded precedes every other method
    HttpReceiver(CallServer server, DubboHandlers dubbo) {
        this.server = server;
        this.dubbo = dubbo;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext added) {
        context = added;
        buffered =
                BufferedBytes.of(server.framework()).connection(added.channel().eventLoop(), this::resume, this::sweep);
        pieces = new Pieces(added.alloc(), buffered::isMemoryScarce);
    }

    @Override
    public void channelRead(ChannelHandlerContext unused, Object message) {
        ByteBuf data = (ByteBuf) message;
        if (unread.isReadable()) {
            ByteBuf joined = context.alloc().buffer(unread.readableBytes() + data.readableBytes());
            joined.writeBytes(unread).writeBytes(data);
            data.release();
            data = joined;
        }
        unread.release();
        unread = data;
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
        try {
            while (unread.isReadable() && processNext()) {
                // the next request
            }
        } catch (MalformedRequestException e) {
            if (isForDubbo) {
                leaveToDubbo();
            } else {
                refuse(HttpAnswer.malformed(e), String.valueOf(e.getMessage()));
            }
        }
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
            case BODY_FOR_DUBBO -> passBodyOn();
            case INFLATING, ANSWERING, ANSWERED_BY_DUBBO -> false;
            case CLOSING -> {
                unread.skipBytes(unread.readableBytes());
                yield false;
            }
        };
    }

    private boolean readHead() throws MalformedRequestException {
        if (scanned == 0) {
            after(HEAD_SECONDS, this::endHead);
        }
        isForDubbo = RequestHead.kind(unread) == RequestHead.Kind.DUBBOS;
        int length = headLength();
        if (length == 0) {
            return false;
        }
        RequestHead read = RequestHead.parse(unread, length);
        framing = read.framing();
        scanned = 0;
        lineStart = 0;
        stopTimer();
        if (isForDubbo) {
            passOn(read, length);
        } else {
            unread.skipBytes(length);
            head = read;
            begin(read);
        }
        return true;
    }

    /** How long the head is; 0 if its end has not arrived. */
    private int headLength() throws MalformedRequestException {
        int start = unread.readerIndex();
        int at = unread.indexOf(start + scanned, unread.writerIndex(), (byte) '\n');
        while (at >= 0 && at - start < RequestHead.MOST_BYTES) {
            int line = at - start - lineStart;
            if (line == 0 || unread.getByte(at - 1) != '\r') {
                throw new MalformedRequestException("a line ends without CR");
            }
            scanned = at + 1 - start;
            if (line == 1) {
                return scanned;
            }
            lineStart = scanned;
            at = unread.indexOf(start + scanned, unread.writerIndex(), (byte) '\n');
        }
        scanned = unread.readableBytes();
        if (scanned >= RequestHead.MOST_BYTES) {
            throw new MalformedRequestException("its head has more than " + RequestHead.MOST_BYTES + " bytes");
        }
        return 0;
    }

    /** It has taken too long. */
    private void endHead() {
        if (isForDubbo) {
            leaveToDubbo();
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
        String expected = read.header("expect");
        if (expected != null && !expected.equalsIgnoreCase("100-continue")) {
            throw new MalformedRequestException("it expects something else than 100-continue");
        }
        requireFits(framing.left());
        if (framing.isComplete()) {
            throw new MalformedRequestException("it has no body");
        }
        BodyEncodings encodings = BodyEncodings.of(read, server.framework());
        ReceivedRequest arriving = ReceivedRequest.of(read, encodings, buffered);
        request = arriving;
        String refusal = encodings.refusal();
        if (refusal != null) {
            refuse(HttpAnswer.refused(arriving.path().island(), refusal), refusal);
            return;
        }
        state = State.BODY;
        after(BODY_SECONDS, this::close);
        if (expected != null && !read.isHttp10() && !unread.isReadable()) {
            write(HttpAnswer.CONTINUE.duplicate());
        }
    }

    private void requireFits(long body) throws MalformedRequestException {
        if (body > server.payload() + CallServer.HEADER_BYTES) {
            throw new MalformedRequestException(
                    HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE,
                    "its body has more than the payload (dubbo.protocol.payload), " + server.payload() + " bytes");
        }
    }

    private boolean readBody() throws MalformedRequestException {
        ReceivedRequest arriving = Objects.requireNonNull(request);
        BufferedBytes.Body memory = arriving.memory();
        for (int taken; (taken = framing.next(unread)) > 0; ) {
            requireFits(pieces.bytes() + (long) taken + framing.left());
            memory.add(taken);
            pieces.add(unread, taken);
        }
        if (framing.isComplete()) {
            stopTimer();
            isHeldUp = false;
            serveBody(arriving);
            return true;
        }
        isHeldUp = !memory.mayGrow();
        if (isHeldUp) {
            stopTimer();
        } else {
            after(BODY_SECONDS, this::close);
        }
        return false;
    }

    private void serveBody(ReceivedRequest whole) throws MalformedRequestException {
        String encoding = whole.encodings().encoding();
        if (encoding == null) {
            serve(whole, pieces.take());
        } else {
            state = State.INFLATING;
            inflater = new MessageInflater(server.inflating(context), whole.memory(), encoding, this);
            inflater.add(Unpooled.wrappedBuffer(Unpooled.buffer().writeZero(Inflation.PREFIX_BYTES), pieces.take()));
            inflater.proceed();
        }
    }

    @Override
    public boolean isEnded() {
        return state != State.INFLATING;
    }

    @Override
    public void inflated(ByteBuf message) {
        try {
            serve(Objects.requireNonNull(request), message.skipBytes(Inflation.PREFIX_BYTES));
        } catch (MalformedRequestException e) {
            refuse(HttpAnswer.malformed(e), String.valueOf(e.getMessage()));
        }
    }

    @Override
    public void failed(TriRpcStatus why) {
        MalformedRequestException problem = new MalformedRequestException(
                why.code == TriRpcStatus.Code.RESOURCE_EXHAUSTED
                        ? HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE
                        : HttpResponseStatus.BAD_REQUEST,
                why.description);
        refuse(HttpAnswer.malformed(problem), why.description);
    }

    private void serve(ReceivedRequest whole, ByteBuf frame) throws MalformedRequestException {
        state = State.ANSWERING;
        whole.memory().arrived(true);
        try {
            server.serve(context, whole, frame, this::answerLater);
        } finally {
            frame.release();
        }
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
        RequestHead answered = Objects.requireNonNull(head);
        releaseMemory();
        ByteBuf encoded = answer.encode(answered.isPersistent(), answered.isHttp10());
        if (answered.isPersistent()) {
            state = State.HEAD;
            write(encoded);
        } else {
            state = State.CLOSING;
            context.writeAndFlush(encoded).addListener(ChannelFutureListener.CLOSE);
        }
        unwrittenBytes = Long.MAX_VALUE;
        after(IDLE_SECONDS, this::endIdle);
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

    /** Passes the head of a request for Dubbo on. */
    private void passOn(RequestHead read, int length) throws MalformedRequestException {
        if (read.headers().containsKey("upgrade") || read.method().equals("CONNECT")) {
            throw new MalformedRequestException("what follows is another protocol");
        }
        if (!DubboHandlers.SERVE_HTTP_1) {
            isForDubbo = false;
            throw new MalformedRequestException(HttpResponseStatus.NOT_FOUND, "it is not below /highway");
        }
        dubbo.install(context, this::answeredByDubbo);
        isDubboAnswering = true;
        state = framing.isComplete() ? State.ANSWERED_BY_DUBBO : State.BODY_FOR_DUBBO;
        passOn(unread.readRetainedSlice(length));
    }

    private boolean passBodyOn() throws MalformedRequestException {
        int start = unread.readerIndex();
        try {
            for (int taken; (taken = framing.next(unread)) > 0; ) {
                unread.skipBytes(taken);
            }
        } catch (MalformedRequestException e) {
            unread.readerIndex(start);
            throw e;
        }
        boolean isComplete = framing.isComplete();
        if (isComplete) {
            state = State.ANSWERED_BY_DUBBO;
        }
        passOn(unread.retainedSlice(start, unread.readerIndex() - start));
        if (isComplete && !isDubboAnswering) { // it has answered before
            state = State.HEAD;
        }
        return isComplete;
    }

    private void passOn(ByteBuf data) {
        context.fireChannelRead(data);
        context.fireChannelReadComplete();
    }

    /** Its handlers finish with this request first. */
    private void answeredByDubbo() {
        isDubboAnswering = false;
        context.channel().eventLoop().execute(() -> {
            if (state == State.ANSWERED_BY_DUBBO && !isDubboAnswering) {
                state = State.HEAD;
                process();
            }
        });
    }

    /** This and all that follows is not for this handler. */
    private void leaveToDubbo() {
        dubbo.install(context, () -> {});
        context.pipeline().remove(this);
    }

    /** The rest of the connection is not read. */
    private void refuse(HttpAnswer answer, String why) {
        String end = buffered.logLimit().next();
        if (end != null) {
            log.warn("highway: an HTTP/1.1 request was refused before anything of it ran: " + why + end);
        }
        releaseMemory();
        releasePieces();
        unread.skipBytes(unread.readableBytes());
        state = State.CLOSING;
        isHeldUp = false;
        write(answer.encode(false, false));
        after(LINGER_SECONDS, this::close);
        pauseOrReadOn();
    }

    private void resume() {
        if (state == State.INFLATING) {
            Objects.requireNonNull(inflater).proceed();
        }
        ReceivedRequest arriving = request;
        if (isHeldUp
                && state == State.BODY
                && (arriving == null || arriving.memory().mayGrow())) {
            isHeldUp = false;
            after(BODY_SECONDS, this::close);
            pauseOrReadOn();
        }
    }

    private boolean sweep() {
        ReceivedRequest arriving = request;
        if (arriving != null
                && (state == State.BODY || state == State.INFLATING)
                && arriving.memory().isStalled()
                && buffered.isUnderPressure()) {
            String why = "it waited for memory, see highway.max-buffered";
            refuse(HttpAnswer.refused(arriving.path().island(), Statements.BUSY + "; " + why), why);
        }
        return request != null;
    }

    /** Requests that come before the last one is answered wait in the network, but for the first of them. */
    private boolean isToPause() {
        boolean isServing = state == State.INFLATING
                || state == State.ANSWERING
                || state == State.ANSWERED_BY_DUBBO
                || (state == State.HEAD && !context.channel().isWritable());
        return isHeldUp || (isServing && unread.readableBytes() >= BufferedBytes.STEP);
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

    private void releaseMemory() {
        if (request != null) {
            request.memory().release();
            request = null;
        }
    }

    /** What is unread is for Dubbo, if it took over. */
    @Override
    public void handlerRemoved(ChannelHandlerContext unused) {
        end();
        pauseOrReadOn();
        if (unread.isReadable()) {
            passOn(unread);
        } else {
            unread.release();
        }
        unread = Unpooled.EMPTY_BUFFER;
    }

    @Override
    public void channelInactive(ChannelHandlerContext unused) {
        end();
        unread.skipBytes(unread.readableBytes());
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

    private void releasePieces() {
        pieces.release();
        if (inflater != null) {
            inflater.close();
        }
    }

    private void end() {
        stopTimer();
        releasePieces();
        if (request != null && state == State.ANSWERING) {
            request.memory().releaseLater(); // Dubbo runs it
            request = null;
        }
        releaseMemory();
    }
}
