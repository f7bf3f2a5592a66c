// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.legacy;

import io.highway.tools.benchmarks.calls.ProviderProcess;
import io.highway.tools.benchmarks.orders.OrderProviderProcess;
import io.highway.tools.fixtures.ports.FreePorts;
import io.highway.tools.gateways.Island;
import io.highway.tools.gateways.NginxServer;
import io.highway.tools.processes.Ports;
import io.highway.tools.processes.Processes;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * One provider for all behind the remote gateways of version 1 and of the tunnels, and the hub in front of these.
 *
 * @param provider {@code host:port}
 * @param version1 the hub's port on loopback for version 1
 * @param tunnels those for the tunnels
 */
record FarSide(String provider, int version1, Ports tunnels) {

    /** Starts all of it and returns when it is ready. */
    static FarSide start(NginxServer nginx, Processes processes, Path folder) throws IOException {
        int version1 = FreePorts.next();
        Island provider = ProviderProcess.start(processes, OrderProviderProcess.class, List.of());
        FarSide far = new FarSide(provider.dubbo(), FreePorts.next(), Ports.free());
        processes.start("far-version-1", List.of(), FarGateway.class, "" + version1, far.provider);
        String routes = Processes.providers(
                provider.dubbo(), provider.triple(), provider.http().orElseThrow());
        String gateway = processes.gateway("shanghai", Map.of("shanghai", routes));
        String tunnels = "127.0.0.1" + gateway.substring(gateway.indexOf(':'));
        Map<String, String> places = Map.of(
                "gateway.shanghai.test:8080", "127.0.0.1:" + version1,
                "gateway.shanghai.test:20880", tunnels,
                "gateway.shanghai.test:50051", tunnels,
                "gateway.shanghai.test:8090", tunnels,
                "0.0.0.0:8080", "127.0.0.1:" + far.version1,
                "0.0.0.0:8090", "127.0.0.1:" + far.tunnels.http(),
                "0.0.0.0:20880", "127.0.0.1:" + far.tunnels.dubbo(),
                "0.0.0.0:50051", "127.0.0.1:" + far.tunnels.triple());
        Integer[] listens = {far.version1, far.tunnels.dubbo(), far.tunnels.triple(), far.tunnels.http()};
        nginx.start(processes, "hub", folder, "legacy/hub.conf", places, listens);
        processes.ready("far-version-1");
        return far;
    }
}
