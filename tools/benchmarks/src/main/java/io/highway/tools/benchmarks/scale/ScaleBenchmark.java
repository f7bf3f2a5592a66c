// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.scale;

import io.highway.tools.benchmarks.measure.Alternation;
import io.highway.tools.benchmarks.measure.Benchmark;
import io.highway.tools.benchmarks.measure.Machine;
import io.highway.tools.benchmarks.measure.Report;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;

/**
 * Compares an application with many services and islands with the same application without the SDK, and with smaller
 * ones. Each is a separate process, new for every number; they alternate, so that other load of the machine affects
 * all.
 */
@Command(name = "scale", mixinStandardHelpOptions = true, description = "500 services and 30 islands in one process")
public final class ScaleBenchmark extends Benchmark {

    private static final Scale FULL = new Scale(500, 50, 30, 3);

    private static final int STARTS = 30;
    private static final int STARTS_QUICK = 2;
    private static final int RUNS = 3;
    private static final int RUNS_QUICK = 1;

    @Override
    protected boolean run(Path logs, PrintStream out) throws IOException {
        return run(logs, FULL, plan(STARTS, STARTS_QUICK), plan(RUNS, RUNS_QUICK), out);
    }

    /**
     * Returns whether every call was answered.
     *
     * @param starts how often start-ups are measured
     * @param runs how often all else is
     */
    boolean run(Path logs, Scale scale, int starts, int runs, PrintStream out) throws IOException {
        Machine machine = Machine.here();
        Results results = new Results(scale);
        try (Stage stage = Stage.start(logs, scale.services(), scale.islands())) {
            alternate(stage, scale.calling(), runs, results);
            alternate(stage, scale.starting(), starts, results);
        }
        Report report = report(
                        machine,
                        scale.services() + " services, " + scale.islands()
                                + " islands; a new process for every number, "
                                + runs + " of each, " + starts
                                + " where start-ups are compared, alternating; medians.")
                .field("runs", runs)
                .field("starts", starts);
        new ScaleReport(results, scale, report).add();
        return report.publish(out, logs.resolve(".."));
    }

    private static void alternate(Stage stage, List<Setting> settings, int rounds, Results results) throws IOException {
        for (int round = 0; round < rounds; round++) {
            for (Setting setting : Alternation.order(settings, round)) {
                results.add(stage.measure(setting));
            }
        }
    }
}
