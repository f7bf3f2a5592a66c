// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.benchmarks.scale;

import io.highway.samples.benchmarks.measure.Machine;
import io.highway.samples.benchmarks.measure.Report;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Compares an application with many services and islands with the same application without the SDK, and with smaller
 * ones. Each is a separate process, new for every number; they alternate, so that other load of the machine affects
 * all.
 */
@Command(name = "scale", mixinStandardHelpOptions = true, description = "500 services and 30 islands in one process")
public final class ScaleBenchmark implements Callable<Integer> {

    private static final Scale FULL = new Scale(500, 50, 30, 3);

    private static final int STARTS = 30;
    private static final int STARTS_QUICK = 2;
    private static final int RUNS = 3;
    private static final int RUNS_QUICK = 1;

    @Option(names = "--quick", description = "three minutes instead of twenty, with wider spreads")
    private boolean quick;

    @Parameters(index = "0", hidden = true)
    private @Nullable Path folder;

    /** For picocli. */
    public ScaleBenchmark() {}

    @Override
    public Integer call() throws IOException {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        Path logs = Files.createDirectories(folder == null ? Path.of("target", "benchmarks") : folder);
        return run(logs, FULL, quick ? STARTS_QUICK : STARTS, quick ? RUNS_QUICK : RUNS, out) ? 0 : 1;
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
        out.println("`" + command() + "`: " + machine.inWords() + ".");
        out.println(scale.services() + " services, " + scale.islands() + " islands; a new process for every number, "
                + runs + " of each, " + starts + " where start-ups are compared, alternating; medians.");
        out.println();
        ScaleReport report = new ScaleReport(results);
        report.print(out);
        Report fields =
                new Report("scale", command(), machine).field("runs", runs).field("starts", starts);
        report.fill(fields);
        fields.write(logs.resolve(".."));
        return results.failed() == 0;
    }

    private static void alternate(Stage stage, List<Setting> settings, int rounds, Results results) throws IOException {
        for (int round = 0; round < rounds; round++) {
            List<Setting> order = new ArrayList<>(settings);
            Collections.rotate(order, round);
            for (Setting setting : order) {
                results.add(stage.measure(setting));
            }
        }
    }

    private String command() {
        return "samples/benchmarks/run.sh scale" + (quick ? " --quick" : "");
    }
}
