// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.thinlink;

import com.alibaba.fastjson2.JSON;
import io.highway.tools.benchmarks.calls.ProviderProcess;
import io.highway.tools.benchmarks.measure.Benchmark;
import io.highway.tools.benchmarks.orders.Family;
import io.highway.tools.gateways.Island;
import io.highway.tools.processes.Processes;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Compares calls over a thin link: plain Dubbo and tunnels, with and without compression and traffic classes. The link
 * is between two network namespaces: callers and home's gateway are in one, the remote gateway and the provider in the other.
 */
@Command(name = "thin-link", mixinStandardHelpOptions = true, description = "what gets over 10, 30 and 50 Mbit/s")
public final class ThinLinkBenchmark extends Benchmark {

    /** What is printed at the end, in the folder for logs. */
    static final String TABLES = "thin-link.md";

    private static final int SECONDS_AT_MOST = 3600;

    private static final String CALLERS = "callers";

    /** Eight bodies of 4 MB are more than an eighth of less, and so more than the SDK buffers. */
    private static final String HEAP = "-Xmx1g";

    @Option(
            names = "--only",
            split = ",",
            description = "of tunnels,zstd,families,downloads,classes,long; default: all of them")
    private Set<Part> only = EnumSet.noneOf(Part.class);

    @Option(
            names = "--rates",
            split = ",",
            description =
                    "of the link in Mbit/s, such as 10,30; default: 30,50 for tunnels, 10,30 for zstd, families and downloads;"
                            + " 30 for long; classes always have 30")
    private List<Integer> rates = List.of();

    @Option(
            names = "--rtt",
            split = ",",
            description = "of long links, in milliseconds, such as 60; default: 20,60,120; this, --size and --callers"
                    + " are for the part long, which alone is measured unless --only has others")
    private List<Integer> roundTrips = List.of();

    @Option(names = "--size", split = ",", description = "of bodies over long links; default: 2KB,80KB,4MB")
    private List<String> sizes = List.of();

    @Option(names = "--callers", split = ",", description = "over long links; default: 1,8,64")
    private List<Integer> callers = List.of();

    @Override
    protected Optional<String> whyNot() {
        return Namespaces.whyNot();
    }

    @Override
    protected boolean run(Path logs, PrintStream out) throws IOException {
        Cells cells = new Cells(roundTrips, sizes.stream().map(Cells::bytes).toList(), callers);
        Set<Part> parts = !only.isEmpty() ? only : cells.areAll() ? EnumSet.allOf(Part.class) : EnumSet.of(Part.LONG);
        return run(logs, new Plan(plan(Effort.FULL, Effort.QUICK), parts, rates, cells), out);
    }

    /** Returns whether every call was answered. */
    static boolean run(Path logs, Plan plan, PrintStream out) throws IOException {
        Path folder = Files.createDirectories(logs.resolve("thin-link")).toAbsolutePath();
        Path tables = folder.resolve(TABLES);
        Files.deleteIfExists(tables);
        int exitCode;
        try (Namespaces islands = Namespaces.create(folder);
                Processes shanghai = new Processes(folder, islands.far());
                Processes zhejiang = new Processes(folder, islands.near())) {
            Dictionaries.write(folder, Dictionaries.ORDERS, Family.GENERATED_TEXT, Family.GENERATED_OBJECTS);
            String dictionary = Dictionaries.file(folder, Dictionaries.ORDERS);
            List<String> options = new ArrayList<>(List.of(HEAP));
            options.addAll(dictionary("zhejiang", Dictionaries.ORDERS, dictionary));
            for (Family family : plan.has(Part.FAMILIES) ? Family.HELD_OUT : List.<Family>of()) {
                String name = Dictionaries.name(family);
                Dictionaries.write(folder, name, family);
                options.addAll(dictionary(name, name, Dictionaries.file(folder, name)));
            }
            Island provider = ProviderProcess.start(shanghai, FarProcess.class, options);
            String farGateway = shanghai.gateway(
                    provider.id(), Map.of(provider.id(), Processes.providers(provider.dubbo(), provider.triple())));
            String entrance = zhejiang.gateway("zhejiang", Map.of(provider.id(), Processes.next(farGateway)));
            Link link = islands.link();
            if (plan.has(Part.LONG)) {
                delay(zhejiang, Link.NEAR_CARRIER, Link.FAR_PORT, Link.NEAR_PORT);
                delay(shanghai, Link.FAR_CARRIER, Link.NEAR_PORT, Link.FAR_PORT);
            }
            zhejiang.start(
                    CALLERS,
                    List.of(HEAP),
                    NearSide.class,
                    folder,
                    link.near(),
                    link.far(),
                    provider.dubbo(),
                    provider.triple(),
                    entrance,
                    dictionary,
                    JSON.toJSONString(plan));
            zhejiang.get(CALLERS).awaitEnd(SECONDS_AT_MOST);
            exitCode = zhejiang.get(CALLERS).exitCode();
        }
        out.print(
                Files.exists(tables)
                        ? Files.readString(tables)
                        : "No results, see " + folder.resolve(CALLERS + ".log") + System.lineSeparator());
        return exitCode == 0;
    }

    /** What a provider has to be told of a dictionary for callers in an island. */
    private static List<String> dictionary(String island, String name, String file) {
        return List.of(
                "-Dhighway.islands." + island + ".compression=auto",
                "-Dhighway.dictionaries." + name + "=" + file,
                "-Dhighway.islands." + island + ".dictionary=" + name);
    }

    private static void delay(Processes place, String address, int arrivals, int receiver) {
        String name = "delay-" + arrivals;
        place.start(name, List.of(), Delay.class, address, arrivals, receiver);
        place.ready(name);
    }
}
