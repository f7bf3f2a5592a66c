// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateways;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** A gateway for the HTTP tunnel that a module beside this one builds. */
interface HttpGateway {

    /** Looks in the folders above the one of the sample that is running. */
    static HttpGateway of(GatewayKind kind, Path folder) {
        return switch (kind) {
            case SCG -> SpringCloud.webFlux(folder);
            case SCG_MVC -> SpringCloud.mvc(folder);
            case ZUUL -> new Zuul(folder);
            case EDGE -> new Edge(folder);
            case ENVOY, NGINX, HAPROXY, REFERENCE -> throw new IllegalArgumentException(kind + " has no module");
        };
    }

    /** The argument {@code island=host:port,...}. */
    static String addresses(String island, List<Integer> ports) {
        return island + "=" + ports.stream().map(Template::local).collect(Collectors.joining(","));
    }

    /** Name and version. */
    String version() throws IOException;

    /**
     * Its command line.
     *
     * @param settings in place of those in its file
     * @param providers the ports of each island's providers; Spring Cloud Gateway takes the first
     */
    List<String> command(List<String> settings, int port, Map<String, List<Integer>> providers);
}
