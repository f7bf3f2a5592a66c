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
import io.highway.tools.gateways.Protocol;
import io.highway.tools.processes.Star;
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
public final class Islands implements AutoCloseable {

    private final Star star;
    private final Path folder;
    private final Warnings warnings = Warnings.ofThisProcess();
    private final Map<String, String> homeGateways = new HashMap<>();
    private String registry = "";
    private @Nullable GatewayStar gateways;

    private Islands(Path folder) throws IOException {
        this.star = new Star(folder);
        this.folder = folder;
    }

    /** Starts everything and returns when all of it is ready; logs and routes are written to {@code folder}. */
    public static Islands start(Path folder, GatewayKind gateway) throws IOException {
        Islands islands = new Islands(folder);
        try {
            islands.startAll(gateway);
            return islands;
        } catch (IOException | RuntimeException e) {
            islands.close();
            throw e;
        }
    }

    private void startAll(GatewayKind gateway) throws IOException {
        for (String island : List.of("shanghai", "beijing", "guangdong")) {
            providers(island, "providers", Star.NO_REGISTRY);
        }
        providers("guangdong", "billing", Star.NO_REGISTRY);
        registry = star.processes().registry();
        providers("zhejiang", "providers", registry);

        GatewayStar started = GatewayStar.start(
                gateway,
                star.processes(),
                folder.resolve(gateway.word()),
                "zhejiang",
                List.of(island("shanghai", "providers"), island("beijing", "providers")));
        gateways = started;
        for (String island : List.of("shanghai", "beijing")) {
            String key = "highway.islands." + island + ".gateways.";
            started.entrance(Protocol.DUBBO, island)
                    .ifPresent(entrance -> homeGateways.put(key + "dubbo", entrance.plain()));
            started.entrance(Protocol.TRIPLE, island)
                    .ifPresent(entrance -> homeGateways.put(key + "triple", entrance.plain()));
        }
        ApplicationsGateway applications = ApplicationsGateway.start(
                gateway,
                star.processes(),
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
        star.processes().ready("zhejiang-providers");
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
        star.processes().end(island + "-gateway");
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
        List<String> all = new ArrayList<>(warnings.next());
        all.addAll(star.warnings());
        return all;
    }

    private void providers(String island, String application, String registry) {
        star.startProvider(island + "-" + application, island, List.of(), Providers.class, application, registry);
    }

    private Island island(String island, String application) {
        String[] ports = star.processes().ready(island + "-" + application).split(" ", -1);
        return new Island(island, island + ".test:" + ports[0], island + ".test:" + ports[1]);
    }

    @Override
    public void close() {
        star.close();
    }
}
