// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.endpoint;

import io.highway.sdk.dubbo.HighwayReport.Endpoint.State;
import io.highway.sdk.dubbo.NetworkListener;
import io.highway.sdk.dubbo.TrafficClass;
import io.highway.sdk.dubbo.TunnelKind;
import io.highway.sdk.dubbo.internal.config.IslandPolicy;
import io.highway.sdk.dubbo.internal.limits.Listeners;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.dubbo.common.logger.Logger;
import org.apache.dubbo.common.logger.LoggerFactory;
import org.jspecify.annotations.Nullable;

/**
 * What follows from the state of a destination's endpoints: the preferred tunnel, and log lines.
 *
 * @param name the island, and the services if it is for a part of them
 */
record DestinationWatch(
        String name, TrafficClass calls, IslandPolicy policy, EndpointOrder endpoints, TunnelSelector selector) {

    private static final Set<State> TAKEN =
            EnumSet.complementOf(EnumSet.of(State.OPEN, State.DOWN));

    /** States in which calls are likely to reach the island. */
    private static final Set<State> REACHING =
            EnumSet.of(State.UP, State.UNKNOWN, State.SUSPECT, State.HALF_OPEN);

    private static final Logger log = LoggerFactory.getLogger(DestinationWatch.class);

    /** The preferred tunnel. */
    TunnelKind first() {
        return selector.first();
    }

    /** The tunnel that calls with a choice use now, or null if no endpoint is healthy. */
    @Nullable
    TunnelKind tunnel() {
        TunnelKind first = selector.first();
        return endpoints.all().stream()
                .filter(endpoint -> TAKEN.contains(endpoint.status()))
                .min(Comparator.comparing(GatewayEndpoint::isSuspected)
                        .thenComparing(endpoint -> endpoint.kind() != first))
                .map(GatewayEndpoint::kind)
                .orElse(null);
    }

    /** Updates the preferred tunnel, and logs and reports a change. Called by one thread. */
    void updateTunnel(String island, Listeners<NetworkListener> listeners, long now) {
        TunnelKind before = selector.first();
        if (!policy.isAuto() || !selector.update(this::isHealthy, this::isProven, now)) {
            return;
        }
        TunnelKind to = selector.first();
        boolean isPreferred = to == policy.tunnels().get(0);
        String why = !isPreferred || !isProven(to) ? problems(before) : to + " works again";
        String line = "highway: island " + name + ": "
                + (calls == TrafficClass.BULK ? "bulk calls" : "calls")
                + " go over " + to + " now, no longer over " + before
                + ": " + why;
        if (isPreferred) {
            log.info(line);
        } else {
            log.warn(line);
        }
        listeners.forEach(one -> one.onTunnelChange(NetworkListener.TunnelChange.of(island, before, to, why, calls)));
    }

    /**
     * Logs once that no endpoint reaches the island, and once that one does again. A gateway that is down, and a
     * breaker that opens, are logged elsewhere.
     */
    void logReachability(DestinationUse use) {
        Set<State> found = EnumSet.noneOf(State.class);
        endpoints.all().forEach(endpoint -> found.add(endpoint.status()));
        if (!use.saidUnreachable && found.contains(State.SILENT) && Collections.disjoint(found, REACHING)) {
            use.saidUnreachable = true;
            log.warn("highway: island " + name + " is unreachable (" + problems(policy.tunnels()) + ")");
        } else if (use.saidUnreachable && found.contains(State.UP)) {
            use.saidUnreachable = false;
            log.info("highway: island " + name + " is reachable again");
        }
    }

    private boolean isHealthy(TunnelKind kind) {
        return endpoints.of(kind).stream().anyMatch(GatewayEndpoint::isHealthy);
    }

    private boolean isProven(TunnelKind kind) {
        return endpoints.of(kind).stream().anyMatch(GatewayEndpoint::isProven);
    }

    /** The problem of each endpoint of these tunnels, in words. */
    String problems(List<TunnelKind> tunnels) {
        return tunnels.stream().map(this::problems).collect(Collectors.joining("; "));
    }

    private String problems(TunnelKind kind) {
        return endpoints.of(kind).stream()
                .map(endpoint -> {
                    String problem = endpoint.problem();
                    return endpoint.connection().name() + ": " + (problem == null ? endpoint.status() : problem);
                })
                .collect(Collectors.joining("; "));
    }
}
