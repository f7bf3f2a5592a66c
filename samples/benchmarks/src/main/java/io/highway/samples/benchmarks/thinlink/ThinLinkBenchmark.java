// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.benchmarks.thinlink;

import io.highway.samples.benchmarks.calls.ProviderProcess;
import io.highway.samples.benchmarks.measure.Benchmark;
import io.highway.samples.gateways.Island;
import io.highway.samples.support.Processes;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;

/**
 * Compares the goodput of plain Dubbo over a thin link with that of the tunnels. The link is between two network
 * namespaces: callers and home's gateway are in one, the far gateway and the provider in the other.
 */
@Command(name = "thin-link", mixinStandardHelpOptions = true, description = "what gets over 30 and 50 Mbit/s")
public final class ThinLinkBenchmark extends Benchmark {

    /** What is printed at the end, in the folder for logs. */
    static final String TABLES = "thin-link.md";

    private static final int SECONDS_AT_MOST = 1200;

    private static final String CALLERS = "callers";

    /** For picocli. */
    public ThinLinkBenchmark() {
        super("thin-link");
    }

    @Override
    protected Optional<String> whyNot() {
        return Namespaces.whyNot();
    }

    @Override
    protected boolean run(Path logs, PrintStream out) throws IOException {
        return run(logs, plan(Effort.FULL, Effort.QUICK), out);
    }

    /** Returns whether every call was answered. */
    static boolean run(Path logs, Effort effort, PrintStream out) throws IOException {
        Path folder = Files.createDirectories(logs.resolve("thin-link")).toAbsolutePath();
        Path tables = folder.resolve(TABLES);
        Files.deleteIfExists(tables);
        int exitCode;
        try (Namespaces islands = Namespaces.create(folder);
                Processes shanghai = new Processes(folder, islands.far());
                Processes zhejiang = new Processes(folder, islands.near())) {
            Island provider = ProviderProcess.start(shanghai);
            String farGateway = shanghai.gateway(
                    provider.id(), Map.of(provider.id(), Processes.providers(provider.dubbo(), provider.triple())));
            String entrance = zhejiang.gateway("zhejiang", Map.of(provider.id(), Processes.next(farGateway)));
            Link link = islands.link();
            zhejiang.start(
                    CALLERS,
                    List.of(),
                    NearSide.class,
                    effort.name(),
                    folder.toString(),
                    link.near(),
                    link.far(),
                    provider.dubbo(),
                    provider.triple(),
                    entrance);
            zhejiang.awaitEnd(CALLERS, SECONDS_AT_MOST);
            exitCode = zhejiang.exitCode(CALLERS);
        }
        out.print(
                Files.exists(tables)
                        ? Files.readString(tables)
                        : "No results, see " + folder.resolve(CALLERS + ".log") + System.lineSeparator());
        return exitCode == 0;
    }
}
