// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.thinlink;

import io.highway.tools.benchmarks.calls.CallPath;
import io.highway.tools.benchmarks.measure.Callers;
import io.highway.tools.benchmarks.measure.Measurement;
import io.highway.tools.benchmarks.measure.Report;
import io.highway.tools.benchmarks.measure.Spread;
import io.highway.tools.benchmarks.orders.Family;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/** Small calls beside large ones on one path, and either of them alone. */
final class Mix {

    /** Callers of small calls. */
    static final int FEW = 4;

    private static final int PARTS = 6;

    private final CallPath path;
    private final Callable<?> small;
    private final Callable<?> large;
    private final List<Round> rounds = new ArrayList<>();

    /** Not measured yet. */
    Mix(CallPath path) {
        this.path = path;
        this.small = uploads(Group.SMALL);
        this.large = uploads(Group.LARGE);
    }

    private Callable<?> uploads(int bytes) {
        Supplier<byte[]> bodies = Group.bodies(Family.RANDOM, bytes);
        return () -> path.upload(bodies.get());
    }

    /**
     * Of one round.
     *
     * @param idle small calls alone
     * @param alone large calls alone
     * @param bulk large calls, with small ones beside them
     * @param interactive small calls, with large ones beside them
     * @param before the same, until the link was full
     */
    record Round(Measurement idle, Measurement alone, Measurement bulk, Measurement interactive, Measurement before) {

        /** Of large bodies without others. */
        double goodputAlone() {
            return alone.callsPerSecond() * Group.LARGE / Link.BYTES_PER_MEGABIT;
        }

        /** Of all bodies while both are sent. */
        double goodput() {
            long others = before.calls() + interactive.calls();
            double perLarge = Group.LARGE + (double) others * Group.SMALL / Math.max(1, bulk.calls());
            return bulk.callsPerSecond() * perLarge / Link.BYTES_PER_MEGABIT;
        }

        /** How long one large body occupies the link. */
        double bodyMillis() {
            return 1000 / alone.callsPerSecond();
        }

        /** What small calls wait at most (p99) because of large ones. */
        double waitMillis() {
            return interactive.p99Millis() - idle.p99Millis();
        }
    }

    /** Calls that do not count: a limit learns. */
    void warmUp(Callers callers, Duration time) throws InterruptedException {
        callers.call(Group.MANY, time, large);
    }

    /** One more round. */
    void round(Callers callers, Duration time) throws InterruptedException {
        Duration part = time.dividedBy(PARTS);
        Measurement idle = callers.call(FEW, part.multipliedBy(2), small);
        Measurement alone = callers.call(Group.MANY, time, large);
        CompletableFuture<Measurement> bulk = callers.begin(Group.MANY, time, large);
        Measurement before = callers.call(FEW, part, small);
        Measurement interactive = callers.call(FEW, part.multipliedBy(PARTS - 2), small);
        rounds.add(new Round(idle, alone, bulk.join(), interactive, before));
    }

    CallPath path() {
        return path;
    }

    Spread spread(ToDoubleFunction<Round> value) {
        return Spread.of(rounds, value);
    }

    /** Goodput of everything here relative to large calls alone there, in the same round. */
    Spread goodputTo(Mix other) {
        List<Double> ratios = new ArrayList<>();
        for (int i = 0; i < rounds.size(); i++) {
            ratios.add(rounds.get(i).goodput() / other.rounds.get(i).goodputAlone());
        }
        return Spread.of(ratios);
    }

    /** Adds the calls that were not answered, and returns how many. */
    long failed(Report report) {
        long failed = 0;
        for (Round round : rounds) {
            for (Measurement calls : List.of(round.idle, round.alone, round.bulk, round.interactive, round.before)) {
                report.failed(calls.failed(), path.name(), calls.firstFailure());
                failed += calls.failed();
            }
        }
        return failed;
    }
}
