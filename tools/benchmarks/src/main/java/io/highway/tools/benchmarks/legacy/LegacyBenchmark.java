// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.legacy;

import io.highway.tools.benchmarks.measure.Benchmark;
import io.highway.tools.benchmarks.measure.Callers;
import io.highway.tools.benchmarks.measure.Comparison;
import io.highway.tools.benchmarks.measure.Load;
import io.highway.tools.benchmarks.measure.Machine;
import io.highway.tools.benchmarks.measure.Report;
import io.highway.tools.gateways.NginxServer;
import io.highway.tools.processes.Place;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import picocli.CommandLine.Command;

/** Compares tunnels with the first version of the system, over the same number of processes. */
@Command(name = "legacy", mixinStandardHelpOptions = true, description = "tunnels against version 1 of this system")
public final class LegacyBenchmark extends Benchmark {

    /** Version 1 has the most code that virtual machines must learn, and needs some 20 000 calls for most of it. */
    private static final long WARM = 60_000;

    /** What version 1 makes of 32 orders of 80 KB at a time takes more memory than samples have. */
    static final Place ROOMY = new Place(List.of(), List.of("-Xmx1g"));

    /** For picocli. */
    public LegacyBenchmark() {
        super("legacy");
    }

    @Override
    protected Optional<String> whyNot() {
        return NginxServer.installed().isPresent()
                ? Optional.empty()
                : Optional.of("there is no nginx here; run: tools/gateways/install.sh nginx");
    }

    @Override
    protected boolean run(Path logs, PrintStream out) throws IOException, InterruptedException {
        return run(NginxServer.installed().orElseThrow(), logs, plan(Effort.FULL, Effort.QUICK), out);
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
                List<Comparison<Size, Variant, Load>> comparisons = sizes.stream()
                        .map(size -> Comparison.of(size, paths.keySet(), variant -> {
                            OrderPath path = Objects.requireNonNull(paths.get(variant));
                            return Load.of(variant.title(), () -> path.place(size.order()));
                        }))
                        .toList();
                try (Callers callers = new Callers(Load.MANY)) {
                    for (Load load : comparisons.get(0).sides().values()) {
                        load.many().warmUp(callers, effort.warmUp(), effort.warmUps(), WARM);
                    }
                    Load.take(comparisons, effort.time(), effort.rounds(), callers);
                }
                return report(new Results(comparisons, payload), nginx.version(), machine, effort.rounds())
                        .publish(out, logs.resolve(".."));
            }
        }
    }

    private Report report(Results results, String hub, Machine machine, int rounds) {
        Report report = new Report(
                        "legacy",
                        command(),
                        machine,
                        "One caller for p50, p99 and mean, " + Load.MANY + " for calls/s and the p99 beside them; "
                                + rounds + " alternating rounds, medians; ratios are those of the same round. Hub: "
                                + hub + ".")
                .field("hub", hub)
                .field("rounds", rounds)
                .field("callers", Load.MANY);
        results.add(report);
        return report;
    }
}
