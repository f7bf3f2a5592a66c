// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.signature;

import io.highway.sdk.dubbo.ReplayStore;
import io.highway.sdk.dubbo.internal.limits.LogLimit;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.dubbo.common.logger.Logger;
import org.apache.dubbo.common.logger.LoggerFactory;
import org.apache.dubbo.common.utils.NamedThreadFactory;
import org.jspecify.annotations.Nullable;

/**
 * Asks a {@link ReplayStore} on separate threads, so that a slow store delays a call by a second at most, and a store
 * that hangs keeps these threads only. Thread-safe.
 */
final class TimeLimitedReplayStore {

    private static final Logger log = LoggerFactory.getLogger(TimeLimitedReplayStore.class);

    private static final int THREADS = 64;

    /** More than the threads of a Dubbo provider, which has 200 unless it is configured: a burst is no reason to refuse. */
    private static final int WAITING = 1_000;

    private static final Duration KEEP = Duration.ofSeconds(ReplayCache.KEEP_SECONDS);

    private final ReplayStore store;
    private final long timeoutMillis;
    private final ThreadPoolExecutor threads;
    private final LogLimit logLimit = new LogLimit(60);

    TimeLimitedReplayStore(ReplayStore store, long timeoutMillis) {
        this.store = store;
        this.timeoutMillis = timeoutMillis;
        this.threads = new ThreadPoolExecutor(
                THREADS,
                THREADS,
                10,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(WAITING),
                new NamedThreadFactory("highway-replay-store", true));
        threads.allowCoreThreadTimeOut(true);
    }

    /** Whether no process has seen the signature; null if the store does not say. */
    @Nullable
    Boolean addIfAbsent(String id) {
        Future<Boolean> answer;
        try {
            answer = threads.submit(() -> store.addIfAbsent(id, KEEP));
        } catch (RejectedExecutionException e) {
            return failed("all " + THREADS + " threads and " + WAITING + " calls wait for it", null);
        }
        try {
            return answer.get(timeoutMillis, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            answer.cancel(true);
            return failed("it did not answer within " + timeoutMillis + " ms", null);
        } catch (ExecutionException e) {
            return failed("it failed with " + e.getCause(), e.getCause());
        } catch (InterruptedException e) {
            answer.cancel(true);
            Thread.currentThread().interrupt();
            return failed("the thread was interrupted", null);
        }
    }

    private @Nullable Boolean failed(String problem, @Nullable Throwable cause) {
        logLimit.warn(
                log,
                "highway: signed calls are refused as busy, since the replay store does not answer: " + problem,
                cause);
        return null;
    }

    void close() {
        threads.shutdownNow();
    }
}
