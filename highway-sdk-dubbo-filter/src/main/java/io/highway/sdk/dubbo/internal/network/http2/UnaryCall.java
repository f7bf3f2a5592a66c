// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.network.http2;

import io.highway.sdk.dubbo.internal.evidence.AttemptEvidence;
import java.util.Objects;
import java.util.concurrent.Executor;
import org.apache.dubbo.remoting.Constants;
import org.apache.dubbo.rpc.AppResponse;
import org.apache.dubbo.rpc.TriRpcStatus;
import org.jspecify.annotations.Nullable;

/** A call with one message in each direction. */
final class UnaryCall extends GrpcCall {

    private final GrpcMessage request;

    /** Written before the answer is given to the thread that reads it. */
    private @Nullable GrpcMessage message;

    UnaryCall(
            Carrier connection,
            GrpcRequest begin,
            GrpcMessage request,
            Executor executor,
            @Nullable AttemptEvidence evidence,
            long timeoutMillis) {
        super(connection, begin, executor, evidence, timeoutMillis);
        this.request = request;
    }

    @Override
    long patienceMillis() {
        return time().leftBeforeSending();
    }

    @Override
    boolean isEndedAtOnce() {
        return false;
    }

    @Override
    void writeBody() {
        connection().write(this, request, true);
    }

    @Override
    void begun() {
        // its message follows
    }

    /** The last one counts, as at Dubbo's client. */
    @Override
    public void message(byte[] bytes, boolean isCompressed) {
        GrpcMessage before = message;
        if (before != null) {
            Objects.requireNonNull(body()).memory().remove(before.bytes().length);
        }
        message = new GrpcMessage(bytes, isCompressed);
    }

    @Override
    void finish(TriRpcStatus status) {
        AnswerBody body = body();
        answered(() -> read(status), body == null ? null : body.takeMemory());
    }

    /** As {@code UnaryClientCallListener}: a failure is an exception of the answer. */
    private AppResponse read(TriRpcStatus status) {
        AppResponse answer = new AppResponse();
        GrpcMessage received = message;
        answer.setObjectAttachments(attachments());
        answer.setAttribute(Constants.CONTENT_LENGTH_KEY, received == null ? 0 : received.bytes().length);
        if (!status.isOk()) {
            answer.setException(status.asException());
        } else if (received != null) {
            read(received, answer);
        }
        return answer;
    }

    private void read(GrpcMessage received, AppResponse answer) {
        try {
            Object value = parse(received, time().left());
            if (isException()) {
                answer.setException((Throwable) value);
            } else {
                answer.setValue(value);
            }
        } catch (Exception | LinkageError | StackOverflowError | OutOfMemoryError e) {
            answer.setException(unreadable(e).asException());
        }
    }
}
