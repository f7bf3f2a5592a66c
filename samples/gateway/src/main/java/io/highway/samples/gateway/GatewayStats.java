// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.gateway;

/**
 * Counters of a gateway.
 *
 * @param dubboConnections open connections from Dubbo clients
 * @param tripleConnections open connections from Triple clients
 * @param forwarded calls handed to an upstream since start
 * @param refused calls refused before forwarding since start
 */
public record GatewayStats(int dubboConnections, int tripleConnections, long forwarded, long refused) {}
