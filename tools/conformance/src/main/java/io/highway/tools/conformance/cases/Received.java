// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.conformance.cases;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.apache.dubbo.common.stream.StreamObserver;

/** Receives the messages of a stream. */
class Received<T> implements StreamObserver<T> {

    private final List<T> values = new CopyOnWriteArrayList<>();
    private final CompletableFuture<Void> end = new CompletableFuture<>();
    private final Consumer<T> each;

    Received() {
        this(value -> {});
    }

    /** Also passes each value to a consumer, on Dubbo's thread. */
    Received(Consumer<T> each) {
        this.each = each;
    }

    @Override
    public void onNext(T value) {
        values.add(value);
        each.accept(value);
    }

    @Override
    public void onError(Throwable failure) {
        end.completeExceptionally(failure);
    }

    @Override
    public void onCompleted() {
        end.complete(null);
    }

    /** The values so far. */
    List<T> values() {
        return values;
    }

    /** Waits for a successful end. */
    void awaitEnd(int seconds) throws InterruptedException {
        try {
            end.get(seconds, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new Unmet("the end of the stream", Expect.shown(e.getCause()) + " after " + values.size(), e);
        } catch (TimeoutException e) {
            throw new Unmet("the end of the stream", "none in " + seconds + " s, " + values.size() + " messages", e);
        }
    }

    /** Waits for a failed end and returns it. */
    Throwable awaitError(int seconds) throws InterruptedException {
        try {
            end.get(seconds, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            return e.getCause() == null ? e : e.getCause();
        } catch (TimeoutException e) {
            throw new Unmet("an error at the end", "none in " + seconds + " s, " + values.size() + " messages", e);
        }
        throw new Unmet("an error at the end", "a good end after " + values.size() + " messages");
    }
}
