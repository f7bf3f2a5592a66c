// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.apache.dubbo.common.stream.StreamObserver;

/** Collects a stream. */
final class Collected<T> implements StreamObserver<T> {

    final List<T> values = new CopyOnWriteArrayList<>();
    final CompletableFuture<List<T>> done = new CompletableFuture<>();

    @Override
    public void onNext(T value) {
        values.add(value);
    }

    @Override
    public void onError(Throwable error) {
        done.completeExceptionally(error);
    }

    @Override
    public void onCompleted() {
        done.complete(values);
    }

    List<T> all() throws Exception {
        return done.get(10, TimeUnit.SECONDS);
    }
}
