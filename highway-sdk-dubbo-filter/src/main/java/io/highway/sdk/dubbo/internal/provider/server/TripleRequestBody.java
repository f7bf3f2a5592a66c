// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.provider.server;

import io.highway.sdk.dubbo.internal.evidence.NotSentStatements;
import io.highway.sdk.dubbo.internal.facts.GenericMethod;
import io.highway.sdk.dubbo.internal.facts.UnreadableRequestException;
import io.highway.sdk.dubbo.internal.memory.BodyBuffer;
import io.highway.sdk.dubbo.internal.memory.MemoryBudget;
import io.highway.sdk.dubbo.internal.network.compression.BoundedInflater;
import io.highway.sdk.dubbo.internal.network.http2.InboundStream;
import io.highway.sdk.dubbo.internal.network.http2.MessageReader;
import io.highway.sdk.dubbo.internal.network.http2.RequestInflater;
import io.highway.sdk.dubbo.internal.network.http2.StreamContext;
import io.highway.sdk.dubbo.internal.network.http2.TripleWrapper;
import io.highway.sdk.dubbo.internal.provider.server.PreDecodeCheck.Refusal;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2FrameStream;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2ResetFrame;
import io.netty.handler.codec.http2.Http2StreamFrame;
import io.netty.util.ReferenceCountUtil;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.apache.dubbo.common.logger.Logger;
import org.apache.dubbo.common.logger.LoggerFactory;
import org.apache.dubbo.rpc.RpcInvocation;
import org.apache.dubbo.rpc.StatusRpcException;
import org.apache.dubbo.rpc.TriRpcStatus;
import org.jspecify.annotations.Nullable;

/**
 * One request of a Triple server that has a body: reads its messages, and refuses it. Its methods run on the connection's event loop, if they do not say otherwise.
 */
final class TripleRequestBody extends InboundStream implements RequestInflater.Owner, UndecodedTripleRequest {

    /** What a request counts without its headers and data. */
    private static final int WITHOUT_DATA = 1024;

    /** In characters. With one byte each, and up to nine if they are encoded. */
    private static final int LONGEST_MESSAGE = 512;

    private static final Logger log = LoggerFactory.getLogger(TripleRequestBody.class);

    private final ServerContext servers;
    private final Http2FrameStream stream;
    private final TripleRequestHeaders headers;

    /** Null if the request has no gRPC messages, or they cannot be read. */
    private final @Nullable MessageReader reader;

    private final RequestInflater inflater;

    /** The data that is read now, and what has come since. */
    private @Nullable ByteBuf data;

    private final BodyBuffer later = newPieces();

    /** Whether it has passed the first stage of the guard. */
    private boolean hasPassed;

    /** The headers of a generic call, until the first message tells what it calls. */
    private @Nullable Http2HeadersFrame held;

    private volatile @Nullable GenericMethod generic;

    /** Null until it is admitted. */
    private volatile @Nullable RpcInvocation call;

    private boolean isComplete;

    private boolean isAnswered;

    /** Whether the end of the answer was written. */
    private boolean isEnded;

    /** Whether the end of the request was passed on. */
    private boolean isPassedOn;

    /** Whether it was refused since no thread was free for it. */
    private boolean isWithoutThread;

    private boolean isClosed;
    private int messages;

    /** Of a large first message, while it counts. */
    private int firstBytes;

    /** Whether its only message was passed on, and nothing runs before its end. */
    private boolean isUnary;

    /** The bytes of a request without gRPC messages. */
    private int rawBytes;

    /** What its headers count at the connection, until the request is complete. */
    private int head;

    TripleRequestBody(ServerContext servers, StreamContext connection, Http2FrameStream stream, Http2Headers headers) {
        super(connection);
        this.servers = servers;
        this.stream = stream;
        this.headers = new TripleRequestHeaders(servers, headers);
        this.head = WITHOUT_DATA + this.headers.bytes();
        body.add(head);
        this.inflater = new RequestInflater(connection, body, this.headers.encoding(), this);
        this.reader = this.headers.hasReadableMessages()
                ? new MessageReader(connection.payload(), BoundedInflater.PAYLOAD, newPieces())
                : null;
    }

    @Override
    protected int id() {
        return stream.id();
    }

    /** The first stage of the guard. */
    void begin() {
        if (!connection.memory().takeHead(head)) {
            refuse("the requests of its connection take too much memory");
            reset(Http2Error.NO_ERROR); // what belongs to it is kept until it is closed
            return;
        }
        PreDecodeCheck guard = servers.guard();
        Refusal refusal = guard == null ? null : headers.check(guard, peer());
        if (refusal != null) {
            answer(refusal);
            return;
        }
        hasPassed = true;
        if (headers.number() != null) {
            servers.requests().put(headers.number(), this);
        }
        String unreadable = headers.unreadableEncoding();
        if (unreadable != null) {
            // Dubbo would keep every name for ever, inflate bzip2 without a limit, and up to 3.2 not answer
            refuse(
                    TriRpcStatus.UNIMPLEMENTED.withDescription(TripleRequestHeaders.ENCODING + " '" + unreadable + "'"),
                    headers.unreadableStatement());
        }
    }

    private InetSocketAddress peer() {
        return (InetSocketAddress) connection.context().channel().remoteAddress();
    }

    /** Whether Dubbo gets these headers now. */
    boolean passesOn(Http2HeadersFrame frame) {
        if (!isRefused && headers.isGeneric()) {
            held = frame;
        }
        return !isRefused && held == null;
    }

    /** Passes on headers that were held; returns whether the message may follow. */
    private boolean passOnHeld(ByteBuf message) {
        Http2HeadersFrame first = held;
        if (first == null) {
            return true;
        }
        held = null;
        try {
            generic = TripleWrapper.genericFacts(message);
        } catch (UnreadableRequestException e) {
            answer(Objects.requireNonNull(servers.guard()).malformed(peer(), String.valueOf(e.getMessage())));
            return false;
        }
        passOn(first, Unpooled.EMPTY_BUFFER);
        return !isRefused; // no thread was free
    }

    @Override
    public Map<String, String> facts() {
        return headers.facts();
    }

    @Override
    public @Nullable GenericMethod generic() {
        return generic;
    }

    @Override
    public void admitted(RpcInvocation admitted) {
        call = admitted;
        connection.context().executor().execute(this::endIfClosed);
    }

    /** It may have been closed before it was admitted. */
    private void endIfClosed() {
        PreDecodeCheck guard = servers.guard();
        RpcInvocation admitted = call;
        if (isClosed && guard != null && admitted != null) {
            guard.ended(admitted);
        }
    }

    @Override
    public void refuse(Refusal refusal) {
        connection.context().executor().execute(() -> {
            if (!isClosed && !isRefused) {
                answer(refusal);
            }
        });
    }

    private void answer(Refusal refusal) {
        answer(
                TriRpcStatus.fromCode(TriRpcStatus.Code.PERMISSION_DENIED)
                        .withDescription(NotSentStatements.REFUSED_MESSAGE + refusal.message()),
                refusal.statement());
    }

    /**
     * Dubbo does not know that the request was refused here; and 3.3 ends an exception that it cannot write twice, for which
     * Netty closes the connection.
     */
    boolean mayWrite(Object frame) {
        if (frame instanceof Http2ResetFrame) { // instead of an answer, at once or later
            return !isWithoutThread && !mayBeRefusedWithoutThread();
        }
        boolean isAnswer = frame instanceof Http2HeadersFrame || frame instanceof Http2DataFrame;
        boolean mayWrite = !isAnswer || (!isRefused && !isEnded);
        isAnswered |= isAnswer;
        if (mayWrite && isEnd(frame)) {
            isEnded = true;
            if (!isComplete) { // its client may never end it
                discardRest();
            }
        }
        if (mayWrite && frame instanceof Http2HeadersFrame answer) {
            encodeMessage(answer.headers());
            if (headers.isGrpcFromAnotherIsland()) {
                servers.carried().checkAnswer(answer.headers());
            }
        }
        return mayWrite;
    }

    /** Nothing of a unary call runs before its end was passed on. */
    private boolean mayBeRefusedWithoutThread() {
        return RejectedTaskDetector.isAny()
                && !isRefused
                && !isAnswered
                && (messages + rawBytes == 0 || headers.isUnary());
    }

    private void passOn(ByteBuf content, boolean isEnd) {
        isPassedOn |= isEnd;
        passOn(new DefaultHttp2DataFrame(content, isEnd).stream(stream), content);
    }

    /** Hands a frame with this content over to Dubbo. */
    void passOn(Http2StreamFrame frame, ByteBuf content) {
        RejectedTaskDetector.watch(true);
        connection.context().fireChannelRead(frame);
        if (mayBeRefusedWithoutThread()) {
            if (content.refCnt() > 0) { // no task releases it; Dubbo 3.2 does
                content.release();
            }
            Refusal refusal = headers.withoutThread(peer());
            isWithoutThread = true;
            String message = refusal == null
                    ? NotSentStatements.NO_THREAD
                    : NotSentStatements.REFUSED_MESSAGE + refusal.message();
            answerRefusal(
                    TriRpcStatus.fromCode(TriRpcStatus.Code.RESOURCE_EXHAUSTED).withDescription(message),
                    refusal == null ? null : refusal.statement());
        }
        RejectedTaskDetector.watch(false);
    }

    /** Dubbo 3.3 writes the text of an exception as it is: for a line break in a header proxies close the connection. */
    private static void encodeMessage(Http2Headers answer) {
        CharSequence message = answer.get(TripleRequestHeaders.MESSAGE);
        if (message != null
                && (message.length() > LONGEST_MESSAGE || message.chars().anyMatch(c -> c < ' ' || c >= 0x7f))) {
            String text = message.subSequence(0, Math.min(message.length(), LONGEST_MESSAGE))
                    .toString();
            answer.set(TripleRequestHeaders.MESSAGE, TriRpcStatus.encodeMessage(text));
        }
    }

    private static boolean isEnd(Object frame) {
        return frame instanceof Http2HeadersFrame trailers
                ? trailers.isEndStream()
                : frame instanceof Http2DataFrame last && last.isEndStream();
    }

    /** Nothing more of the request is read or counted. Its client may send on, or wait. */
    private void discardRest() {
        isRefused = true;
        release();
        returnWindow();
        later(() -> reset(Http2Error.NO_ERROR));
    }

    @Override
    public void settle() {
        inflater.proceed();
        if (isRefused || isComplete) {
            returnWindow();
            body.incomplete(isIncomplete());
        } else {
            super.settle();
        }
    }

    @Override
    protected boolean isIncomplete() {
        boolean hasNoEnd = isUnary && messages == 1 && !isComplete && !isAnswered;
        return hasNoEnd || (isInsideMessage() && !inflater.isInflating());
    }

    /** Whether a message, or a request without messages, is to be completed or inflated. */
    private boolean isInsideMessage() {
        return reader == null
                ? rawBytes > 0 && !isComplete
                : reader.isInsideMessage() || !inflater.isIdle() || data != null || later.bytes() > 0;
    }

    /** Takes the buffer over. */
    void read(ByteBuf next, boolean isEnd) {
        if (isEnd) {
            isComplete = true;
            returnHead(0); // the call runs, or has been refused
        }
        if (isRefused || isClosed) {
            next.release();
        } else if (reader == null) {
            passOnRaw(next);
        } else {
            if (data == null && inflater.isIdle()) {
                data = next;
            } else {
                later.add(next, next.readableBytes());
                next.release();
            }
            readMessages(reader);
        }
        settle();
    }

    private void passOnRaw(ByteBuf next) {
        if (next.readableBytes() > connection.payload() - rawBytes) {
            next.release();
            refuse(
                    TriRpcStatus.fromCode(TriRpcStatus.Code.RESOURCE_EXHAUSTED)
                            .withDescription("The request has more than " + connection.payload() + " bytes"),
                    null);
            return;
        }
        rawBytes += next.readableBytes();
        later.add(next, next.readableBytes());
        next.release();
        if (isComplete || later.bytes() >= BodyBuffer.SMALL) { // Dubbo keeps each piece until the end
            passOn(later.bytes() == 0 ? Unpooled.EMPTY_BUFFER : later.take(), isComplete);
        }
    }

    private void readMessages(MessageReader from) {
        try {
            while (inflater.isIdle() && !isRefused && hasData()) {
                ByteBuf now = Objects.requireNonNull(data);
                ByteBuf message = from.next(now);
                if (!now.isReadable()) {
                    now.release();
                    data = null;
                }
                if (message != null && MessageReader.isCompressed(message)) {
                    inflater.add(message); // settle goes on
                } else if (message != null) {
                    passOn(message);
                }
            }
            if (isComplete && !isPassedOn && !isRefused && inflater.isIdle() && !hasData()) {
                if (passOnHeld(Unpooled.EMPTY_BUFFER)) {
                    passOn(Unpooled.EMPTY_BUFFER, true);
                }
            }
        } catch (StatusRpcException e) {
            refuse(e.getStatus(), null);
        }
    }

    private boolean hasData() {
        if (data == null && later.bytes() > 0) {
            data = later.take();
        }
        return data != null;
    }

    @Override
    public boolean isEnded() {
        return isClosed || isRefused;
    }

    @Override
    public void inflated(ByteBuf message) {
        passOn(message);
        readMessages(Objects.requireNonNull(reader));
        connection.context().fireChannelReadComplete();
        settle();
    }

    @Override
    public void failed(TriRpcStatus status) {
        refuse(status, null);
    }

    /**
     * A whole message. That of a unary call counts until the call has ended, and a large first one of a stream until the next,
     * or for a while: the service has it when it is read. Others count until they are read.
     */
    @SuppressWarnings("FutureReturnValueIgnored") // it ends with the connection
    private void passOn(ByteBuf message) {
        if (!passOnHeld(message)) {
            message.release();
            return;
        }
        forgetFirst();
        messages++;
        boolean isLast = isComplete && !hasData();
        isUnary = messages == 1 && headers.isUnary();
        if (isUnary) {
            passOn(message, isLast);
            return;
        }
        body.begun();
        if (messages == 1 && message.readableBytes() > MemoryBudget.STEP) {
            firstBytes = message.readableBytes();
            connection.context().executor().schedule(this::forgetFirst, MemoryBudget.KEPT_SECONDS, TimeUnit.SECONDS);
            passOn(message, isLast);
        } else {
            passOn(new Counted(BodyBuffer.kept(message), body), isLast);
        }
    }

    private void forgetFirst() {
        body.remove(firstBytes);
        firstBytes = 0;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // a failure closes the connection
    private void reset(Http2Error error) {
        connection.context().writeAndFlush(new DefaultHttp2ResetFrame(error).stream(stream));
    }

    @Override
    protected void refuseForMemory() {
        refuse("it waited for memory");
    }

    private void refuse(String why) {
        refuse(
                TriRpcStatus.fromCode(TriRpcStatus.Code.RESOURCE_EXHAUSTED)
                        .withDescription("highway: " + why + ", see max-buffered"),
                headers.island() + ";" + NotSentStatements.BUSY
                        + "; its request waited for memory, see highway.max-buffered");
    }

    /** Without a statement if the call may have begun. */
    private void refuse(TriRpcStatus status, @Nullable String statement) {
        connection
                .memory()
                .budget()
                .logLimit()
                .warn(log, "highway: a Triple request was refused before anything of it ran: " + status.description);
        answer(status, mayHaveBegun() ? null : statement);
    }

    /** Answers as a gRPC server does, without a message. The rest of the request is not read. */
    private void answer(TriRpcStatus status, @Nullable String statement) {
        if (isAnswered) {
            discardRest();
            reset(Http2Error.CANCEL);
        } else {
            answerRefusal(status, statement);
        }
        if (!hasPassed) {
            returnHead(Math.min(head, WITHOUT_DATA));
            headers.forget();
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // a failure closes the connection
    private void answerRefusal(TriRpcStatus status, @Nullable String statement) {
        discardRest();
        Http2Headers answer = headers.refusal(status);
        if (statement != null) {
            answer.set(NotSentStatements.REFUSED, TriRpcStatus.encodeMessage(statement));
        }
        connection.context().writeAndFlush(new DefaultHttp2HeadersFrame(answer, true).stream(stream));
    }

    /** Whether Dubbo may have begun the call: it begins some streams without a message, but sees no unreadable encoding. */
    private boolean mayHaveBegun() {
        return messages + rawBytes > 0 || (hasPassed && headers.unreadableEncoding() == null && !headers.isUnary());
    }

    private void returnHead(int left) {
        connection.memory().returnHead(head - left);
        head = left;
    }

    @Override
    public void close() {
        super.close();
        isClosed = true;
        returnHead(0);
        if (isRefused || messages + rawBytes == 0 || (isAnswered && !body.hasUnread())) {
            release();
        } else { // a client has gone, and Dubbo has its request
            discard();
            body.releaseLater();
        }
        if (headers.number() != null) {
            servers.requests().remove(headers.number());
            endIfClosed();
        }
    }

    private void release() {
        discard();
        body.release();
    }

    private void discard() {
        ReferenceCountUtil.release(data);
        data = null;
        later.release();
        if (reader != null) {
            reader.close();
        }
        inflater.close();
    }

    /** A message that counts until Dubbo has read it. */
    static final class Counted extends CompositeByteBuf {

        private final MemoryBudget.Body body;
        private final long bytes;

        Counted(ByteBuf message, MemoryBudget.Body body) {
            super(message.alloc(), message.isDirect(), 2, List.of(message));
            this.body = body;
            this.bytes = body.passOn(message.readableBytes());
        }

        @Override
        protected void deallocate() {
            super.deallocate();
            body.taken(bytes);
        }
    }
}
