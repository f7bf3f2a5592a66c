// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateway;

import java.util.Map;

/**
 * Counters of a gateway.
 *
 * @param dubboConnections open connections from Dubbo clients
 * @param tripleConnections open connections from Triple clients
 * @param forwarded calls handed to an upstream since start
 * @param refused calls refused before forwarding since start
 * @param encodings how many forwarded Triple requests had each {@code grpc-encoding}, of the first 16 of them
 */
public record GatewayStats(
        int dubboConnections, int tripleConnections, long forwarded, long refused, Map<String, Long> encodings) {}
