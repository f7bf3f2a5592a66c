// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.apache.dubbo.rpc.RpcContext;
import org.jspecify.annotations.Nullable;

/**
 * The calls that the body of {@link IslandCalls} makes, without those that their filters make. Internal: public for other
 * packages of this module only, not part of the API, and free to change. For one thread.
 */
public final class InternalCallRecorder {

    private static final ThreadLocal<@Nullable InternalCallRecorder> RUNNING = new ThreadLocal<>();

    private @Nullable InternalCallRecorder outer;
    private @Nullable Exception failure;
    private int calls;
    private int depth;
    private @Nullable Supplier<@Nullable CallOutcome> outcome;
    private @Nullable CompletableFuture<?> future;

    InternalCallRecorder() {}

    /**
     * An island-bound call begins on this thread.
     *
     * @return what records it, if a body makes it; otherwise null
     */
    public static @Nullable InternalCallRecorder begin() {
        InternalCallRecorder recorder = RUNNING.get();
        if (recorder != null && recorder.depth++ == 0) {
            recorder.calls++;
        }
        return recorder;
    }

    void start() {
        outer = RUNNING.get();
        RUNNING.set(this);
    }

    void stop() {
        if (outer == null) {
            RUNNING.remove();
        } else {
            RUNNING.set(outer);
        }
    }

    /**
     * It is routed.
     *
     * @param later its outcome once it has ended
     */
    public void routed(Supplier<@Nullable CallOutcome> later) {
        if (depth == 1) {
            outcome = later;
        }
    }

    /** It returns; its future is in Dubbo's context. */
    public void end() {
        if (--depth == 0) {
            cancel(); // of the call before
            future = RpcContext.getServiceContext().getCompletableFuture();
        }
    }

    private void cancel() {
        if (future != null) {
            future.cancel(true);
        }
    }

    /** The body has thrown. */
    void failed(Exception thrown) {
        failure = thrown;
    }

    /** Null if the call has not ended, or stays home. */
    @Nullable
    CallOutcome outcome() {
        return outcome == null ? null : outcome.get();
    }

    /**
     * The future of the only call.
     *
     * @throws IllegalStateException if there was none, or several
     */
    @SuppressWarnings("unchecked") // its type is that of the method which the body calls
    <T> CompletableFuture<T> single(String island) {
        if (calls == 1) {
            return failure != null
                    ? CompletableFuture.failedFuture(failure)
                    : (CompletableFuture<T>) Objects.requireNonNull(future, "a call has no future");
        }
        cancel();
        throw new IllegalStateException(
                "for " + island + " the body made " + calls + " calls of references with the SDK, and it must make one",
                failure);
    }
}
