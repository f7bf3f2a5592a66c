// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.decision;

import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Measures with JMH, each time in a new process: what the compiler has learnt from one scenario does not apply to
 * another. The process gets the class path and the flags of this one, and the compiler that is named here.
 *
 * @param forks 1, or 0 to measure in this process, which is quick and whose numbers mean nothing
 */
record Forks(int forks) {

    /**
     * The times of calls to a scenario and its base, in nanoseconds, by the full compiler.
     *
     * @param warmUp calls that do not count
     * @param measured calls that do
     */
    Nanos nanos(Scenario scenario, TimeValue warmUp, TimeValue measured) throws RunnerException {
        RunResult result = run(options(AlternatingHomeCalls.class, scenario, "-XX:TieredStopAtLevel=4")
                .warmupIterations(1)
                .warmupTime(warmUp)
                .measurementIterations(1)
                .measurementTime(measured));
        return new Nanos(score(result, "base"), score(result, "other"), score(result, "difference"));
    }

    /**
     * What calls take.
     *
     * @param base of a call to the base
     * @param other of a call to the scenario
     * @param difference how much longer that is, round by round
     */
    record Nanos(double base, double other, double difference) {}

    @SuppressWarnings("rawtypes") // JMH's signature
    private static double score(RunResult result, String counter) {
        Map<String, Result> secondary = result.getSecondaryResults();
        return Objects.requireNonNull(secondary.get(counter)).getScore();
    }

    /**
     * What a call allocates according to its code: by the quick compiler, which removes no allocation, since what the
     * full one takes away of Dubbo's differs from process to process.
     *
     * @param calls how many are counted
     */
    @SuppressWarnings("rawtypes") // JMH's signature
    Bytes bytes(Scenario scenario, int calls) throws RunnerException {
        RunResult result = run(options(HomeCall.class, scenario, "-XX:TieredStopAtLevel=1")
                .warmupIterations(1)
                .warmupBatchSize(calls)
                .measurementIterations(1)
                .measurementBatchSize(calls)
                .addProfiler(GCProfiler.class));
        Map<String, Result> secondary = result.getSecondaryResults();
        Result<?> profiler = secondary.get("gc.alloc.rate.norm"); // it is missing if nothing was allocated
        return new Bytes(score(result, "bytes") / calls, profiler == null ? 0 : profiler.getScore() / calls);
    }

    /**
     * What a call allocates.
     *
     * @param thread bytes of the calling thread
     * @param profiler the result of JMH's profiler, which counts all threads
     */
    record Bytes(double thread, double profiler) {}

    private ChainedOptionsBuilder options(Class<?> benchmark, Scenario scenario, String compiler) {
        return new OptionsBuilder()
                .include(Pattern.quote(benchmark.getName() + "."))
                .param("scenario", scenario.name())
                .forks(forks)
                .jvmArgsAppend(compiler, "-Xms512m", "-Xmx512m")
                .shouldFailOnError(true)
                .verbosity(VerboseMode.SILENT);
    }

    private static RunResult run(ChainedOptionsBuilder options) throws RunnerException {
        return new Runner(options.build()).run().iterator().next();
    }
}
