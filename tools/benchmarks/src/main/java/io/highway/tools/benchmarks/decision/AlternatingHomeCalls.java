// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.decision;

import java.util.Objects;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.Blackhole;

/**
 * Calls of a scenario and of its base in one process, alternating every few milliseconds: the compilation of Dubbo's
 * code, which differs between processes by more than the SDK costs, and other load of the machine affect both.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@SuppressWarnings("NullAway.Init") // JMH sets what the constructor does not
public class AlternatingHomeCalls {

    /** The number of calls per slice. */
    private static final int CALLS = 1000;

    /** Set by JMH; one that has a base. */
    @Param
    public Scenario scenario;

    private Subject base;
    private Subject other;

    /** Builds what is called. */
    @Setup
    public void setUp() {
        base = new Subject(Objects.requireNonNull(scenario.base()));
        other = new Subject(scenario);
    }

    /** The base, twice the scenario, the base. */
    @Benchmark
    public void alternately(Times times, Blackhole answers) {
        double first = nanos(base, answers);
        double second = nanos(other, answers);
        double third = nanos(other, answers);
        double fourth = nanos(base, answers);
        times.add((first + fourth) / 2, (second + third) / 2);
    }

    private static double nanos(Subject subject, Blackhole answers) {
        long begun = System.nanoTime();
        for (int call = 0; call < CALLS; call++) {
            answers.consume(subject.call());
        }
        return (double) (System.nanoTime() - begun) / CALLS;
    }

    /** Ends the applications. */
    @TearDown
    public void tearDown() {
        base.close();
        other.close();
    }
}
