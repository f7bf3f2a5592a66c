// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.decision;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** One call that stays home, for what it allocates. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@SuppressWarnings("NullAway.Init") // JMH sets what the constructor does not
public class HomeCall {

    /** Set by JMH. */
    @Param
    public Scenario scenario;

    private Subject subject;

    /** Builds what is called. */
    @Setup
    public void setUp() {
        subject = new Subject(scenario);
    }

    /** Makes a call while it is counted what that allocates. */
    @Benchmark
    public Object call(Allocated counted) {
        return subject.call();
    }

    /** Ends the application. */
    @TearDown
    public void tearDown() {
        subject.close();
    }
}
