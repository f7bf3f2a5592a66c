// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.quickstart.star;

import io.highway.samples.quickstart.provider.Providers;
import io.highway.samples.quickstart.service.billing.BillService;
import io.highway.tools.gateways.ApplicationsGateway;
import io.highway.tools.gateways.GatewayKind;
import io.highway.tools.gateways.GatewayStar;
import io.highway.tools.gateways.Island;
import io.highway.tools.gateways.OwnApplication;
import io.highway.tools.processes.Processes;
import io.highway.tools.processes.Warnings;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The processes around the consumer, from the edges to the middle, since each gateway needs the address of the next
 * one:
 *
 * <pre>
 *   zhejiang gateway -> hub gateway -> shanghai gateway -> shanghai providers
 *                                   -> beijing gateway  -> beijing providers
 *
 *   guangdong gateway -> guangdong providers
 *                     -> guangdong billing
 * </pre>
 *
 * and at home, in zhejiang, a registry and providers.
 */
public final class Star implements AutoCloseable {

    private static final String NO_REGISTRY = "N/A";

    private final Processes processes;
    private final Path folder;
    private final Map<String, String> homeGateways = new HashMap<>();
    private final List<Warnings> warnings = new ArrayList<>();
    private String registry = "";
    private @Nullable GatewayStar gateways;

    private Star(Path folder) throws IOException {
        this.processes = new Processes(folder);
        this.folder = folder;
        warnings.add(Warnings.ofThisProcess());
    }

    /** Starts everything and returns when all of it is ready; logs and routes are written to {@code folder}. */
    public static Star start(Path folder, GatewayKind gateway) throws IOException {
        Star star = new Star(folder);
        try {
            star.startAll(gateway);
            return star;
        } catch (IOException | RuntimeException e) {
            star.close();
            throw e;
        }
    }

    private void startAll(GatewayKind gateway) throws IOException {
        providers("shanghai", "providers", NO_REGISTRY);
        providers("beijing", "providers", NO_REGISTRY);
        providers("guangdong", "providers", NO_REGISTRY);
        providers("guangdong", "billing", NO_REGISTRY);
        registry = processes.registry();
        providers("zhejiang", "providers", registry);

        GatewayStar started = GatewayStar.start(
                gateway,
                processes,
                folder.resolve(gateway.word()),
                "zhejiang",
                List.of(island("shanghai", "providers"), island("beijing", "providers")));
        gateways = started;
        for (String island : List.of("shanghai", "beijing")) {
            String key = "highway.islands." + island + ".gateways.";
            started.dubbo(island).ifPresent(entrance -> homeGateways.put(key + "dubbo", entrance.plain()));
            started.triple(island).ifPresent(entrance -> homeGateways.put(key + "triple", entrance.plain()));
        }
        ApplicationsGateway applications = ApplicationsGateway.start(
                gateway,
                processes,
                folder.resolve(gateway.word()),
                "zhejiang",
                island("guangdong", "providers"),
                island("guangdong", "billing"),
                BillService.class.getName());
        String guangdong = "highway.islands.guangdong.";
        homeGateways.put(guangdong + "gateways.dubbo", applications.smsDubbo());
        homeGateways.put(
                guangdong + "services." + BillService.class.getPackageName() + ".*.gateways.dubbo",
                applications.billingDubbo());
        processes.ready("zhejiang-providers");
    }

    /** Home's registry, as Dubbo writes it. */
    public String registry() {
        return registry;
    }

    /** Prints the addresses, as keys for an application on this machine. */
    public void explain(PrintStream out) {
        out.println("The islands run until Ctrl-C. For applications in zhejiang:");
        out.println();
        out.println("dubbo.registry.address=" + OwnApplication.onLoopback(registry));
        out.println("highway.island=zhejiang");
        new TreeMap<>(homeGateways)
                .forEach((key, address) -> out.println(key + "=" + OwnApplication.onLoopback(address)));
    }

    /** The {@code highway.*} keys with the address of home's gateway. */
    public Map<String, String> homeGateways() {
        return homeGateways;
    }

    /** Disconnects an island: ends its gateway, and waits until the other gateways have noticed, if they check. */
    public void cutOff(String island) {
        processes.end(island + "-gateway");
        try {
            gateways().awaitNoticed(island);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether gateways can prove that a call by the Dubbo protocol was not forwarded. */
    public boolean provesForDubbo() {
        return gateways().provesForDubbo();
    }

    private GatewayStar gateways() {
        return Objects.requireNonNull(gateways, "not started");
    }

    /** What consumer and providers have logged as WARN or ERROR since the last time. */
    public List<String> warnings() throws IOException {
        List<String> all = new ArrayList<>();
        for (Warnings log : warnings) {
            all.addAll(log.next());
        }
        return all;
    }

    private void providers(String island, String application, String registry) {
        String name = island + "-" + application;
        warnings.add(new Warnings(folder.resolve(name + ".log")));
        processes.start(name, List.of("-Dhighway.island=" + island), Providers.class, application, registry);
    }

    private Island island(String island, String application) {
        String[] ports = processes.ready(island + "-" + application).split(" ", -1);
        return new Island(island, island + ".test:" + ports[0], island + ".test:" + ports[1]);
    }

    @Override
    public void close() {
        processes.close();
    }
}
