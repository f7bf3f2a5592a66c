// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.benchmarks.legacy;

import io.highway.samples.benchmarks.measure.Alternation;
import io.highway.samples.benchmarks.measure.Callers;
import io.highway.samples.benchmarks.measure.Machine;
import io.highway.samples.benchmarks.measure.Report;
import io.highway.samples.benchmarks.measure.Side;
import io.highway.samples.gateways.NginxServer;
import io.highway.samples.support.Place;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Compares tunnels with the first version of the system, over the same number of processes. */
@Command(name = "legacy", mixinStandardHelpOptions = true, description = "tunnels against version 1 of this system")
public final class LegacyBenchmark implements Callable<Integer> {

    /** Version 1 has the most code that virtual machines must learn, and needs some 20 000 calls for most of it. */
    private static final long WARM = 60_000;

    /** What version 1 makes of 32 orders of 80 KB at a time takes more memory than samples have. */
    static final Place ROOMY = new Place(List.of(), List.of("-Xmx1g"));

    @Option(names = "--quick", description = "a minute or two instead of eight, with wider spreads")
    private boolean quick;

    @Parameters(index = "0", hidden = true)
    private @Nullable Path folder;

    /** For picocli. */
    public LegacyBenchmark() {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        Optional<NginxServer> nginx = NginxServer.installed();
        if (nginx.isEmpty()) {
            System.err.println("legacy: there is no nginx here; run: samples/gateways/install.sh nginx");
            return 2;
        }
        Path logs = Files.createDirectories(folder == null ? Path.of("target", "benchmarks") : folder);
        return run(nginx.get(), logs, quick ? Effort.QUICK : Effort.FULL, out) ? 0 : 1;
    }

    /** Returns whether every call was answered. */
    boolean run(NginxServer nginx, Path logs, Effort effort, PrintStream out) throws IOException, InterruptedException {
        Machine machine = Machine.here();
        Path own = logs.resolve("legacy");
        List<Size> sizes = Size.all();
        try (FarSide far = FarSide.start(nginx, own.resolve("far"))) {
            Payload payload = Payload.count(far.hub(), sizes, effort.counted(), own.resolve("counted"));
            try (HomeSide home = HomeSide.start(far.hub(), own.resolve("home"));
                    OrderPath direct = OrderPath.direct(far.provider())) {
                Map<Variant, OrderPath> paths = new EnumMap<>(home.paths());
                paths.put(Variant.DIRECT, direct);
                List<Group> groups =
                        sizes.stream().map(size -> Group.of(size, paths)).toList();
                measure(groups, effort);
                return report(new Results(groups, payload), nginx.version(), machine, effort.rounds(), out, logs);
            }
        }
    }

    private static void measure(List<Group> groups, Effort effort) throws InterruptedException {
        List<List<Side>> sides = groups.stream().flatMap(Group::sides).toList();
        try (Callers callers = new Callers(Case.MANY)) {
            for (Case one : groups.get(0).cases()) {
                one.many().warmUp(callers, effort.warmUp(), effort.warmUps(), WARM);
            }
            Alternation.within(
                            effort.time(),
                            effort.rounds(),
                            sides.stream().mapToInt(List::size).sum())
                    .take(sides, callers);
        }
    }

    private boolean report(Results results, String hub, Machine machine, int rounds, PrintStream out, Path logs)
            throws IOException {
        String command = "samples/benchmarks/run.sh legacy" + (quick ? " --quick" : "");
        out.println("`" + command + "`: " + machine.inWords() + ".");
        out.println("One caller for p50, p99 and mean, " + Case.MANY + " for calls/s and the p99 beside them; " + rounds
                + " alternating rounds, medians; ratios are those of the same round. Hub: " + hub + ".");
        out.println();
        results.print(out);
        Report report = new Report("legacy", command, machine)
                .field("hub", hub)
                .field("rounds", rounds)
                .field("callers", Case.MANY);
        results.add(report);
        report.write(logs.resolve(".."));
        return results.allAnswered(out);
    }
}
