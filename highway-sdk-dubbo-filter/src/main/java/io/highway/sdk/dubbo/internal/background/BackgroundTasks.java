// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.background;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.dubbo.common.logger.Logger;
import org.apache.dubbo.common.logger.LoggerFactory;
import org.apache.dubbo.common.resource.Disposable;
import org.apache.dubbo.common.threadpool.manager.FrameworkExecutorRepository;
import org.apache.dubbo.common.utils.NamedThreadFactory;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.jspecify.annotations.Nullable;

/**
 * The periodic tasks of one application: a thread that schedules, and others for tasks that may block, as many as run
 * at a time. Thread-safe.
 */
public final class BackgroundTasks implements Disposable {

    private static final Logger log = LoggerFactory.getLogger(BackgroundTasks.class);

    private static final long IDLE_SECONDS = 5;

    private final ScheduledThreadPoolExecutor scheduler =
            new ScheduledThreadPoolExecutor(1, new NamedThreadFactory("highway-scheduler", true));
    private final ThreadPoolExecutor threads = new ThreadPoolExecutor(
            0,
            Integer.MAX_VALUE,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            new NamedThreadFactory("highway-background", true));

    /** Called by Dubbo's bean factory; use {@link #of}. */
    public BackgroundTasks() {
        scheduler.setRemoveOnCancelPolicy(true);
        scheduler.setRejectedExecutionHandler(new ThreadPoolExecutor.DiscardPolicy()); // the application has stopped
    }

    /** The tasks of an application. */
    public static BackgroundTasks of(ApplicationModel application) {
        return application.getBeanFactory().getOrRegisterBean(BackgroundTasks.class);
    }

    /** Dubbo's own threads for tasks of any kind, which end with the process. */
    public static ExecutorService threadsOfDubbo(FrameworkModel framework) {
        return framework
                .getBeanFactory()
                .getBean(FrameworkExecutorRepository.class)
                .getSharedExecutor();
    }

    /** Runs a task with this delay before each run, until it is ended. */
    public RepeatedTask every(long millis, Runnable task) {
        RepeatedTask repeated = repeat(() -> {
            runSafely(task);
            return millis;
        });
        repeated.runIn(millis);
        return repeated;
    }

    /**
     * A task that may block; {@link RepeatedTask#runSoon} starts it.
     *
     * @param task returns the delay before the next run, milliseconds, or {@link RepeatedTask#ON_REQUEST}
     */
    public RepeatedTask repeat(LongSupplier task) {
        return new RepeatedTask(task);
    }

    /** Starts no more runs; the owners of those in progress end them. */
    @Override
    public void destroy() {
        scheduler.shutdownNow();
        threads.shutdown();
    }

    /** A scheduler cancels a task that throws, and its exception would not be logged. */
    public static void runSafely(Runnable task) {
        try {
            task.run();
        } catch (Throwable e) {
            log.warn("highway: work in the background failed: " + e, e);
        }
    }

    /** A task that may block. It runs when it is requested, and after a delay, never twice at a time. Thread-safe. */
    public final class RepeatedTask {

        /** The delay of a task that runs again on request only. */
        public static final long ON_REQUEST = -1;

        /** The delay after a run that failed, or did not start for lack of a thread. */
        private static final long FAILED_MILLIS = 1_000;

        private final LongSupplier task;

        // guarded by this
        private @Nullable Future<?> running;
        private @Nullable Future<?> scheduled;
        private @Nullable Thread thread;
        private boolean isRequested;
        private boolean isClosed;

        private RepeatedTask(LongSupplier task) {
            this.task = task;
        }

        /** Runs the task now, or once more after the run in progress. Never blocks. */
        public synchronized void runSoon() {
            if (!isClosed) {
                isRequested = true;
                startIfRequested();
            }
        }

        private void startIfRequested() {
            if (!isRequested || running != null) {
                return;
            }
            if (scheduled != null) {
                scheduled.cancel(false);
                scheduled = null;
            }
            isRequested = false;
            try {
                running = threads.submit(this::run);
            } catch (RejectedExecutionException | OutOfMemoryError e) { // the application has stopped, or no thread
                runIn(FAILED_MILLIS);
            }
        }

        /** Runs the task after a delay, unless it is requested before. */
        public synchronized void runIn(long millis) {
            scheduled = scheduler.schedule(this::runSoon, millis, TimeUnit.MILLISECONDS);
        }

        private void run() {
            synchronized (this) {
                thread = Thread.currentThread();
            }
            long[] delay = {FAILED_MILLIS};
            try {
                runSafely(() -> delay[0] = task.getAsLong());
            } finally { // without memory, even the log line may fail
                ended(delay[0]);
            }
        }

        private synchronized void ended(long delay) {
            thread = null;
            running = null;
            startIfRequested();
            if (running == null && scheduled == null && delay != ON_REQUEST && !isClosed) {
                runIn(delay);
            }
            notifyAll();
        }

        /** Starts no more runs; the one in progress goes on. */
        public synchronized void end() {
            isClosed = true;
            isRequested = false;
            if (scheduled != null) {
                scheduled.cancel(false);
            }
        }

        /** Interrupts the run in progress, and starts no other. */
        public synchronized void close() {
            end();
            if (running != null) {
                running.cancel(true);
            }
        }

        /** Runs the task a last time, and waits until it has ended, or for so long. */
        public synchronized void finish(long millis) {
            runSoon();
            isClosed = true;
            long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
            try {
                for (long left = millis; running != null && thread != Thread.currentThread() && left > 0; ) {
                    wait(left);
                    left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
