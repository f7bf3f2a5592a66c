// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.tunnel;

import io.highway.sdk.dubbo.internal.outcome.CallObservation;
import java.util.function.Function;
import org.apache.dubbo.common.stream.StreamObserver;
import org.apache.dubbo.rpc.protocol.tri.CancelableStreamObserver;
import org.jspecify.annotations.Nullable;

/** Replaces the failure of a stream by the exception that {@code explain} creates, as for any other call. */
final class ExplainingObserver<V> implements StreamObserver<V> {

    private final StreamObserver<V> observer;
    private final Function<Throwable, ? extends Throwable> explain;

    private final CallObservation observation;

    private ExplainingObserver(
            StreamObserver<V> observer, Function<Throwable, ? extends Throwable> explain, CallObservation observation) {
        this.observer = observer;
        this.explain = explain;
        this.observation = observation;
    }

    /**
     * The arguments with a wrapped observer that reports the end of the stream to {@code observation}. A cancelable observer
     * is not wrapped, since Triple must see it itself; its stream counts as ended once it has started.
     */
    static @Nullable Object[] in(
            @Nullable Object[] arguments,
            Function<Throwable, ? extends Throwable> explain,
            CallObservation observation) {
        @Nullable Object[] explained = arguments.clone();
        for (int i = 0; i < explained.length; i++) {
            if (explained[i] instanceof StreamObserver<?> observer
                    && !(observer instanceof CancelableStreamObserver<?>)) {
                explained[i] = new ExplainingObserver<>(observer, explain, observation);
                observation.streams();
            }
        }
        return explained;
    }

    @Override
    public void onNext(V value) {
        observer.onNext(value);
    }

    @Override
    public void onError(Throwable failure) {
        Throwable explained = explain.apply(failure);
        observation.end(explained);
        observer.onError(explained);
    }

    @Override
    public void onCompleted() {
        observation.end(null);
        observer.onCompleted();
    }
}
