// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.monitoring;

import io.highway.tools.monitoring.star.Islands;
import io.highway.tools.monitoring.star.Prometheus;
import io.highway.tools.monitoring.star.Rules;
import io.highway.tools.processes.RunCommand;
import io.highway.tools.processes.center.Center;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Starts a star and a Prometheus, lets parts of the star fail, and reports which alerts fire. */
@Command(name = "run.sh", mixinStandardHelpOptions = true)
public final class Monitoring extends RunCommand {

    private static final int QUICK_TIMES = 30;

    @Option(
            names = "--times",
            description =
                    "how many times shorter the windows of the alerts are, default ${DEFAULT-VALUE}; 1: as shipped")
    private int times = 20;

    @Option(names = "--quick", description = "the same as --times 30")
    private boolean quick;

    @Option(names = "--only", description = "only faults or drills whose name contains this, and no dashboards")
    private String only = "";

    @Option(names = "--keep", description = "at the end, leave all of it running until Ctrl-C")
    private boolean keep;

    @Option(names = "--drills", description = "six drills instead, with the times of fault, log line, alert and cure")
    private boolean drills;

    @Option(names = "--healthy", description = "no fault instead, for so many minutes, with twenty new rules")
    private int healthyMinutes;

    @Option(names = "--center", description = "the config centre that one application follows, default zookeeper")
    private Center.Kind center = Center.Kind.zookeeper;

    @Option(names = "--nacos-server", hidden = true)
    private Path nacosServer = Path.of("nacos");

    @Option(names = "--docs", hidden = true)
    private Path docs = Path.of("docs");

    @Option(names = "--faketime", hidden = true)
    private String faketime = "";

    @Option(names = "--prometheus", hidden = true)
    private String program = "prometheus";

    /** Exits with 0 only if each alert fired in its own fault only, and every expression has series. */
    public static void main(String[] arguments) {
        exit(new Monitoring(), arguments);
    }

    @Override
    protected boolean run(Path logs, PrintStream out) throws Exception {
        int shorter = quick ? QUICK_TIMES : times;
        Rules rules = Rules.faster(
                Files.readString(docs.resolve("operate/monitoring").resolve("highway-alerts.yml")), shorter);
        try (Islands islands = new Islands(logs, docs.resolve("guides/production"), center, nacosServer);
                Prometheus prometheus = new Prometheus(islands.processes(), program, logs, rules, islands.targets())) {
            out.println(
                    "Prometheus: " + prometheus.address() + ", windows of the alerts " + shorter + " times shorter");
            AlertRun run = new AlertRun(islands, prometheus, rules, out);
            boolean right;
            if (drills) {
                right = new Drills(islands, prometheus, rules, out, run, faketime)
                        .run(only, docs.resolve("operate/operations.md"), logs);
            } else if (healthyMinutes > 0) {
                right = run.staysQuiet(Duration.ofMinutes(healthyMinutes));
            } else {
                right = run.run(only);
                if (only.isEmpty()) {
                    right &= new Dashboards(prometheus, docs.resolve("operate/monitoring"), out)
                            .check(logs.resolve("dashboards.md"));
                }
            }
            if (keep) {
                out.println("running until Ctrl-C: " + prometheus.address());
                Thread.currentThread().join();
            }
            return right;
        }
    }
}
