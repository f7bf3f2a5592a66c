// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateways;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Zuul 2. */
final class Zuul {

    private final JavaGateway gateway;

    /** Looks in the folders above the one of the sample that is running. */
    Zuul(Path folder) {
        this.gateway = JavaGateway.find(folder, "zuul", "-Pzuul ");
    }

    /**
     * Its command line.
     *
     * @param settings in place of those in its file, as system properties
     * @param routes as {@link #to} has them
     */
    List<String> with(List<String> settings, int port, List<String> routes) {
        List<String> options = new ArrayList<>(List.of("-Dorg.slf4j.simpleLogger.defaultLogLevel=warn"));
        options.addAll(settings);
        List<String> arguments = new ArrayList<>(List.of(String.valueOf(port)));
        arguments.addAll(routes);
        return gateway.with(options, "io.highway.tools.gateways.zuul.ZuulGateway", arguments);
    }

    /** The argument with the provider of an island. */
    static String to(String island, int port) {
        return island + "=" + Template.local(port);
    }

    String version() throws IOException {
        return "Zuul " + gateway.version("zuul-core");
    }
}
