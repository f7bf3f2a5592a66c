// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.caller.failover;

import io.highway.sdk.dubbo.HighwayException;
import java.util.function.Function;
import org.apache.dubbo.common.stream.StreamObserver;
import org.apache.dubbo.rpc.CancellationContext;
import org.apache.dubbo.rpc.protocol.tri.CancelableStreamObserver;
import org.apache.dubbo.rpc.protocol.tri.observer.ClientCallToObserverAdapter;
import org.jspecify.annotations.Nullable;

/**
 * The caller's observer of a stream. Failures reach it as the exception that {@code explain} creates, as those of any other
 * call, and the end of the stream reaches the call. It is cancelable, as that of the caller may be.
 */
final class FailureExplainingObserver<V> extends CancelableStreamObserver<V> {

    private final StreamObserver<V> observer;

    private final Function<Throwable, HighwayException> explain;

    private final OutboundCall call;

    private final boolean endsWithAnswer;

    private FailureExplainingObserver(
            StreamObserver<V> observer,
            Function<Throwable, HighwayException> explain,
            OutboundCall call,
            boolean endsWithAnswer) {
        this.observer = observer;
        this.explain = explain;
        this.call = call;
        this.endsWithAnswer = endsWithAnswer;
    }

    /** The arguments with a wrapped observer that reports the end of the stream to {@code call}. */
    static @Nullable Object[] in(
            @Nullable Object[] arguments,
            Function<Throwable, HighwayException> explain,
            OutboundCall call,
            boolean bidirectional) {
        @Nullable Object[] explained = arguments.clone();
        for (int i = 0; i < explained.length; i++) {
            if (explained[i] instanceof StreamObserver<?> observer) {
                explained[i] = new FailureExplainingObserver<>(
                        observer, explain, call, !bidirectional && isReactive(observer));
                call.streams();
            }
        }
        return explained;
    }

    /** Dubbo's adapter of Reactor or Mutiny: it cancels a call at its only answer, and a stream of answers unnoticed. */
    private static boolean isReactive(StreamObserver<?> observer) {
        String adapter = observer.getClass().getName();
        return adapter.startsWith("org.apache.dubbo.reactive.") || adapter.startsWith("org.apache.dubbo.mutiny.");
    }

    /** The caller cancels the stream by this context; Dubbo reports it nowhere else. */
    @Override
    public void setCancellationContext(CancellationContext context) {
        super.setCancellationContext(context);
        if (observer instanceof CancelableStreamObserver<V> cancelable) {
            cancelable.setCancellationContext(context);
        }
        context.addListener(cancelled -> call.abandon());
    }

    @Override
    public void beforeStart(ClientCallToObserverAdapter<V> requests) {
        if (observer instanceof CancelableStreamObserver<V> cancelable) {
            cancelable.beforeStart(new CancellableRequestObserver<>(requests, call));
        }
    }

    @Override
    public void startRequest() {
        if (observer instanceof CancelableStreamObserver<V> cancelable) {
            cancelable.startRequest();
        }
    }

    @Override
    public void onNext(V value) {
        if (endsWithAnswer) {
            call.end(null);
        }
        observer.onNext(value);
    }

    @Override
    public void onError(Throwable failure) {
        HighwayException explained = explain.apply(failure);
        call.streamFailed(explained);
        observer.onError(explained);
    }

    @Override
    public void onCompleted() {
        call.end(null);
        observer.onCompleted();
    }
}
