// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.outcome;

import java.util.function.Function;
import org.apache.dubbo.common.stream.StreamObserver;
import org.apache.dubbo.rpc.protocol.tri.CancelableStreamObserver;
import org.jspecify.annotations.Nullable;

/** Lets the failure of a stream show as the exception that {@code explain} makes of it, like that of any other call. */
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
     * The arguments with their observer explained, and the end of the stream told to {@code watch}. Triple must see a
     * cancelable observer itself, so that one stays, and its stream counts as ended when it has begun.
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
