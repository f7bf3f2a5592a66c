// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.audit;

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
 * If the buffer is full, no line is reserved and {@link #lost} counts it. Neither reserving nor handing over a line
 * takes a lock or waits for the logging system. Thread-safe.
 */
public final class AuditLog {

    /** The logger's name. */
    public static final String LOGGER = "highway.audit";

    /** Lines that are reserved or wait to be written; calls in flight have one or two. */
    static final int CAPACITY = 16_384;

    private static final Logger log = LoggerFactory.getLogger(AuditLog.class);
    private static final long CLOSING_SECONDS = 5;
    private static final long IDLE_SECONDS = 60;
    private static final long WARNING_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final String application;
    private final int capacity;
    private final Semaphore places;
    private final LongAdder lost = new LongAdder();
    private final ThreadPoolExecutor writer;

    // used by the writer only
    private long reportedLost;
    private long reportedAt = System.nanoTime() - WARNING_NANOS;

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
                (late, w) -> {
                    writerThread(late).start();
                });
        writer.allowCoreThreadTimeOut(true);
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
     * Reserves lines; without a place for all of them, counts them as lost.
     *
     * @return null if the buffer is full
     */
    @Nullable
    Reservation reserve(int lines) {
        if (places.tryAcquire(lines)) {
            return new Reservation();
        }
        lost.add(lines);
        return null;
    }

    /** Places in the buffer. Each line that was reserved must be written. */
    final class Reservation {

        /** Writes a line in the background. */
        void write(AuditLine line) {
            writer.execute(() -> AuditLog.this.write(line));
        }
    }

    private void write(AuditLine line) {
        try {
            logger().info(line.json());
        } catch (Throwable e) { // of the logging system
            lost.increment();
        } finally {
            places.release();
        }
        warnOfLost();
    }

    /** Dubbo's own wrapper adds a prefix and a suffix to each message. */
    private static Logger logger() {
        Logger logger = LoggerFactory.getLogger(LOGGER);
        return logger instanceof FailsafeLogger wrapper ? wrapper.getLogger() : logger;
    }

    /** By the writer, since a logging system that is slow must not block calls. */
    private void warnOfLost() {
        long now = System.nanoTime();
        long known = lost();
        if (known > reportedLost && now - reportedAt >= WARNING_NANOS) {
            reportedLost = known;
            reportedAt = now;
            log.warn("highway: " + known + " audit lines were lost since start-up, because the buffer of " + capacity
                    + " lines was full or the logger " + LOGGER + " failed; use a faster appender, or"
                    + " highway.audit.overflow=refuse");
        }
    }

    /** Writes all lines that were handed over, within a few seconds. Lines of calls that end later are written, too. */
    public void close() {
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
