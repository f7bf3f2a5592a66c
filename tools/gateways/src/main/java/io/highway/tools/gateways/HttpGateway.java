// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateways;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A gateway for the HTTP tunnel that a module beside this one builds. */
interface HttpGateway {

    /** Looks in the folders above the one of the sample that is running. */
    static HttpGateway of(GatewayKind kind, Path folder) {
        return switch (kind) {
            case SCG -> SpringCloud.webFlux(folder);
            case SCG_MVC -> SpringCloud.mvc(folder);
            case ZUUL -> Http1Gateway.zuul(folder);
            case EDGE -> Http1Gateway.edge(folder);
            case ENVOY, NGINX, HAPROXY, APISIX, REFERENCE ->
                throw new IllegalArgumentException(kind + " has no module");
        };
    }

    /** Name and version. */
    String version() throws IOException;

    /**
     * Its command line.
     *
     * @param settings in place of those in its file
     * @param providers the port of each island's provider
     */
    List<String> command(List<String> settings, int port, Map<String, Integer> providers);
}
