// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.benchmarks.gateways;

import io.highway.samples.benchmarks.measure.Callers;
import io.highway.samples.benchmarks.measure.Measurement;
import io.highway.samples.benchmarks.measure.Spread;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/** Bodies of one size on one way, and how each round of calls with them went. */
final class Case {

    /** How many callers there are when throughput is asked for. */
    static final int MANY = 32;

    /** A virtual machine that has made fewer calls is still learning. */
    private static final long WARM = 2000;

    private static final int LONGEST_WARM_UP = 4;
    private static final double PERCENT = 100;

    private final Way way;
    private final byte[] body;
    private final List<Measurement> byMany = new ArrayList<>();
    private final List<Measurement> byOne = new ArrayList<>();

    Case(Way way, byte[] body) {
        this.way = way;
        this.body = body;
    }

    /** Calls that do not count; up to four times as long where they are slow. */
    void warmUp(Callers callers, Duration time) throws InterruptedException {
        long calls = 0;
        for (int turn = 0; turn < LONGEST_WARM_UP && calls < WARM; turn++) {
            calls += callers.call(MANY, time, this::call).calls();
        }
    }

    /** One more round: many callers, then one. */
    void round(Callers callers, Duration many, Duration one) throws InterruptedException {
        byMany.add(callers.call(MANY, many, this::call));
        byOne.add(callers.call(1, one, this::call));
    }

    private int call() {
        int length = way.uploads().upload(body);
        if (length != body.length) {
            throw new IllegalStateException(length + " of " + body.length + " bytes arrived");
        }
        return length;
    }

    Way way() {
        return way;
    }

    int bodyBytes() {
        return body.length;
    }

    Spread callsPerSecond() {
        return many(Measurement::callsPerSecond);
    }

    /** How much less than the other in percent, each round held against the same round there. */
    Spread lossAgainst(Case other) {
        return Spread.of(IntStream.range(0, byMany.size())
                .mapToObj(round -> PERCENT
                        * (1
                                - byMany.get(round).callsPerSecond()
                                        / other.byMany.get(round).callsPerSecond()))
                .toList());
    }

    /** With many callers. */
    Spread many(ToDoubleFunction<Measurement> value) {
        return spread(byMany, value);
    }

    /** With one caller. */
    Spread one(ToDoubleFunction<Measurement> value) {
        return spread(byOne, value);
    }

    private static Spread spread(List<Measurement> rounds, ToDoubleFunction<Measurement> value) {
        return Spread.of(
                rounds.stream().map(round -> value.applyAsDouble(round)).toList());
    }

    /** Calls that were not answered in all rounds. */
    long failed() {
        return all().stream().mapToLong(Measurement::failed).sum();
    }

    /** Why one of them was not; empty if all were. */
    String firstFailure() {
        return all().stream()
                .map(Measurement::firstFailure)
                .filter(failure -> !failure.isEmpty())
                .findFirst()
                .orElse("");
    }

    private List<Measurement> all() {
        List<Measurement> all = new ArrayList<>(byMany);
        all.addAll(byOne);
        return all;
    }
}
