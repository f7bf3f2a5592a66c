// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.scale;

/**
 * What a caller process does.
 *
 * @param sdk whether it has the SDK and islands, or plain Dubbo
 * @param services how many references it creates, each of a different interface
 * @param islands how many islands every service is called for
 * @param times how often it makes each of these calls; 0: it only starts
 * @param homeDubbo {@code host:port} of home's provider, of references by the Dubbo protocol
 * @param homeTriple {@code host:port} of home's provider, of references by Triple
 * @param gatewaysDubbo {@code host:port}, comma list
 * @param gatewaysTriple {@code host:port}, comma list
 */
public record Task(
        boolean sdk,
        int services,
        int islands,
        int times,
        String homeDubbo,
        String homeTriple,
        String gatewaysDubbo,
        String gatewaysTriple) {}
