// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.network.http2;

import io.highway.sdk.dubbo.internal.evidence.AttemptEvidence;
import io.highway.sdk.dubbo.internal.evidence.NotWrittenException;
import io.highway.sdk.dubbo.internal.evidence.UnknownExceptionReader;
import io.highway.sdk.dubbo.internal.network.compression.GrpcMessageCompression;
import io.highway.sdk.dubbo.internal.network.compression.InflatedMessage;
import io.highway.sdk.dubbo.internal.network.compression.UnreadableAnswerException;
import io.highway.sdk.dubbo.internal.network.connection.PendingCall;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.Http2Headers;
import java.util.Map;
import java.util.concurrent.Executor;
import org.apache.dubbo.rpc.TriRpcStatus;
import org.jspecify.annotations.Nullable;

/**
 * A call over a stream of HTTP/2. What it reads and writes is for the event loop of its connection, if nothing else is said.
 */
abstract class GrpcCall extends PendingCall implements AnswerBody.Owner {

    /** The connection that carries it. The methods for any thread say so. */
    interface Carrier {

        /** The gateway's; on any thread. */
        String address();

        /** What the bodies of its answers share. */
        StreamContext streams();

        /** Writes a call as soon as possible; on any thread. */
        void send(GrpcCall call);

        /** Writes a message of a call, or only the end of its request. */
        void write(GrpcCall call, @Nullable GrpcMessage message, boolean isEnd);

        /** Writes what has entered since the call has begun; on any thread. */
        void writeMore(GrpcCall call);

        /** The call is not written; on any thread. */
        void abandon(GrpcCall call);

        /** The caller no longer waits; on any thread. */
        void leave(GrpcCall call);

        /** Ends the stream of a call, unless it has ended. */
        void reset(GrpcCall call);
    }

    private final Carrier connection;
    private volatile GrpcRequest request;
    private int id;
    private @Nullable AnswerBody body;
    private boolean hasEnded;

    /** Written before the answer is given to the thread that reads it. */
    private @Nullable Http2Headers head;

    private @Nullable Http2Headers trailers;

    /**
     * Describes a call that begins now.
     *
     * @param timeoutMillis the longest wait for a stream, if it has no other end
     */
    GrpcCall(
            Carrier connection,
            GrpcRequest request,
            Executor executor,
            @Nullable AttemptEvidence evidence,
            long timeoutMillis) {
        super(connection.address(), executor, evidence, timeoutMillis);
        this.connection = connection;
        this.request = request;
    }

    /** On any thread. */
    final Carrier connection() {
        return connection;
    }

    /** On any thread. */
    final GrpcRequest request() {
        return request;
    }

    /** Sends another request, if none is sent yet. */
    final void replace(GrpcRequest other) {
        request = other;
    }

    /** 0 if it has none yet. */
    @Override
    public final int id() {
        return id;
    }

    @Override
    protected final void send() {
        NotWrittenException refusal = request.refusal();
        if (refusal == null) {
            connection.send(this);
        } else {
            notWritten(refusal);
        }
    }

    @Override
    protected final void release() {
        connection.abandon(this);
    }

    @Override
    protected final void leave() {
        connection.leave(this);
    }

    /** Called right before its headers are written; false if it has ended: they must not be written then. */
    final boolean begin(int stream) {
        id = stream;
        return begin();
    }

    /** The longest wait for a stream, after which the rest of its time suffices for another gateway. */
    abstract long patienceMillis();

    /** Writes what there is of its body. */
    abstract void writeBody();

    /** Whether the service runs until it learns that the caller has left. */
    abstract boolean isEndedAtOnce();

    /** Whether the peer answers now. */
    final boolean isBeingAnswered() {
        return head != null && !hasEnded;
    }

    /** Headers or trailers of the answer. */
    final void received(Http2Headers received, boolean isEnd) {
        if (!isEnd && AnswerHeaderReader.isInformational(received)) {
            return;
        }
        AttemptEvidence evidence = evidence();
        if (head == null && evidence != null && !hasEnded) {
            NotSentStatementReader.read(received, isEnd, evidence);
        }
        if (isEnd) {
            trailers = received;
            end();
        } else {
            head = received;
            body = new AnswerBody(connection.streams(), this, AnswerHeaderReader.isGrpc(received));
            if (hasEnded || answer().isDone()) {
                discardRest();
            } else {
                begun();
            }
        }
    }

    /** Data of the answer; the buffer remains the caller's. Returns what of the window is not returned later. */
    final int received(ByteBuf data, int window, boolean isEnd) {
        AnswerBody begun = body;
        if (begun != null) {
            begun.read(data, window);
        }
        if (isEnd) {
            end();
        }
        return begun == null ? window : 0;
    }

    private void end() {
        TriRpcStatus status = AnswerHeaderReader.status(head, trailers);
        TriRpcStatus part = status.isOk() && body != null ? body.partOfAMessage() : null;
        ended(part == null ? status : part);
    }

    @Override
    public final void ended(TriRpcStatus status) {
        if (!hasEnded) {
            hasEnded = true;
            if (!answer().isDone()) {
                finish(status);
            }
        }
    }

    /** The peer, or this process, has not processed it, unless its answer has begun. */
    final void notProcessed(Throwable cause) {
        if (head != null) {
            connectionLost();
        } else if (!hasEnded) {
            hasEnded = true;
            unwritten(cause);
        }
    }

    /** What has come cannot be processed. */
    final void failed(Throwable cause) {
        discardRest();
        hasEnded = true;
        fail(unreadable(cause).asException());
    }

    /** As Dubbo's client says of an answer that it cannot read; the cause is here. */
    static TriRpcStatus unreadable(Throwable cause) {
        return TriRpcStatus.INTERNAL
                .withDescription("Deserialize response failed")
                .withCause(cause);
    }

    /** Its stream is closed. */
    final void closed() {
        if (body != null) {
            body.close();
        }
        ended(TriRpcStatus.CANCELLED.withDescription("the stream was closed"));
    }

    /** Its connection is lost. */
    final void connectionLost() {
        if (!hasEnded) {
            hasEnded = true;
            lost();
        }
    }

    /** Nobody reads the answer any more. */
    final void discardRest() {
        if (body != null) {
            body.discardRest();
        }
    }

    /** Memory has become free. */
    final void settle() {
        if (body != null) {
            body.settle();
        }
    }

    @Override
    public final void reset() {
        connection.reset(this);
    }

    /** The answer has begun. */
    abstract void begun();

    /** The answer has ended. */
    abstract void finish(TriRpcStatus status);

    /**
     * Reads a message, on a thread of the caller.
     *
     * @param millis how long it may wait to be inflated
     */
    final Object parse(GrpcMessage message, long millis) throws Exception {
        if (!message.isCompressed()) {
            return parse(message.bytes());
        }
        Http2Headers first = head;
        CharSequence encoding = first == null ? null : first.get(GrpcMessageCompression.ENCODING);
        String known = encoding == null ? null : encoding.toString();
        try (InflatedMessage inflated = request.compression().inflate(known, message.bytes(), millis)) {
            return parse(inflated.bytes());
        }
    }

    private Object parse(byte[] plain) throws Exception {
        ByteBuf value = request.method().needWrapper()
                ? UnreadableAnswerException.check(() -> TripleWrapper.requireDecodable(plain))
                : Unpooled.EMPTY_BUFFER;
        return UnknownExceptionReader.parse(request.method(), plain, isException() ? value : null);
    }

    /** What its answer counts; null if it has not begun. */
    final @Nullable AnswerBody body() {
        return body;
    }

    /** Whether the message of the answer is an exception of the service. */
    final boolean isException() {
        return AnswerHeaderReader.isException(head);
    }

    /** The attachments of an answer that has ended. */
    final Map<String, Object> attachments() {
        return AnswerHeaderReader.attachments(trailers);
    }
}
