// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateways;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Zuul 2 or EdgeService, which take the islands as {@code island=host:port}.
 *
 * @param hasProperties whether its settings are system properties, and its port the first argument
 */
record Http1Gateway(String title, String main, String jar, boolean hasProperties, JavaGateway gateway)
        implements HttpGateway {

    /** Looks in the folders above the one of the sample that is running. */
    static Http1Gateway zuul(Path folder) {
        return new Http1Gateway(
                "Zuul", "zuul.ZuulGateway", "zuul-core", true, JavaGateway.find(folder, "zuul", "-Pzuul "));
    }

    /** The same of ServiceComb. */
    static Http1Gateway edge(Path folder) {
        return new Http1Gateway(
                "EdgeService", "edge.EdgeGateway", "edge-core", false, JavaGateway.find(folder, "edge", "-Pedge "));
    }

    @Override
    public List<String> command(List<String> settings, int port, Map<String, Integer> providers) {
        List<String> options = new ArrayList<>(List.of("-Dorg.slf4j.simpleLogger.defaultLogLevel=warn"));
        List<String> arguments = new ArrayList<>();
        (hasProperties ? options : arguments).addAll(settings);
        arguments.add(hasProperties ? String.valueOf(port) : "--gateway.address=" + Template.local(port));
        providers.forEach((island, provider) -> arguments.add(island + "=" + Template.local(provider)));
        return gateway.with(options, "io.highway.tools.gateways." + main, arguments);
    }

    @Override
    public String version() throws IOException {
        return title + " " + gateway.version(jar);
    }
}
