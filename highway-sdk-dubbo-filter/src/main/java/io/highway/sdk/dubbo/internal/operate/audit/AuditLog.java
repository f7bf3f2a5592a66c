// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.operate.audit;

import io.highway.sdk.dubbo.internal.background.BackgroundTasks;
import io.highway.sdk.dubbo.internal.background.BackgroundTasks.RepeatedTask;
import io.highway.sdk.dubbo.internal.limits.LogLimit;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.apache.dubbo.common.logger.Logger;
import org.apache.dubbo.common.logger.LoggerFactory;
import org.apache.dubbo.common.logger.support.FailsafeLogger;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.jspecify.annotations.Nullable;

/**
 * The audit lines of one application, written by one daemon thread to the logger {@code highway.audit}.
 *
 * <p>A call reserves its lines before it runs: a reserved line has a place in the buffer, so that it is never dropped.
 * If the buffer is full, or one caller holds its share of it, no line is reserved and {@link #lost} counts it. Neither
 * reserving nor handing over a line waits for the logging system; only a line that must be written before its call runs
 * is written by the calling thread. Thread-safe.
 */
public final class AuditLog {

    /** A call whose end is not written yet. */
    interface Unfinished {

        /** Ends the call if it should have been answered before, as {@code System.nanoTime}; called every second. */
        void endIfOverdue(long nanos);

        /** No code awaits its answer any more, which may never come. */
        void endAsUnknown();
    }

    /** The logger's name. */
    public static final String LOGGER = "highway.audit";

    /** Lines that are reserved or wait to be written; calls in flight have one or two. */
    static final int CAPACITY = 16_384;

    /** The part of the buffer that the lines of one caller may take. */
    private static final int SHARES = 4;

    private static final int SWEEP_MILLIS = 1_000;

    private static final Logger log = LoggerFactory.getLogger(AuditLog.class);
    private static final long CLOSING_SECONDS = 5;
    private static final long IDLE_SECONDS = 60;

    private final String application;
    private final int capacity;
    private final Semaphore places;

    /** The places that each caller holds. */
    private final Map<String, Integer> held = new ConcurrentHashMap<>();

    /** The calls that end by their timeout, or with the application, if nothing else ends them. */
    private final Set<Unfinished> open = ConcurrentHashMap.newKeySet();

    private final RepeatedTask sweep;
    private final LongAdder lost = new LongAdder();
    private final ThreadPoolExecutor writer;

    // used by the writer only
    private long reportedLost;
    private final LogLimit logLimit = new LogLimit(60);

    /** Called by Dubbo's bean factory; use {@link #of}. */
    public AuditLog(ApplicationModel application) {
        this(application, CAPACITY);
    }

    AuditLog(ApplicationModel application, int capacity) {
        String name = application.tryGetApplicationName();
        this.application = name == null ? "unknown" : name;
        this.capacity = capacity;
        this.places = new Semaphore(capacity);
        this.writer = new ThreadPoolExecutor(
                1,
                1,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedTransferQueue<>(),
                AuditLog::writerThread,
                (late, w) -> writerThread(late).start());
        writer.allowCoreThreadTimeOut(true);
        this.sweep = BackgroundTasks.of(application).every(SWEEP_MILLIS, this::sweep);
    }

    private void sweep() {
        long now = System.nanoTime();
        open.forEach(call -> call.endIfOverdue(now));
    }

    /** The audit log of an application. */
    public static AuditLog of(ApplicationModel application) {
        return application.getBeanFactory().getOrRegisterBean(AuditLog.class);
    }

    private static Thread writerThread(Runnable work) {
        Thread thread = new Thread(work, "highway-audit");
        thread.setDaemon(true);
        return thread;
    }

    /** The name of the application. */
    String application() {
        return application;
    }

    /** Lines that were not written because the buffer was full or the logger failed. */
    public long lost() {
        return lost.sum();
    }

    /** Whether the logging system writes the lines. */
    public boolean isLogged() {
        return logger().isInfoEnabled();
    }

    /**
     * Reserves lines.
     *
     * @param caller the caller whose share they belong to, or null if they belong to none
     * @param losable whether they count as lost if there is no place for all of them
     * @return null if the buffer is full, or the caller's share is
     */
    @Nullable
    Reservation reserve(int lines, @Nullable String caller, boolean losable) {
        if (acquire(lines, caller)) {
            return new Reservation(caller);
        }
        if (losable) {
            lost.add(lines);
        }
        return null;
    }

    private boolean acquire(int lines, @Nullable String caller) {
        if (!places.tryAcquire(lines)) {
            return false;
        }
        if (caller == null || held.merge(caller, lines, Integer::sum) <= capacity / SHARES) {
            return true;
        }
        release(lines, caller);
        return false;
    }

    private void release(int lines, @Nullable String caller) {
        places.release(lines);
        if (caller != null) {
            held.computeIfPresent(caller, (any, count) -> count == lines ? null : Integer.valueOf(count - lines));
        }
    }

    /** Ends a call when it is overdue, unless it is {@link #closed} before. */
    void opened(Unfinished call) {
        open.add(call);
    }

    /** A call has ended. */
    void closed(Unfinished call) {
        open.remove(call);
    }

    /** Places in the buffer. Each line that was reserved must be written. */
    final class Reservation {

        private final @Nullable String caller;

        /** How many places it has for the line that ends its call: 1 or 0. */
        private int last = 1;

        private Reservation(@Nullable String caller) {
            this.caller = caller;
        }

        /** Gives the place of the last line back until it is written: a stream may be idle for days. May be called again. */
        synchronized void idle() {
            if (last > 0) {
                last = 0;
                release(1, caller);
            }
        }

        /** Writes the last line in the background, also if there is no place for it any more; called once. */
        void write(AuditEntry line) {
            int held = takeLast();
            try {
                writer.execute(() -> {
                    AuditLog.this.write(line);
                    free(held);
                    warnOfLost();
                });
            } catch (Error e) { // no thread
                lost.increment();
                free(held);
            }
        }

        /** The place that the last line has now. */
        private synchronized int takeLast() {
            int place = last == 1 || acquire(1, caller) ? 1 : 0;
            last = 0;
            return place;
        }

        private void free(int held) {
            if (held > 0) {
                release(held, caller);
            }
        }

        /** Writes the first line on this thread: the call runs once the logger has it. */
        void writeNow(AuditEntry line) {
            AuditLog.this.write(line);
            free(1);
        }
    }

    private void write(AuditEntry line) {
        try {
            Logger logger = logger();
            if (logger.isInfoEnabled()) {
                logger.info(line.json());
            } else { // since start-up, which requires it
                lost.increment();
            }
        } catch (Throwable e) { // of the logging system
            lost.increment();
        }
    }

    /** Dubbo's own wrapper adds a prefix and a suffix to each message. */
    private static Logger logger() {
        Logger logger = LoggerFactory.getLogger(LOGGER);
        return logger instanceof FailsafeLogger wrapper ? wrapper.getLogger() : logger;
    }

    /** By the writer, since a logging system that is slow must not block calls. */
    private void warnOfLost() {
        long known = lost();
        if (known > reportedLost && logLimit.isDue()) {
            reportedLost = known;
            logLimit.warn(
                    log,
                    "highway: " + known + " audit lines were lost since start-up, because the buffer of " + capacity
                            + " lines or a caller's share of it was full, or the logger " + LOGGER
                            + " failed or was switched off; use a faster appender, or"
                            + " highway.audit.overflow=refuse");
        }
    }

    /** Writes all lines that were handed over, within a few seconds. Lines of calls that end later are written, too. */
    public void close() {
        sweep.end();
        open.forEach(Unfinished::endAsUnknown);
        writer.shutdown();
        boolean written = false;
        try {
            written = writer.awaitTermination(CLOSING_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (!written) {
            int waiting = writer.getQueue().size();
            writerThread(() -> log.warn("highway: " + waiting + " audit lines are not written yet, "
                            + CLOSING_SECONDS + " s after the application stopped: the logger " + LOGGER
                            + " is slow or blocked"))
                    .start();
        }
    }
}
