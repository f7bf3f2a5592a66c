// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.network.connection;

import io.highway.sdk.dubbo.internal.background.BackgroundTasks;
import io.highway.sdk.dubbo.internal.background.BackgroundTasks.RepeatedTask;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.dubbo.common.utils.NamedThreadFactory;
import org.apache.dubbo.rpc.model.ApplicationModel;

/**
 * The tasks of a connection pool: periodic ones on the application's scheduler, short ones on workers, and attempts to
 * connect. An address that drops packets takes a thread all the time, so these are many, and nothing else runs on them.
 * Thread-safe.
 */
final class ConnectionExecutors {

    private static final int TICK_MILLIS = 200;

    private static final int WORKERS = 4;

    private static final int CONNECTORS = 128;

    private final List<Runnable> onTick = new CopyOnWriteArrayList<>();
    private final RepeatedTask tick;
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

    ConnectionExecutors(ApplicationModel application) {
        this.callers = BackgroundTasks.threadsOfDubbo(application.getFrameworkModel());
        this.tick =
                BackgroundTasks.of(application).every(TICK_MILLIS, () -> onTick.forEach(BackgroundTasks::runSafely));
    }

    /** A fixed number of daemon threads, which end while there is no work. */
    static ThreadPoolExecutor threads(String name, int count) {
        ThreadPoolExecutor threads = new ThreadPoolExecutor(
                count, count, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), new NamedThreadFactory(name, true));
        threads.allowCoreThreadTimeOut(true);
        return threads;
    }

    /** Runs a short task every 200 ms until {@link #stop}. */
    void everyTick(Runnable task) {
        onTick.add(task);
    }

    /** Runs a short task on a worker, unless the tasks have been stopped. */
    void run(Runnable task) {
        if (!stopped) {
            workers.execute(() -> BackgroundTasks.runSafely(task));
        }
    }

    /** Runs an attempt to connect, unless the tasks have been stopped. */
    void connect(Runnable attempt) {
        if (!stopped) {
            connectors.execute(() -> BackgroundTasks.runSafely(attempt));
        }
    }

    /** Runs code of the application, such as filters, on neither a worker nor the scheduler. */
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
        tick.end();
    }

    boolean isStopped() {
        return stopped;
    }

    /** Interrupts the running tasks. */
    void close() {
        workers.shutdownNow();
        connectors.shutdownNow();
    }
}
