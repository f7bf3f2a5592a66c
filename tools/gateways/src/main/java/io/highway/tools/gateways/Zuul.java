// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateways;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Zuul 2; its settings are system properties. */
final class Zuul implements HttpGateway {

    private final JavaGateway gateway;

    /** Looks in the folders above the one of the sample that is running. */
    Zuul(Path folder) {
        this.gateway = JavaGateway.find(folder, "zuul", "-Pzuul ");
    }

    @Override
    public List<String> command(List<String> settings, int port, Map<String, List<Integer>> providers) {
        List<String> options = new ArrayList<>(List.of("-Dorg.slf4j.simpleLogger.defaultLogLevel=warn"));
        options.addAll(settings);
        List<String> arguments = new ArrayList<>(List.of(String.valueOf(port)));
        providers.forEach((island, ports) -> arguments.add(HttpGateway.addresses(island, ports)));
        return gateway.with(options, "io.highway.tools.gateways.zuul.ZuulGateway", arguments);
    }

    @Override
    public String version() throws IOException {
        return "Zuul " + gateway.version("zuul-core");
    }
}
