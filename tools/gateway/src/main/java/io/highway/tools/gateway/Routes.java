// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateway;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds the route of a call. The first answer wins:
 *
 * <ol>
 *   <li>the route of the island it names, or of {@code without-island} when it names none
 *   <li>the default route
 *   <li>none: the call is refused
 * </ol>
 */
final class Routes implements AutoCloseable {
    private final Map<String, Route> byIsland = new HashMap<>();
    private final @Nullable Route defaultRoute;
    private final @Nullable String withoutIsland;
    private final boolean guarded;

    Routes(GatewayConfig config) {
        config.routes().forEach((island, spec) -> byIsland.put(island, spec.get()));
        Supplier<Route> spec = config.defaultRoute();
        this.defaultRoute = spec == null ? null : spec.get();
        this.withoutIsland = config.withoutIsland();
        this.guarded = config.guarded();
    }

    CompletableFuture<List<Address>> candidates(@Nullable String wanted, ServiceName service, Protocol protocol) {
        String island = wanted == null || wanted.isEmpty() ? withoutIsland : wanted;
        if (island == null) {
            return CompletableFuture.failedFuture(Refusal.noIsland());
        }
        Route route = byIsland.getOrDefault(island, defaultRoute);
        return route == null
                ? CompletableFuture.failedFuture(Refusal.unknownIsland(island))
                : route.candidates(service, protocol);
    }

    /** Whether calls for this island go to providers from here, and not to another gateway. */
    boolean facesProviders(@Nullable String wanted) {
        String island = wanted == null || wanted.isEmpty() ? withoutIsland : wanted;
        Route route = island == null ? defaultRoute : byIsland.getOrDefault(island, defaultRoute);
        return route == null || route.facesProviders();
    }

    /** Whether providers have the SDK. */
    boolean guarded() {
        return guarded;
    }

    @Override
    public void close() {
        byIsland.values().forEach(Route::close);
        if (defaultRoute != null) {
            defaultRoute.close();
        }
    }
}
