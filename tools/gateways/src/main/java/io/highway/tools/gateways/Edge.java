// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateways;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** EdgeService of ServiceComb. */
final class Edge implements HttpGateway {

    private final JavaGateway gateway;

    /** Looks in the folders above the one of the sample that is running. */
    Edge(Path folder) {
        this.gateway = JavaGateway.find(folder, "edge", "-Pedge ");
    }

    @Override
    public List<String> command(List<String> settings, int port, Map<String, List<Integer>> providers) {
        List<String> arguments = new ArrayList<>(settings);
        arguments.add("--gateway.address=" + Template.local(port));
        providers.forEach((island, ports) -> arguments.add(HttpGateway.addresses(island, ports)));
        return gateway.with(
                List.of("-Dorg.slf4j.simpleLogger.defaultLogLevel=warn"),
                "io.highway.tools.gateways.edge.EdgeGateway",
                arguments);
    }

    @Override
    public String version() throws IOException {
        return "EdgeService " + gateway.version("edge-core");
    }
}
