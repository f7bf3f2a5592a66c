// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.conformance;

import io.highway.tools.conformance.bench.Bench;
import io.highway.tools.conformance.bench.Client;
import io.highway.tools.conformance.bench.Islands;
import io.highway.tools.conformance.cases.Case;
import io.highway.tools.gateways.GatewayKind;
import io.highway.tools.gateways.GatewayStar;
import io.highway.tools.gateways.Island;
import io.highway.tools.gateways.Protocol;
import io.highway.tools.processes.Processes;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Providers, gateways and cases, and the report on them.
 *
 * @param resends whether the gateways have a setting that the case "gateway resends" is against
 * @param bothIslands whether shanghai stands in for beijing, and the route of beijing leads to both
 */
record ConformanceRun(
        Path folder, List<Case> cases, boolean quick, boolean resends, boolean bothIslands, PrintStream out) {

    private static final long ASK_AGAIN_MILLIS = 500;
    private static final long WARM_UP_NANOS = TimeUnit.SECONDS.toNanos(20);

    /** More than the 20 s of a long call. */
    private static final int LONG_DRAIN_SECONDS = 25;

    /** Runs with its own gateways; returns whether no case failed. */
    boolean of(GatewayKind kind) throws IOException, InterruptedException {
        Path own = folder.resolve(kind.word());
        try (Processes processes = new Processes(folder);
                Islands islands = new Islands(processes, bothIslands);
                GatewayStar star = GatewayStar.start(
                        kind,
                        processes,
                        own,
                        Bench.HOME,
                        islands.all(),
                        quick ? GatewayStar.DRAIN_SECONDS : LONG_DRAIN_SECONDS,
                        resends);
                Bench bench = new Bench(star, islands, kind, processes, own)) {
            return run(kind.word(), bench);
        }
    }

    /** Runs with gateways that are reachable within this number of seconds; returns whether no case failed. */
    boolean custom(GatewayStar star, int waitSeconds) throws IOException, InterruptedException {
        try (Processes processes = new Processes(folder);
                Islands islands = new Islands(processes, false);
                Bench bench = new Bench(star, islands, null, processes, folder)) {
            out.println("Let your gateway route by highway-island to these providers on this machine (names mean"
                    + " 127.0.0.1):");
            islands.all()
                    .forEach(island -> out.printf(
                            "  %-10s dubbo 127.0.0.1:%s  triple 127.0.0.1:%s%s%n",
                            island.id(),
                            Island.port(island.dubbo()),
                            Island.port(island.triple()),
                            island.http()
                                    .map(http -> "  http 127.0.0.1:" + Island.port(http))
                                    .orElse("")));
            out.println("Waiting " + waitSeconds + " s for it to answer.");
            awaitAnswers(bench, TimeUnit.SECONDS.toNanos(waitSeconds), true);
            return run("custom", bench);
        }
    }

    private boolean run(String gateway, Bench bench) throws IOException, InterruptedException {
        awaitAnswers(bench, WARM_UP_NANOS, false);
        Report report = new Report(gateway, bench.gateways().version(), out);
        report.begin();
        try (PrintWriter traces =
                new PrintWriter(Files.newBufferedWriter(folder.resolve(gateway + "-failures.log")), true)) {
            List<Row> rows = new Runner(bench, KnownLimits.of(gateway), quick, report::print, traces).run(cases);
            return report.end(rows, folder.resolve(gateway + ".json"));
        }
    }

    /** A cold star may not answer its first calls in time; the cases show what never answers. */
    private static void awaitAnswers(Bench bench, long nanos, boolean required) throws InterruptedException {
        long end = System.nanoTime() + nanos;
        for (Protocol protocol : offered(bench)) {
            Exception last = null;
            do {
                try (Client client = bench.newClient(protocol, "first", Map.of())) {
                    client.to("shanghai", () -> client.desk().answer("first", "hello"));
                    last = null;
                } catch (Exception e) {
                    last = e;
                    Thread.sleep(ASK_AGAIN_MILLIS);
                }
            } while (last != null && System.nanoTime() - end < 0);
            if (last != null && required) {
                throw new IllegalStateException("no answer over " + protocol.word(), last);
            }
        }
    }

    private static List<Protocol> offered(Bench bench) {
        return Stream.of(Protocol.values())
                .filter(protocol ->
                        bench.gateways().entrance(protocol, "shanghai").isPresent())
                .toList();
    }
}
