// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.test;

import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.dubbo.common.stream.StreamObserver;
import org.apache.dubbo.rpc.RpcException;
import org.apache.dubbo.rpc.TriRpcStatus;

/** One direction of a stream: the receiver gets copies of its messages, and one end, as Triple carries it. Thread-safe. */
final class CopiedStream implements StreamObserver<Object> {

    /** Discards what it receives. */
    static final StreamObserver<Object> DISCARDING = new StreamObserver<>() {
        @Override
        public void onNext(Object message) {}

        @Override
        public void onError(Throwable failure) {}

        @Override
        public void onCompleted() {}
    };

    private final StreamObserver<Object> receiver;
    private final Copies copies;
    private final boolean isRequest;
    private final AtomicBoolean hasEnded = new AtomicBoolean();

    /** @param isRequest whether it leads to the provider */
    CopiedStream(StreamObserver<Object> receiver, Copies copies, boolean isRequest) {
        this.receiver = receiver;
        this.copies = copies;
        this.isRequest = isRequest;
    }

    @Override
    public void onNext(Object message) {
        Object copy;
        try {
            copy = copies.message(message, isRequest);
        } catch (Exception | LinkageError e) {
            throw new RpcException(RpcException.SERIALIZATION_EXCEPTION, "The message cannot be copied: " + e, e);
        }
        if (!hasEnded.get()) {
            receiver.onNext(copy);
        }
    }

    @Override
    public void onError(Throwable failure) {
        if (hasEnded.compareAndSet(false, true)) {
            receiver.onError(asReceived(failure));
        }
    }

    @Override
    public void onCompleted() {
        if (hasEnded.compareAndSet(false, true)) {
            receiver.onCompleted();
        }
    }

    /** A status with a text; its class does not arrive. */
    static Throwable asReceived(Throwable failure) {
        return TriRpcStatus.getStatus(failure, failure.getMessage()).asException();
    }
}
