// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.gateways;

import io.highway.tools.benchmarks.calls.CallPath;
import io.highway.tools.benchmarks.measure.Benchmark;
import io.highway.tools.benchmarks.measure.Callers;
import io.highway.tools.benchmarks.measure.Comparison;
import io.highway.tools.benchmarks.measure.Load;
import io.highway.tools.benchmarks.measure.Machine;
import io.highway.tools.benchmarks.measure.Measurement;
import io.highway.tools.benchmarks.measure.Report;
import io.highway.tools.benchmarks.measure.Side;
import io.highway.tools.benchmarks.measure.Spread;
import io.highway.tools.benchmarks.measure.Table;
import io.highway.tools.gateways.GatewayKind;
import io.highway.tools.gateways.Protocol;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Compares calls through each gateway with the same calls made directly. The paths alternate in short rounds after a
 * common warm-up, each round in another order, so that what else the machine does falls on all of them.
 */
@Command(name = "gateways", mixinStandardHelpOptions = true, description = "what a gateway costs")
public final class GatewaysBenchmark extends Benchmark {

    private static final int SMALL = 2 << 10;
    private static final List<Bodies> BODIES = List.of(Bodies.of(SMALL), Bodies.of(80 << 10), Bodies.mixed());

    private static final Set<GatewayKind> ALL = EnumSet.allOf(GatewayKind.class);

    private static final double PERCENT = 100;
    private static final int ROUNDS = 7;
    private static final int ROUNDS_QUICK = 3;
    /** For each tunnel, so that a run of one has slices as long as a run of all. */
    private static final Duration TIME = Duration.ofSeconds(200);

    private static final Duration TIME_QUICK = Duration.ofSeconds(20);

    private static final String[] COLUMNS = {
        "",
        "calls/s",
        "least to most",
        "loss",
        "least to most",
        "mean ms",
        "p99 ms",
        "alone: mean ms",
        "p50 ms",
        "p99 ms"
    };

    @Option(names = "--hops", description = "1: home's gateway in front of the provider; 3: a star. Default: 1")
    private int hops = 1;

    @Option(
            names = "--only",
            split = ",",
            description = "of envoy,nginx,haproxy,scg,scg-mvc,zuul,edge,reference; default: all that are installed")
    private Set<GatewayKind> only = ALL;

    @Option(names = "--over", split = ",", description = "of dubbo,triple,http; default: all")
    private Set<Protocol> over = EnumSet.allOf(Protocol.class);

    /** For picocli. */
    public GatewaysBenchmark() {}

    /** With these gateways, independent of the command line. */
    GatewaysBenchmark(Set<GatewayKind> only) {
        this.only = only;
    }

    @Override
    protected Optional<String> whyNot() {
        return hops == 1 || hops == 3 ? Optional.empty() : Optional.of("--hops is 1 or 3");
    }

    @Override
    protected boolean run(Path logs, PrintStream out) throws IOException, InterruptedException {
        return run(logs, plan(ROUNDS, ROUNDS_QUICK), plan(TIME, TIME_QUICK).multipliedBy(over.size()), out);
    }

    /** Returns whether every call was answered. */
    boolean run(Path logs, int rounds, Duration time, PrintStream out) throws IOException, InterruptedException {
        Machine machine = Machine.here();
        try (LineUp lineUp = LineUp.start(logs, hops, only, over);
                Callers callers = new Callers(Load.MANY)) {
            List<Comparison<Bodies, CallPath, Load>> comparisons = comparisons(lineUp);
            Load.take(comparisons, time, rounds, callers);
            return report(comparisons, lineUp, machine, rounds).publish(out, logs.resolve(".."));
        }
    }

    /** The direct path is the first of each. */
    private List<Comparison<Bodies, CallPath, Load>> comparisons(LineUp lineUp) {
        return over.stream()
                .flatMap(protocol -> BODIES.stream()
                        .map(bodies -> Comparison.of(
                                bodies,
                                lineUp.paths(protocol),
                                path -> Load.of(path.name(), () -> path.upload(bodies.next())))))
                .toList();
    }

    private Report report(
            List<Comparison<Bodies, CallPath, Load>> comparisons, LineUp lineUp, Machine machine, int rounds) {
        Report report = new Report(
                        "gateways",
                        command(),
                        machine,
                        Load.MANY + " callers, then one alone; " + rounds
                                + " alternating rounds, medians; gateways on the path: " + hops
                                + ". Loss is against the direct calls of the same round.")
                .field("hops", hops)
                .field("rounds", rounds)
                .field("callers", Load.MANY);
        comparisons.forEach(comparison -> add(report, comparison));
        comparisons.stream()
                .filter(comparison -> comparison.setting().bytes() == SMALL)
                .forEach(comparison -> addDefaults(report, comparison.sides()));
        lineUp.leftOut().forEach(why -> report.paragraph("Left out: " + why));
        return report;
    }

    private static void add(Report report, Comparison<Bodies, CallPath, Load> comparison) {
        Bodies bodies = comparison.setting();
        Protocol protocol = comparison.sides().keySet().iterator().next().protocol();
        String title = protocol.title() + ", bodies of " + bodies.title();
        Table table = report.table(title, COLUMNS);
        comparison.sides().forEach((path, load) -> {
            Side many = load.many();
            Side one = load.one();
            Spread calls = many.spread(Measurement::callsPerSecond);
            Spread loss = loss(load.throughputTo(comparison.first()));
            table.add()
                    .with("protocol", protocol.word())
                    .with("body_bytes", bodies.bytes())
                    .show("way", "%s", path.name())
                    .show("calls_per_second", "%.0f", calls)
                    .cells(calls.range("%.0f"))
                    .with("loss_percent", loss)
                    .cells(path.isDirect() ? "" : loss.median("%.0f %%"))
                    .cells(path.isDirect() ? "" : loss.range("%.0f") + " %")
                    .show("mean_ms", "%.2f", many.median(Measurement::meanMillis))
                    .show("p99_ms", "%.2f", many.median(Measurement::p99Millis))
                    .show("alone_mean_ms", "%.2f", one.median(Measurement::meanMillis))
                    .show("alone_p50_ms", "%.2f", one.median(Measurement::p50Millis))
                    .show("alone_p99_ms", "%.2f", one.median(Measurement::p99Millis))
                    .failed(title, load.both());
        });
    }

    /** What the settings of a file gain. */
    private static void addDefaults(Report report, Map<CallPath, Load> loads) {
        Map<String, Load> byName = new HashMap<>();
        loads.forEach((path, load) -> byName.put(path.name(), load));
        byName.forEach((name, shipped) -> {
            Load defaults = byName.get(name + LineUp.DEFAULTS);
            if (defaults != null) {
                Spread ratio = shipped.one().ratioTo(defaults.one(), Measurement::p50Millis);
                report.field("zuul_p50_ratio", ratio)
                        .paragraph("p50 of one caller with 2 KB through " + name + ", its file / its defaults: "
                                + ratio.median("%.3f") + ", " + ratio.range("%.3f"));
            }
        });
    }

    /** How many calls per second are missing, in percent. */
    private static Spread loss(Spread ratio) {
        return new Spread(PERCENT * (1 - ratio.median()), PERCENT * (1 - ratio.most()), PERCENT * (1 - ratio.least()));
    }

    private String command() {
        String kinds = only.stream().map(GatewayKind::word).collect(Collectors.joining(","));
        String protocols = over.stream().map(Protocol::word).collect(Collectors.joining(","));
        return command(
                hops == 1 ? "" : " --hops " + hops,
                only.size() < ALL.size() ? " --only " + kinds : "",
                over.size() < Protocol.values().length ? " --over " + protocols : "");
    }
}
