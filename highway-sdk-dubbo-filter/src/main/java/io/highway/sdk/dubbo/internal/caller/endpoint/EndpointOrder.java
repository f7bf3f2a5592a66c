// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.caller.endpoint;

import io.highway.sdk.dubbo.TunnelKind;
import io.highway.sdk.dubbo.internal.network.connection.ReconnectingLink;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The endpoints of a destination in the order in which a call tries them: those of the preferred tunnel, then those of the
 * other; round-robin within a tunnel; suspect endpoints, and those without a free stream, after all others. Thread-safe.
 */
final class EndpointOrder {

    /** The largest number: tried endpoints are recorded in the bits of a {@code long}. */
    static final int MOST_ENDPOINTS = Long.SIZE;

    private final List<GatewayEndpoint> all;

    /** Endpoints of earlier policies whose connection is still open, so that they come back with their health. */
    private final List<GatewayEndpoint> leftOut;

    private final Map<TunnelKind, List<GatewayEndpoint>> byKind = new EnumMap<>(TunnelKind.class);

    /**
     * @param connections in the order of the policy, by tunnel
     * @param before the endpoints by the policy before
     * @param follow an endpoint of the policy before by this policy, with its health
     * @param create a new endpoint
     */
    EndpointOrder(
            List<ReconnectingLink> connections,
            @Nullable EndpointOrder before,
            UnaryOperator<GatewayEndpoint> follow,
            Function<ReconnectingLink, GatewayEndpoint> create) {
        List<GatewayEndpoint> known = before == null
                ? List.of()
                : Stream.concat(before.all.stream(), before.leftOut.stream()).toList();
        all = connections.stream()
                .map(connection -> known.stream()
                        .filter(one -> one.connection() == connection)
                        .findFirst()
                        .map(follow)
                        .orElseGet(() -> create.apply(connection)))
                .toList();
        leftOut = known.stream()
                .filter(one -> !one.connection().isClosed() && !connections.contains(one.connection()))
                .toList();
        for (TunnelKind kind : TunnelKind.values()) {
            byKind.put(kind, all.stream().filter(one -> one.kind() == kind).toList());
        }
    }

    /** Whether they use these connections, in this order. */
    boolean use(List<ReconnectingLink> connections) {
        return connections.equals(all.stream().map(GatewayEndpoint::connection).toList());
    }

    List<GatewayEndpoint> all() {
        return all;
    }

    List<GatewayEndpoint> of(TunnelKind kind) {
        return byKind.getOrDefault(kind, List.of());
    }

    Stream<GatewayEndpoint> of(List<TunnelKind> tunnels) {
        return all.stream().filter(endpoint -> tunnels.contains(endpoint.kind()));
    }

    /** The bit of an endpoint among those that were tried. */
    long bit(GatewayEndpoint endpoint) {
        return 1L << all.indexOf(endpoint);
    }

    /** Those that were not tried. */
    Stream<GatewayEndpoint> untried(List<TunnelKind> tunnels, long tried) {
        return of(tunnels).filter(endpoint -> (tried & bit(endpoint)) == 0);
    }

    /** Those of them whose first connection attempt after start-up or after a disconnect has not ended. */
    Stream<GatewayEndpoint> connecting(List<TunnelKind> tunnels, long tried) {
        return untried(tunnels, tried).filter(endpoint -> endpoint.connection().awaitsFirstAttempt());
    }

    /** The endpoints as the next call would try them, if none of them carries it. Admits nothing. */
    List<GatewayEndpoint> preview(List<TunnelKind> tunnels, TunnelKind first, int position) {
        List<GatewayEndpoint> order = new ArrayList<>();
        GatewayEndpoint next = next(tunnels, first, position, 0, GatewayEndpoint::admits);
        for (long tried = 0; next != null; next = next(tunnels, first, position, tried, GatewayEndpoint::admits)) {
            order.add(next);
            tried |= bit(next);
        }
        return order;
    }

    /**
     * The next endpoint to try.
     *
     * @param first the preferred tunnel, if there are several
     * @param position where the round begins
     * @param tried endpoints that are excluded, by their {@link #bit}
     * @param enter whether an endpoint that is connected takes the call
     */
    @Nullable
    GatewayEndpoint next(
            List<TunnelKind> tunnels, TunnelKind first, int position, long tried, Predicate<GatewayEndpoint> enter) {
        GatewayEndpoint trusted = next(tunnels, first, position, tried, false, enter);
        return trusted != null ? trusted : next(tunnels, first, position, tried, true, enter);
    }

    private @Nullable GatewayEndpoint next(
            List<TunnelKind> tunnels,
            TunnelKind first,
            int position,
            long tried,
            boolean suspects,
            Predicate<GatewayEndpoint> enter) {
        GatewayEndpoint preferred = tunnels.contains(first) ? next(first, position, tried, suspects, enter) : null;
        if (preferred != null) {
            return preferred;
        }
        for (int i = 0; i < tunnels.size(); i++) {
            GatewayEndpoint other =
                    tunnels.get(i) == first ? null : next(tunnels.get(i), position, tried, suspects, enter);
            if (other != null) {
                return other;
            }
        }
        return null;
    }

    private @Nullable GatewayEndpoint next(
            TunnelKind kind, int position, long tried, boolean suspects, Predicate<GatewayEndpoint> enter) {
        List<GatewayEndpoint> ofKind = of(kind);
        int count = ofKind.size();
        for (int i = 0; i < count; i++) {
            GatewayEndpoint endpoint = ofKind.get((position % count + i) % count);
            if ((tried == 0 || (tried & bit(endpoint)) == 0)
                    && endpoint.connection().isUp()
                    && (suspects
                            || !(endpoint.isSuspect() || endpoint.connection().isFull()))
                    && enter.test(endpoint)) {
                return endpoint;
            }
        }
        return null;
    }
}
