// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.benchmarks.decision;

import java.util.Collection;
import java.util.Objects;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Measures scenarios with JMH, each time in a new process: what the compiler has learnt from one says nothing of another.
 * The process gets the class path and the flags of this one, and whatever those say the full compiler.
 *
 * @param iterations how often the time is taken, and how often before that it does not count
 * @param iteration how long each of them takes
 */
record Forks(int iterations, TimeValue iteration) {

    private static final String BYTES = "gc.alloc.rate.norm";

    /**
     * What JMH says of one process.
     *
     * @param nanos time of a call
     * @param bytes what it allocates
     */
    record Sample(double nanos, double bytes) {}

    /** Measures once. */
    Sample measure(Scenario scenario, String... flags) throws RunnerException {
        Options options = new OptionsBuilder()
                .include(HomeCall.class.getName())
                .param("scenario", scenario.name())
                .forks(1)
                .jvmArgsAppend("-XX:TieredStopAtLevel=4", "-Xms512m", "-Xmx512m")
                .warmupIterations(iterations)
                .warmupTime(iteration)
                .measurementIterations(iterations)
                .measurementTime(iteration)
                .addProfiler(GCProfiler.class)
                .shouldFailOnError(true)
                .verbosity(VerboseMode.SILENT)
                .build();
        Collection<RunResult> results = new Runner(options).run();
        RunResult only = results.iterator().next();
        Result<?> bytes = Objects.requireNonNull(only.getSecondaryResults().get(BYTES), BYTES);
        return new Sample(only.getPrimaryResult().getScore(), bytes.getScore());
    }
}
