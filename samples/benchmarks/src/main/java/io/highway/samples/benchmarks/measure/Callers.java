// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.benchmarks.measure;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.HdrHistogram.Histogram;

/**
 * Threads that call and call again, each as soon as it has its answer. So a slow answer delays the calls behind it instead of
 * being called over: times say what these callers saw, not what a fixed rate of calls would have.
 */
public final class Callers implements AutoCloseable {

    private static final int DIGITS = 3;

    private final ExecutorService threads;

    /** As many threads as there are callers at most. */
    public Callers(int atMost) {
        this.threads = Executors.newFixedThreadPool(atMost, task -> {
            Thread thread = new Thread(task, "caller");
            thread.setDaemon(true);
            return thread;
        });
    }

    /**
     * Lets so many of them call for so long, each at least once; a call under way at the end is waited for and counts.
     */
    public Measurement call(int callers, Duration time, Callable<?> call) throws InterruptedException {
        long processor = processor();
        long begun = System.nanoTime();
        long end = begun + time.toNanos();
        List<Future<Measurement>> parts = new ArrayList<>();
        for (int caller = 0; caller < callers; caller++) {
            parts.add(threads.submit(() -> callUntil(end, call)));
        }
        Measurement whole = Measurement.none(newHistogram());
        for (Future<Measurement> part : parts) {
            try {
                whole = whole.and(part.get());
            } catch (ExecutionException e) {
                throw new IllegalStateException(e);
            }
        }
        return whole.lasting(System.nanoTime() - begun, processor() - processor);
    }

    private static long processor() {
        return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
    }

    private static Measurement callUntil(long end, Callable<?> call) {
        Histogram nanos = newHistogram();
        long failed = 0;
        String firstFailure = "";
        long begun = System.nanoTime();
        do {
            boolean answered = true;
            try {
                call.call();
            } catch (Exception e) { // whatever it is, it is counted and the first one shown
                answered = false;
                failed++;
                firstFailure = firstFailure.isEmpty() ? String.valueOf(e) : firstFailure;
            }
            long ended = System.nanoTime();
            if (answered) {
                nanos.recordValue(ended - begun);
            }
            begun = ended;
        } while (begun - end < 0);
        return new Measurement(nanos, failed, firstFailure, 0, 0);
    }

    private static Histogram newHistogram() {
        return new Histogram(DIGITS);
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
