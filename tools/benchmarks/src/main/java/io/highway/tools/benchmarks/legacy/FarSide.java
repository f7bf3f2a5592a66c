// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.legacy;

import io.highway.tools.benchmarks.legacy.version1.FarGateway;
import io.highway.tools.benchmarks.orders.OrderProviderProcess;
import io.highway.tools.fixtures.ports.FreePorts;
import io.highway.tools.gateways.NginxServer;
import io.highway.tools.processes.Processes;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The hub and what is behind it: the far gateways of version 1 and of the tunnels, and one provider for all. */
final class FarSide implements AutoCloseable {

    private static final String PROVIDER = "shanghai-provider";
    private static final String VERSION_1 = "shanghai-version-1";
    private static final String HUB = "hub";

    private final Processes processes;
    private final int dubbo = FreePorts.next();
    private final Hub hub = new Hub(FreePorts.next(), FreePorts.next(), FreePorts.next());

    private FarSide(Processes processes) {
        this.processes = processes;
    }

    static FarSide start(NginxServer nginx, Path folder) throws IOException {
        FarSide side = new FarSide(new Processes(folder, LegacyBenchmark.ROOMY));
        try {
            side.startAll(nginx, folder);
            return side;
        } catch (IOException | RuntimeException e) {
            side.close();
            throw e;
        }
    }

    private void startAll(NginxServer nginx, Path folder) throws IOException {
        int triple = FreePorts.next();
        int http = FreePorts.next();
        processes.start(
                PROVIDER,
                List.of("-Dhighway.island=shanghai"),
                OrderProviderProcess.class,
                String.valueOf(dubbo),
                String.valueOf(triple));
        processes.start(VERSION_1, List.of(), FarGateway.class, String.valueOf(http), provider());
        String gateway = processes.gateway(
                "shanghai", Map.of("shanghai", Processes.providers(provider(), "shanghai.test:" + triple)));
        String tunnels = "127.0.0.1" + gateway.substring(gateway.indexOf(':'));
        Map<String, String> places = new LinkedHashMap<>();
        places.put("gateway.shanghai.test:8080", "127.0.0.1:" + http);
        places.put("gateway.shanghai.test:20880", tunnels);
        places.put("gateway.shanghai.test:50051", tunnels);
        places.put("0.0.0.0:8080", "127.0.0.1:" + hub.http());
        places.put("0.0.0.0:20880", "127.0.0.1:" + hub.dubbo());
        places.put("0.0.0.0:50051", "127.0.0.1:" + hub.triple());
        nginx.start(processes, HUB, folder, "legacy/hub.conf", places, hub.http(), hub.dubbo(), hub.triple());
        processes.ready(PROVIDER);
        processes.ready(VERSION_1);
    }

    /** Where the provider takes Dubbo frames. */
    String provider() {
        return "shanghai.test:" + dubbo;
    }

    Hub hub() {
        return hub;
    }

    @Override
    public void close() {
        processes.close();
    }
}
