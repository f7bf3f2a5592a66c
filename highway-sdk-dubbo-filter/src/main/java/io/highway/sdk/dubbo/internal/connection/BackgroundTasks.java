// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.connection;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.dubbo.common.logger.Logger;
import org.apache.dubbo.common.logger.LoggerFactory;
import org.apache.dubbo.common.threadpool.manager.FrameworkExecutorRepository;
import org.apache.dubbo.common.utils.NamedThreadFactory;
import org.apache.dubbo.rpc.model.ApplicationModel;

/**
 * The threads of a connection pool: a clock for periodic tasks, workers for short ones, and threads that connect. An
 * address that drops packets takes one of these all the time, so they are many, and nothing else runs on them.
 * Thread-safe.
 */
final class BackgroundTasks {

    private static final Logger log = LoggerFactory.getLogger(BackgroundTasks.class);

    private static final int TICK_MILLIS = 200;

    private static final int WORKERS = 4;

    private static final int CONNECTORS = 128;

    private final List<Runnable> onTick = new CopyOnWriteArrayList<>();
    private final ScheduledThreadPoolExecutor clock =
            new ScheduledThreadPoolExecutor(1, new NamedThreadFactory("highway-gateway-clock", true));
    private final Future<?> tick;
    private final ThreadPoolExecutor workers = threads("highway-gateway-work", WORKERS);

    /** As many as there are attempts; beyond the limit, workers do it. */
    private final ThreadPoolExecutor connectors = new ThreadPoolExecutor(
            0,
            CONNECTORS,
            1,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            new NamedThreadFactory("highway-gateway-connect", true),
            (attempt, busy) -> workers.execute(attempt));

    private final Executor callers;
    private volatile boolean stopped;

    BackgroundTasks(ApplicationModel application) {
        this.callers = application
                .getFrameworkModel()
                .getBeanFactory()
                .getBean(FrameworkExecutorRepository.class)
                .getSharedExecutor();
        clock.setRemoveOnCancelPolicy(true);
        this.tick = clock.scheduleWithFixedDelay(
                () -> onTick.forEach(BackgroundTasks::runSafely), TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** A fixed number of daemon threads, which end while there is no work. */
    static ThreadPoolExecutor threads(String name, int count) {
        ThreadPoolExecutor threads = new ThreadPoolExecutor(
                count, count, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), new NamedThreadFactory(name, true));
        threads.allowCoreThreadTimeOut(true);
        return threads;
    }

    /** Runs a non-blocking task every 200 ms until {@link #stop}. */
    void everyTick(Runnable task) {
        onTick.add(task);
    }

    /** Runs a short task on a worker, unless the tasks have been stopped. */
    void run(Runnable task) {
        if (!stopped) {
            workers.execute(() -> runSafely(task));
        }
    }

    /** Runs an attempt to connect, unless the tasks have been stopped. */
    void connect(Runnable attempt) {
        if (!stopped) {
            connectors.execute(() -> runSafely(attempt));
        }
    }

    /** Runs code of the application, such as filters, on neither a worker nor the clock. */
    void runForCaller(Runnable rest) {
        try {
            callers.execute(rest);
        } catch (RejectedExecutionException e) { // the process stops
            rest.run();
        }
    }

    /** Starts no more tasks. */
    void stop() {
        stopped = true;
        tick.cancel(false);
    }

    boolean isStopped() {
        return stopped;
    }

    /** Interrupts the running tasks. */
    void close() {
        clock.shutdownNow();
        workers.shutdownNow();
        connectors.shutdownNow();
    }

    /** A scheduler cancels a task that throws, and its exception would not be logged. */
    static void runSafely(Runnable task) {
        try {
            task.run();
        } catch (Throwable e) {
            log.warn("highway: work in the background failed: " + e, e);
        }
    }
}
