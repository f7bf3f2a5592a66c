// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.legacy;

import io.highway.tools.benchmarks.measure.Benchmark;
import io.highway.tools.benchmarks.measure.Callers;
import io.highway.tools.benchmarks.measure.Comparison;
import io.highway.tools.benchmarks.measure.Load;
import io.highway.tools.benchmarks.measure.Machine;
import io.highway.tools.benchmarks.measure.Report;
import io.highway.tools.benchmarks.orders.Order;
import io.highway.tools.benchmarks.orders.Orders;
import io.highway.tools.gateways.NginxServer;
import io.highway.tools.processes.Place;
import io.highway.tools.processes.Processes;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import picocli.CommandLine.Command;

/** Compares tunnels with the first version of the system, over the same number of processes. */
@Command(name = "legacy", mixinStandardHelpOptions = true, description = "tunnels against version 1 of this system")
public final class LegacyBenchmark extends Benchmark {

    private static final List<Integer> KILOBYTES = List.of(2, 8, 80);

    /** Version 1 has the most code that virtual machines must learn, and needs some 20 000 calls for most of it. */
    private static final long WARM = 60_000;

    /** 32 orders of 80 KB at a time take version 1 more memory than samples have. */
    private static final Place ROOMY = new Place(List.of(), List.of("-Xmx1g"));

    /** Eight minutes; with {@code --quick} one or two. */
    private static final Effort FULL = new Effort(300, 25, Duration.ofSeconds(4), 7, Duration.ofMinutes(4));

    private static final Effort QUICK = new Effort(100, 20, Duration.ofMillis(500), 3, Duration.ofSeconds(24));

    /**
     * How much is measured: calls of each variant and size whose bytes are counted, slices of warm-up at most and how
     * long each is, how often each case is measured, and the time for all cases together.
     */
    record Effort(int counted, int warmUps, Duration warmUp, int rounds, Duration time) {}

    @Override
    protected Optional<String> whyNot() {
        return NginxServer.installed().isPresent()
                ? Optional.empty()
                : Optional.of("there is no nginx here; run: tools/gateways/install.sh nginx");
    }

    @Override
    protected boolean run(Path logs, PrintStream out) throws IOException, InterruptedException {
        return run(NginxServer.installed().orElseThrow(), logs, plan(FULL, QUICK), out);
    }

    /** The same in every run; about so long as JSON. */
    static Order order(int kilobytes) {
        return Orders.ofJsonBytes(kilobytes << 10);
    }

    /** Returns whether every call was answered. */
    boolean run(NginxServer nginx, Path logs, Effort effort, PrintStream out) throws IOException, InterruptedException {
        String method = "One caller for p50, " + Load.MANY + " for calls/s; " + effort.rounds()
                + " alternating rounds, medians, and the range of ratios, which are those of the same round. Hub: "
                + nginx.version() + ".";
        Report report = report(Machine.here(), method)
                .field("hub", nginx.version())
                .field("rounds", effort.rounds())
                .field("callers", Load.MANY);
        Map<Integer, Order> orders = new TreeMap<>();
        KILOBYTES.forEach(size -> orders.put(size, order(size)));
        Path own = logs.resolve("legacy");
        try (Processes processes = new Processes(own, ROOMY)) {
            FarSide far = FarSide.start(nginx, processes, own);
            Map<String, Double> bytes = HomeSide.countBytes(far, processes, orders, effort.counted());
            try (HomeSide home = new HomeSide(far, processes);
                    Callers callers = new Callers(Load.MANY)) {
                List<Comparison<Integer, Variant, Load>> comparisons = new ArrayList<>();
                orders.forEach((size, order) -> comparisons.add(Comparison.of(
                        size,
                        List.of(Variant.values()),
                        variant -> Load.of(variant.title(), () -> home.place(variant, order)))));
                for (Load load : comparisons.get(0).sides().values()) {
                    load.many().warmUp(callers, effort.warmUp(), effort.warmUps(), WARM);
                }
                Load.take(comparisons, effort.time(), effort.rounds(), callers);
                new Results(comparisons, bytes).add(report);
            }
        }
        return report.publish(out, logs.resolve(".."));
    }
}
