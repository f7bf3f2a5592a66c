// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.outcome;

import java.util.function.Function;
import org.apache.dubbo.common.stream.StreamObserver;
import org.apache.dubbo.rpc.protocol.tri.CancelableStreamObserver;
import org.jspecify.annotations.Nullable;

/** Replaces the failure of a stream by the exception that {@code explain} creates, as for any other call. */
public final class ExplainingObserver<V> implements StreamObserver<V> {

    private final StreamObserver<V> observer;
    private final Function<Throwable, ? extends Throwable> explain;

    private final CallObservation watch;

    private ExplainingObserver(
            StreamObserver<V> observer, Function<Throwable, ? extends Throwable> explain, CallObservation watch) {
        this.observer = observer;
        this.explain = explain;
        this.watch = watch;
    }

    /**
     * The arguments with a wrapped observer that reports the end of the stream to {@code watch}. A cancelable observer
     * is not wrapped, since Triple must see it itself; its stream counts as ended once it has started.
     */
    public static @Nullable Object[] in(
            @Nullable Object[] arguments, Function<Throwable, ? extends Throwable> explain, CallObservation watch) {
        @Nullable Object[] explained = arguments.clone();
        for (int i = 0; i < explained.length; i++) {
            if (explained[i] instanceof StreamObserver<?> observer
                    && !(observer instanceof CancelableStreamObserver<?>)) {
                explained[i] = new ExplainingObserver<>(observer, explain, watch);
                watch.streams();
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
        watch.end(explained);
        observer.onError(explained);
    }

    @Override
    public void onCompleted() {
        watch.end(null);
        observer.onCompleted();
    }
}
