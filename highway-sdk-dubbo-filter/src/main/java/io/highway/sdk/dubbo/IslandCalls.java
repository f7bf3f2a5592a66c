// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo;

import io.highway.sdk.Highway;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.dubbo.rpc.Constants;
import org.apache.dubbo.rpc.RpcContext;
import org.apache.dubbo.rpc.RpcContextAttachment;

/**
 * One call to each of several islands at a time:
 *
 * <pre>{@code
 * Map<String, IslandAnswer<Integer>> stock =
 *         IslandCalls.each(List.of("shanghai", "beijing"), Duration.ofSeconds(2), () -> warehouse.count("tea"));
 * }</pre>
 *
 * The thread starts an asynchronous call per island, in that island's scope, and waits for all. Each has the attachments that
 * the thread has set. {@code max-concurrent} and {@code bulk.max-concurrent} limit how many are in flight. Thread-safe.
 */
public final class IslandCalls {

    private IslandCalls() {}

    /**
     * Makes the call for each island.
     *
     * @param <T> the type of the answers
     * @param islands ids of islands, also of this one; each counts once
     * @param within the longest wait for all together, more than zero; what has not ended then is cancelled
     * @param call makes exactly one call of a Dubbo reference; what it returns is ignored, as the call is asynchronous
     * @return by island, in the order of {@code islands}
     * @throws IllegalArgumentException if there is no island, an id is malformed, or {@code within} is not positive; nothing is
     *     sent
     * @throws IllegalStateException if the call makes none or several calls; no further island is asked, and what was begun is
     *     cancelled
     */
    public static <T> Map<String, IslandAnswer<T>> each(Collection<String> islands, Duration within, Callable<T> call) {
        return ask(islands, within, call);
    }

    /**
     * As {@link #each}, for a method that returns a future.
     *
     * @param <T> as there
     * @param islands as there
     * @param within as there
     * @param call as there
     * @return as there
     */
    public static <T> Map<String, IslandAnswer<T>> eachLater(
            Collection<String> islands, Duration within, Callable<? extends CompletionStage<T>> call) {
        return ask(islands, within, call);
    }

    private static <T> Map<String, IslandAnswer<T>> ask(Collection<String> islands, Duration within, Callable<?> call) {
        Set<String> each = new LinkedHashSet<>(islands);
        if (each.isEmpty()) {
            throw new IllegalArgumentException("islands: it is empty; name at least one island");
        }
        if (within.isZero() || within.isNegative()) {
            throw new IllegalArgumentException("within: " + within + " is not allowed; it must be more than zero");
        }
        each.forEach(Highway::to); // malformed ids
        long end = System.nanoTime() + within.toNanos();
        Map<String, Object> attachments =
                new HashMap<>(RpcContext.getClientAttachment().getObjectAttachments());
        Map<String, StartedCall<T>> started = new LinkedHashMap<>();
        try {
            for (String island : each) {
                RpcContext.getClientAttachment().setObjectAttachments(new HashMap<>(attachments));
                started.put(island, start(island, call));
            }
        } catch (RuntimeException | Error e) {
            started.values().forEach(StartedCall::cancel);
            throw e;
        }
        Map<String, IslandAnswer<T>> answers = new LinkedHashMap<>();
        started.forEach((island, one) -> answers.put(island, one.answer(end, within)));
        return answers;
    }

    private static <T> StartedCall<T> start(String island, Callable<?> call) {
        InternalCallRecorder recorder = new InternalCallRecorder();
        RpcContextAttachment attachments = RpcContext.getClientAttachment();
        attachments.setAttachment(Constants.ASYNC_KEY, "true");
        try {
            recorder.start();
            Object unused = Highway.to(island).callChecked(call::call);
        } catch (Exception e) {
            recorder.failed(e);
        } finally {
            recorder.stop();
            RpcContext.getClientAttachment().removeAttachment(Constants.ASYNC_KEY);
        }
        return new StartedCall<>(recorder.single(island), recorder);
    }

    /** One that was begun. */
    private record StartedCall<T>(CompletableFuture<T> future, InternalCallRecorder recorder) {

        void cancel() {
            future.cancel(true);
        }

        /** @param end the latest time by the clock of nanoseconds */
        IslandAnswer<T> answer(long end, Duration within) {
            try {
                return new IslandAnswer<>(
                        future.get(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS), null, true);
            } catch (ExecutionException e) {
                return failed(e.getCause() == null ? e : e.getCause());
            } catch (CancellationException e) {
                return failed(e);
            } catch (TimeoutException e) {
                cancel();
                return failed(new TimeoutException("no answer within " + within.toMillis() + " ms"));
            } catch (InterruptedException e) {
                cancel();
                Thread.currentThread().interrupt();
                return failed(e);
            }
        }

        private IslandAnswer<T> failed(Throwable failure) {
            CallOutcome outcome = recorder.outcome();
            boolean isNotRun = failure instanceof HighwayException known
                    ? !known.mayHaveRun()
                    : outcome != null && outcome.outcome() == Outcome.NOT_SENT;
            return new IslandAnswer<>(null, failure, !isNotRun);
        }
    }
}
