// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.benchmarks.gateways;

import io.highway.samples.benchmarks.calls.Protocol;
import io.highway.samples.benchmarks.measure.Alternation;
import io.highway.samples.benchmarks.measure.Callers;
import io.highway.samples.benchmarks.measure.Machine;
import io.highway.samples.benchmarks.measure.Report;
import io.highway.samples.benchmarks.measure.Side;
import io.highway.samples.benchmarks.measure.Table;
import io.highway.samples.gateways.GatewayKind;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Compares calls through each gateway with the same calls made directly. The paths alternate in short rounds after a
 * common warm-up, each round in another order, so that what else the machine does falls on all of them.
 */
@Command(name = "gateways", mixinStandardHelpOptions = true, description = "what a gateway costs")
public final class GatewaysBenchmark implements Callable<Integer> {

    private static final List<Bodies> BODIES = List.of(Bodies.of(2 << 10), Bodies.of(80 << 10), Bodies.mixed());

    private static final int ROUNDS = 7;
    private static final int ROUNDS_QUICK = 3;
    private static final Duration TIME = Duration.ofMinutes(6);
    private static final Duration TIME_QUICK = Duration.ofSeconds(36);

    private static final String[] COLUMNS = {
        "", "calls/s", "least to most", "loss", "least to most", "mean ms", "p99 ms", "alone: mean ms", "p99 ms"
    };

    @Option(names = "--quick", description = "a minute instead of seven, with wider spreads")
    private boolean quick;

    @Option(names = "--hops", description = "1: home's gateway in front of the provider; 3: a star. Default: 1")
    private int hops = 1;

    @Option(
            names = "--only",
            split = ",",
            description = "of envoy,nginx,haproxy,scg,reference; default: all that are installed")
    private Set<GatewayKind> only = EnumSet.allOf(GatewayKind.class);

    @Parameters(index = "0", hidden = true)
    private @Nullable Path folder;

    /** For picocli. */
    public GatewaysBenchmark() {}

    /** With these gateways, independent of the command line. */
    GatewaysBenchmark(Set<GatewayKind> only) {
        this.only = only;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        if (hops != 1 && hops != 3) {
            System.err.println("gateways: --hops is 1 or 3");
            return 2;
        }
        Path logs = Files.createDirectories(folder == null ? Path.of("target", "benchmarks") : folder);
        return run(logs, quick ? ROUNDS_QUICK : ROUNDS, quick ? TIME_QUICK : TIME, out) ? 0 : 1;
    }

    /** Returns whether every call was answered. */
    boolean run(Path logs, int rounds, Duration time, PrintStream out) throws IOException, InterruptedException {
        Machine machine = Machine.here();
        try (LineUp lineUp = LineUp.start(logs, hops, only);
                Callers callers = new Callers(Case.MANY)) {
            List<List<Case>> groups = groups(lineUp);
            List<List<Side>> sides = groups.stream()
                    .flatMap(group -> Stream.of(
                            group.stream().map(Case::many).toList(),
                            group.stream().map(Case::one).toList()))
                    .toList();
            Alternation.within(time, rounds, sides.stream().mapToInt(List::size).sum())
                    .take(sides, callers);
            return report(groups, lineUp, machine, rounds, out, logs);
        }
    }

    /** Groups of cases that are compared, the direct one first. */
    private static List<List<Case>> groups(LineUp lineUp) {
        List<List<Case>> groups = new ArrayList<>();
        for (Protocol protocol : Protocol.values()) {
            for (Bodies bodies : BODIES) {
                groups.add(lineUp.paths(protocol).stream()
                        .map(path -> Case.of(path, bodies))
                        .toList());
            }
        }
        return groups;
    }

    private boolean report(
            List<List<Case>> groups, LineUp lineUp, Machine machine, int rounds, PrintStream out, Path logs)
            throws IOException {
        Report report = new Report("gateways", command(), machine)
                .field("hops", hops)
                .field("rounds", rounds)
                .field("callers", Case.MANY);
        out.println("`" + command() + "`: " + machine.inWords() + ".");
        out.println(Case.MANY + " callers, then one alone; " + rounds
                + " alternating rounds, medians; gateways on the path: " + hops
                + ". Loss is against the direct calls of the same round.");
        out.println();
        long failed = 0;
        for (List<Case> group : groups) {
            Case direct = group.get(0);
            Table table = new Table(out, direct.title(), COLUMNS);
            group.forEach(one -> one.print(table, direct));
            table.end();
            for (Case one : group) {
                one.add(report, direct);
                failed += one.failed();
                if (one.failed() > 0) {
                    out.printf(
                            "%d calls failed: %s, %s%n%n",
                            one.failed(), one.path().name(), one.firstFailure());
                }
            }
        }
        lineUp.leftOut().forEach(why -> out.println("Left out: " + why));
        report.write(logs.resolve(".."));
        return failed == 0;
    }

    private String command() {
        StringBuilder command = new StringBuilder("samples/benchmarks/run.sh gateways");
        if (quick) {
            command.append(" --quick");
        }
        if (hops != 1) {
            command.append(" --hops ").append(hops);
        }
        if (only.size() < GatewayKind.values().length) {
            command.append(" --only ")
                    .append(String.join(
                            ",", only.stream().map(GatewayKind::word).toList()));
        }
        return command.toString();
    }
}
