// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.decision;

import io.highway.tools.benchmarks.measure.Benchmark;
import io.highway.tools.benchmarks.measure.Machine;
import io.highway.tools.benchmarks.measure.Report;
import io.highway.tools.benchmarks.measure.Table;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Stream;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.TimeValue;
import picocli.CommandLine.Command;

/**
 * Compares calls that stay home with and without the SDK, from the cluster that Dubbo builds for a reference to a stub
 * in place of its provider. A scenario alternates with its base, each round in a new process.
 */
@Command(name = "decision", mixinStandardHelpOptions = true, description = "what the SDK costs a call that stays home")
public final class DecisionBenchmark extends Benchmark {

    private static final int CALLS = 20_000;

    private static final Plan FULL =
            new Plan(5, TimeValue.milliseconds(4000), TimeValue.milliseconds(1000), 3, CALLS, 1);
    private static final Plan QUICK =
            new Plan(1, TimeValue.milliseconds(2000), TimeValue.milliseconds(500), 1, CALLS, 1);

    private static final Set<Scenario> SOURCES = EnumSet.range(Scenario.ATTACHMENT, Scenario.CONFIGURATION);

    private static final String[] COLUMNS = {"", "ns", "least to most", "more", "least to most", "bytes", "more"};

    /**
     * How much is measured.
     *
     * @param rounds how often times are taken
     * @param warmUp how long a process calls before
     * @param measured how long it calls then
     * @param counts how often bytes are counted
     * @param calls of how many calls, after as many that do not count
     * @param forks as {@link Forks} takes them
     */
    record Plan(int rounds, TimeValue warmUp, TimeValue measured, int counts, int calls, int forks) {}

    @Override
    protected boolean run(Path logs, PrintStream out) throws IOException, RunnerException {
        return run(logs, plan(FULL, QUICK), out);
    }

    /**
     * Measures, prints and writes.
     *
     * @throws RunnerException if a call was not answered at home
     */
    boolean run(Path logs, Plan plan, PrintStream out) throws IOException, RunnerException {
        Machine machine = Machine.here();
        Figures figures = new Figures(new Forks(plan.forks));
        for (int count = 0; count < plan.counts; count++) {
            figures.count(plan.calls);
        }
        for (int round = 0; round < plan.rounds; round++) {
            figures.time(plan.warmUp, plan.measured);
        }
        return report(figures, plan, machine).publish(out, logs.resolve(".."));
    }

    private Report report(Figures figures, Plan plan, Machine machine) {
        Report report = report(
                        machine,
                        "One caller; " + plan.rounds
                                + " rounds, each scenario alternates with its base, the row above it, in a process of their"
                                + " own; medians. More: difference to the base in the same process. Bytes: allocated by the"
                                + " calling thread.")
                .field("rounds", plan.rounds)
                .field("absent_ns", figures.baseNanos(Scenario.HOME))
                .field("absent_bytes", figures.bytes(Scenario.ABSENT));
        addOverAbsent(Scenario.HOME, figures, report);
        SOURCES.forEach(source -> addOverAbsent(source, figures, report));
        report.field("tag_router_ns", figures.extraNanos(Scenario.TAG_ROUTER))
                .field("zone_aware_ns", figures.extraNanos(Scenario.ZONE_AWARE))
                .field("door_absent_ns", figures.baseNanos(Scenario.DOOR_HOME))
                .field("door_absent_bytes", figures.bytes(Scenario.DOOR_ABSENT))
                .field("door_home_ns", figures.nanos(Scenario.DOOR_HOME))
                .field("door_home_bytes", figures.bytes(Scenario.DOOR_HOME))
                .field("door_other_method_bytes", figures.bytes(Scenario.DOOR_OTHER_METHOD));
        for (Scenario base : Scenario.values()) {
            if (base.base() == null) {
                Table table = report.table("A call at home, " + base.title(), COLUMNS);
                Stream.of(Scenario.values())
                        .filter(scenario -> scenario == base || scenario.base() == base)
                        .forEach(scenario -> figures.add(table, scenario));
            }
        }
        return report;
    }

    /** The time as it is, and how much more time and bytes than without the SDK. */
    private static void addOverAbsent(Scenario scenario, Figures figures, Report report) {
        report.field(scenario.key() + "_ns", figures.nanos(scenario))
                .field(scenario.key() + "_extra_ns", figures.extraNanos(scenario))
                .field(scenario.key() + "_bytes", figures.extraBytes(scenario, Scenario.ABSENT));
    }
}
