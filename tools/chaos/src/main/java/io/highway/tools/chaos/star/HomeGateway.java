// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.chaos.star;

import io.highway.tools.fixtures.faults.FaultyLink;
import io.highway.tools.processes.Node;
import java.util.List;

/**
 * One of home's gateways, and the links to it and from it.
 *
 * @param node its process
 * @param dubbo the link that consumers use for the Dubbo protocol
 * @param triple the link that consumers use for Triple
 * @param http the link that consumers use for HTTP
 * @param onward the link to the far gateway
 */
public record HomeGateway(Node node, FaultyLink dubbo, FaultyLink triple, FaultyLink http, FaultyLink onward) {

    /** The links from the consumers. */
    public List<FaultyLink> fromConsumers() {
        return List.of(dubbo, triple, http);
    }
}
