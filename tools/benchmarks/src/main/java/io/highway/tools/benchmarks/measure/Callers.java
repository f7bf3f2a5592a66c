// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.measure;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.PackedHistogram;

/**
 * Threads that call and call again, each as soon as it has its answer. So a slow answer delays the calls behind it
 * instead of being called over: the times are those of these callers, not of a fixed rate of calls.
 */
public final class Callers implements AutoCloseable {

    private static final int DIGITS = 3;
    private static final int LONGEST_FAILURE = 250;

    private final ExecutorService threads;
    private final LongSupplier answering;

    /** As many threads as there are callers at most. */
    public Callers(int atMost) {
        this(atMost, () -> 0);
    }

    /** With the processor time of the process that answers their calls, which the system counts in steps of 10 ms. */
    public Callers(int atMost, ProcessHandle answering) {
        this(atMost, () -> answering.info().totalCpuDuration().orElseThrow().toNanos());
    }

    private Callers(int atMost, LongSupplier answering) {
        this.answering = answering;
        this.threads = Executors.newFixedThreadPool(atMost, new DefaultThreadFactory("caller", true));
    }

    /**
     * Lets so many of them call for so long, each at least once; a call in flight at the end is waited for and counts.
     */
    public Measurement call(int callers, Duration time, Callable<?> call) throws InterruptedException {
        return callAlternately(callers, time, List.of(call), 0, 0).get(0);
    }

    /** The same, beside others that call meanwhile: returns at once. */
    public CompletableFuture<Measurement> begin(int callers, Duration time, Callable<?> call) {
        return begin(callers, time, List.of(call), 0, 0).thenApply(all -> all.get(0));
    }

    /**
     * The same with several calls, which each of them makes alternately, beginning with any: what else the machine
     * does, and that calls wait for each other, falls on all of them alike.
     *
     * @param lot decides with which call each of them begins each of its rounds
     * @param shift how many calls further on all of them begin: times with the same lot and every shift compensate for
     *     the order that the lot chose
     * @return one for each of the calls; how long all took, and the processor time, are those of all together
     */
    public List<Measurement> callAlternately(
            int callers, Duration time, List<? extends Callable<?>> calls, long lot, int shift)
            throws InterruptedException {
        try {
            return begin(callers, time, calls, lot, shift).get();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    private CompletableFuture<List<Measurement>> begin(
            int callers, Duration time, List<? extends Callable<?>> calls, long lot, int shift) {
        long processor = processor();
        long answered = answering.getAsLong();
        long allocated = allocated();
        long begun = System.nanoTime();
        long end = begun + time.toNanos();
        List<CompletableFuture<List<Tally>>> parts = new ArrayList<>();
        SplittableRandom lots = new SplittableRandom(lot);
        for (int caller = 0; caller < callers; caller++) {
            SplittableRandom own = lots.split();
            parts.add(CompletableFuture.supplyAsync(() -> callUntil(end, calls, own, shift), threads));
        }
        return CompletableFuture.allOf(parts.toArray(CompletableFuture[]::new)).thenApply(ended -> {
            long lasted = System.nanoTime() - begun;
            long used = processor() - processor;
            long usedToAnswer = answering.getAsLong() - answered;
            long allocatedMeanwhile = allocated() - allocated;
            return IntStream.range(0, calls.size())
                    .mapToObj(i -> {
                        Tally whole = new Tally(new PackedHistogram(DIGITS)); // it may be kept for long
                        parts.forEach(part -> whole.add(part.join().get(i)));
                        return whole.lasting(lasted, used, usedToAnswer, allocatedMeanwhile);
                    })
                    .toList();
        });
    }

    private static long processor() {
        return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
    }

    private static long allocated() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        return LongStream.of(threads.getThreadAllocatedBytes(threads.getAllThreadIds()))
                .filter(bytes -> bytes > 0) // -1 of a thread that has ended
                .sum();
    }

    private static List<Tally> callUntil(
            long end, List<? extends Callable<?>> calls, SplittableRandom lots, int shift) {
        List<Tally> tallies =
                calls.stream().map(call -> new Tally(new Histogram(DIGITS))).toList();
        do {
            int first = lots.nextInt(calls.size()) + shift;
            for (int i = 0; i < calls.size(); i++) {
                int next = (first + i) % calls.size();
                tallies.get(next).time(calls.get(next));
            }
        } while (System.nanoTime() - end < 0);
        return tallies;
    }

    /** What one thread, or all of them, know of one of the calls. */
    private static final class Tally {

        private final Histogram nanos;
        private long failed;
        private String firstFailure = "";

        Tally(Histogram empty) {
            this.nanos = empty;
        }

        void time(Callable<?> call) {
            long begun = System.nanoTime();
            try {
                call.call();
                nanos.recordValue(System.nanoTime() - begun);
            } catch (Exception e) { // whatever it is, it is counted and the first one shown
                failed++;
                firstFailure = firstFailure.isEmpty() ? inShort(e) : firstFailure;
            }
        }

        /** Dubbo's messages have whole URLs in them. */
        private static String inShort(Exception e) {
            String text = e.toString();
            return text.length() <= LONGEST_FAILURE ? text : text.substring(0, LONGEST_FAILURE) + " ...";
        }

        void add(Tally other) {
            nanos.add(other.nanos);
            failed += other.failed;
            firstFailure = firstFailure.isEmpty() ? other.firstFailure : firstFailure;
        }

        Measurement lasting(long time, long processor, long answering, long allocated) {
            return new Measurement(nanos, failed, firstFailure, time, processor, answering, allocated);
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
