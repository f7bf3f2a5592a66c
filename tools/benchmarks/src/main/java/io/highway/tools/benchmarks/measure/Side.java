// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.measure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;

/**
 * One side of a comparison: calls by so many callers, and how each round of them went. Used by one thread at a time.
 */
public class Side {

    /** A virtual machine that has made fewer calls is still learning. */
    private static final long WARM = 2000;

    private static final int LONGEST_WARM_UP = 4;

    private final String name;
    private final int callers;
    private final Callable<?> call;
    private final List<Measurement> rounds = new ArrayList<>();

    /**
     * Has made no call yet.
     *
     * @param name as tables and files have it
     * @param callers threads that call side by side
     * @param call a call that is answered, or throws
     */
    public Side(String name, int callers, Callable<?> call) {
        this.name = name;
        this.callers = callers;
        this.call = call;
    }

    /** As tables and files have it. */
    public String name() {
        return name;
    }

    /** Calls that do not count; up to four times as long where they are slow. */
    public void warmUp(Callers threads, Duration time) throws InterruptedException {
        warmUp(threads, time, LONGEST_WARM_UP, WARM);
    }

    /**
     * Calls that do not count: at most this number of rounds of this duration, and no more once there have been enough
     * calls.
     */
    public void warmUp(Callers threads, Duration time, int slices, long enough) throws InterruptedException {
        long calls = 0;
        for (int slice = 0; slice < slices && calls < enough; slice++) {
            calls += threads.call(callers, time, call).calls();
        }
    }

    /** One more round; other measurements are made around this. */
    public Measurement round(Callers threads, Duration time) throws InterruptedException {
        Measurement round = threads.call(callers, time, call);
        rounds.add(round);
        return round;
    }

    /**
     * One more round of several sides at once: their callers make the calls of all alternately, a few times over, since
     * how threads fall into step with each other lasts for a while. A lot decides the side with which each caller
     * begins; the next time it is reversed.
     *
     * @param sides with as many callers each
     * @param times how often the callers begin anew; best a multiple of the number of sides
     * @param time how long they call each time
     */
    public static void roundAlternately(List<Side> sides, Callers threads, int times, Duration time)
            throws InterruptedException {
        List<Measurement> whole = List.of();
        long lots = ThreadLocalRandom.current().nextLong();
        for (int i = 0; i < times; i++) {
            List<Measurement> part = threads.callAlternately(
                    sides.get(0).callers,
                    time,
                    sides.stream().map(side -> side.call).toList(),
                    lots + i / sides.size(),
                    i % sides.size());
            whole = whole.isEmpty() ? part : and(whole, part);
        }
        for (int i = 0; i < sides.size(); i++) {
            sides.get(i).rounds.add(whole.get(i));
        }
    }

    private static List<Measurement> and(List<Measurement> whole, List<Measurement> part) {
        return IntStream.range(0, whole.size())
                .mapToObj(i -> whole.get(i).and(part.get(i)))
                .toList();
    }

    /** The results of the rounds. */
    public Spread spread(ToDoubleFunction<Measurement> value) {
        return Spread.of(rounds, value);
    }

    /** Its median. */
    public double median(ToDoubleFunction<Measurement> value) {
        return spread(value).median();
    }

    /**
     * Processor time per answered call in all rounds together, in microseconds: the system counts it in steps of 10 ms.
     */
    public double processorMicros() {
        return microsPerCall(Measurement::processor);
    }

    /** The same of the process that answered. */
    public double answeringMicros() {
        return microsPerCall(Measurement::answering);
    }

    /** Bytes that this process allocates per answered call. */
    public double allocatedBytes() {
        return perCall(Measurement::allocated);
    }

    private double microsPerCall(ToLongFunction<Measurement> time) {
        return perCall(time) / TimeUnit.MICROSECONDS.toNanos(1);
    }

    private double perCall(ToLongFunction<Measurement> amount) {
        long sum = rounds.stream().mapToLong(amount).sum();
        long calls = rounds.stream().mapToLong(Measurement::calls).sum();
        return (double) sum / calls;
    }

    /** How many times as much as on the other side, each round compared with the same round there. */
    public Spread ratioTo(Side other, ToDoubleFunction<Measurement> value) {
        return Spread.ratio(rounds, other.rounds, value);
    }

    /** Calls that were not answered in all rounds. */
    public long failed() {
        return rounds.stream().mapToLong(Measurement::failed).sum();
    }

    /** Why one of them was not; empty if all were. */
    public String firstFailure() {
        return rounds.stream()
                .map(Measurement::firstFailure)
                .filter(failure -> !failure.isEmpty())
                .findFirst()
                .orElse("");
    }
}
