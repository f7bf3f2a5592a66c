// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.chaos.star;

import io.highway.tools.fixtures.faults.FaultyLink;
import io.highway.tools.processes.Links;
import io.highway.tools.processes.Node;

/**
 * One of home's gateways, and the links to it and from it.
 *
 * @param node its process
 * @param links those that consumers use
 * @param onward the link to the remote gateway
 */
public record HomeGateway(Node node, Links links, FaultyLink onward) {}
