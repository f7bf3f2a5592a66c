// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.endpoint;

import io.highway.sdk.dubbo.TunnelKind;
import io.highway.sdk.dubbo.internal.connection.GatewayConnectionPool;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What calls of a destination wait for: a connection, or the answer of a health check.
 *
 * @param probe requests a health check, since a call waits
 */
record EndpointWaits(EndpointOrder endpoints, GatewayConnectionPool connections, Predicate<GatewayEndpoint> probe) {

    boolean isConnecting(List<TunnelKind> tunnels, long tried) {
        return endpoints.connecting(tunnels, tried).findAny().isPresent();
    }

    @Nullable
    CompletableFuture<?> connected(List<TunnelKind> tunnels, long tried) {
        long excluded = isConnecting(tunnels, tried) ? tried : 0;
        Stream<GatewayEndpoint> awaited =
                isConnecting(tunnels, excluded) ? endpoints.connecting(tunnels, excluded) : endpoints.of(tunnels);
        return connections.attempted(awaited.map(GatewayEndpoint::connection).toList());
    }

    @Nullable
    CompletableFuture<?> answer(List<TunnelKind> tunnels) {
        List<CompletableFuture<Void>> awaited = new ArrayList<>();
        for (GatewayEndpoint endpoint : endpoints.all()) {
            if (tunnels.contains(endpoint.kind()) && endpoint.connection().activeInvokers() != null) {
                if (!endpoint.isUnresponsive()) {
                    return null;
                }
                boolean unused = probe.test(endpoint);
                if (endpoint.waitNanos() > 0) {
                    awaited.add(endpoint.health().answers().answer());
                }
            }
        }
        return awaited.isEmpty() ? null : CompletableFuture.anyOf(awaited.toArray(CompletableFuture[]::new));
    }

    long answerMillis(List<TunnelKind> tunnels) {
        return TimeUnit.NANOSECONDS.toMillis(endpoints
                .of(tunnels)
                .mapToLong(GatewayEndpoint::waitNanos)
                .max()
                .orElse(0));
    }
}
