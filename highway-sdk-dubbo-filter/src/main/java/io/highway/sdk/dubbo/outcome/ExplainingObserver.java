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

    private ExplainingObserver(StreamObserver<V> observer, Function<Throwable, ? extends Throwable> explain) {
        this.observer = observer;
        this.explain = explain;
    }

    /** The arguments with their observer explained. Triple must see a cancelable observer itself, so that one stays. */
    public static @Nullable Object[] in(
            @Nullable Object[] arguments, Function<Throwable, ? extends Throwable> explain) {
        @Nullable Object[] explained = arguments.clone();
        for (int i = 0; i < explained.length; i++) {
            if (explained[i] instanceof StreamObserver<?> observer
                    && !(observer instanceof CancelableStreamObserver<?>)) {
                explained[i] = new ExplainingObserver<>(observer, explain);
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
        observer.onError(explain.apply(failure));
    }

    @Override
    public void onCompleted() {
        observer.onCompleted();
    }
}
