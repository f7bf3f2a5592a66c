// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.kit;

import io.highway.tools.kit.check.Check;
import io.highway.tools.kit.scenario.Scenarios;
import io.highway.tools.processes.Processes;
import io.highway.tools.processes.RunCommand;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Checks highway-sdk-test. */
@Command(name = "run.sh", mixinStandardHelpOptions = true)
public final class Kit extends RunCommand {

    @Option(names = "--quick", description = "fewer classes and one run with real sockets")
    private boolean quick;

    @Option(names = "--only", description = "only checks whose name contains this")
    private String only = "";

    @Option(names = "--sources", hidden = true)
    private Path sources = Path.of("");

    /** Exits with 0 only if every check passed. */
    public static void main(String[] arguments) {
        exit(new Kit(), arguments);
    }

    @Override
    protected boolean run(Path logs, PrintStream out) throws Exception {
        try (Processes processes = new Processes(logs)) {
            TestRuns runs = new TestRuns(processes, logs);
            List<Check> checks = Stream.of(
                            new Speed(runs).checks(),
                            new RealSockets(runs, quick).checks(),
                            new Scenarios(processes, logs).checks(),
                            new Defects(runs, sources, logs).checks())
                    .flatMap(List::stream)
                    .filter(check -> check.name().contains(only))
                    .toList();
            long passed = checks.stream().filter(check -> check.passes(out)).count();
            out.println("kit: " + checks.size() + " checks, " + passed + " passed");
            return passed == checks.size() && !checks.isEmpty();
        }
    }
}
