// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.legacy;

import io.highway.tools.benchmarks.calls.Protocol;
import io.highway.tools.benchmarks.legacy.version1.HomeGateway;
import io.highway.tools.benchmarks.orders.OrderService;
import io.highway.tools.fixtures.ports.FreePorts;
import io.highway.tools.processes.Processes;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Home's gateways of version 1 and of the tunnels in front of a hub, and the callers in front of them. */
final class HomeSide implements AutoCloseable {

    private static final String VERSION_1 = "zhejiang-version-1";

    private final Processes processes;
    private final Map<Variant, OrderPath> paths = new EnumMap<>(Variant.class);

    private HomeSide(Processes processes) {
        this.processes = processes;
    }

    /** Starts everything; each path has answered a call when this returns. */
    static HomeSide start(Hub hub, Path folder) throws IOException {
        HomeSide side = new HomeSide(new Processes(folder, LegacyBenchmark.ROOMY));
        try {
            side.startAll(hub);
            return side;
        } catch (IOException | RuntimeException e) {
            side.close();
            throw e;
        }
    }

    private void startAll(Hub hub) throws IOException {
        int port = FreePorts.next();
        processes.start(
                VERSION_1,
                List.of(),
                HomeGateway.class,
                String.valueOf(port),
                OrderService.class.getName(),
                hub.httpAddress());
        String gateway = processes.gateway(
                "zhejiang", Map.of("shanghai", Processes.providers(hub.dubboAddress(), hub.tripleAddress())));
        processes.ready(VERSION_1);
        paths.put(Variant.VERSION_1, OrderPath.version1("gateway.zhejiang.test:" + port));
        paths.put(Variant.DUBBO, OrderPath.tunnel(Protocol.DUBBO, gateway));
        paths.put(Variant.TRIPLE, OrderPath.tunnel(Protocol.TRIPLE, gateway));
    }

    /** All paths over the hub. */
    Map<Variant, OrderPath> paths() {
        return paths;
    }

    /** One of them. */
    OrderPath path(Variant variant) {
        return Objects.requireNonNull(paths.get(variant), variant.key());
    }

    @Override
    public void close() {
        paths.values().forEach(OrderPath::close);
        processes.close();
    }
}
