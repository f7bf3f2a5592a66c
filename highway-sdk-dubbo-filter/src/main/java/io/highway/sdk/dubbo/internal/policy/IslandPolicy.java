// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.policy;

import io.highway.sdk.dubbo.TrafficClass;
import io.highway.sdk.dubbo.TunnelKind;
import io.highway.sdk.internal.Texts;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The policy of calls to one island, or to some services of it. Immutable.
 *
 * @param island the destination's id
 * @param services the interfaces that it is for, as a pattern with at most one star; empty text for all others
 * @param routes over which gateways calls go
 * @param calls how calls are made
 * @param wire how requests are written
 * @param limits what limits calls
 * @param keys business keys that mean this island; a trailing star matches any text
 * @param servedBy who answers the calls for it, or null if it does
 */
public record IslandPolicy(
        String island,
        String services,
        Routes routes,
        Calls calls,
        Wire wire,
        Limits limits,
        Set<String> keys,
        @Nullable TrafficSplit servedBy) {

    /** The word for the island of this process. */
    public static final String HOME = "home";

    /** The word for no fallback. */
    public static final String NONE = "none";

    /**
     * Over which gateways calls go.
     *
     * @param tunnels the tunnels that are allowed, in the order to try them
     * @param gateways the gateways of each
     * @param usable those of the tunnels that have gateways
     * @param ofStreams those of the usable tunnels that carry streams
     * @param ofServices the policies of services with separate gateways, the most specific pattern first
     */
    public record Routes(
            List<TunnelKind> tunnels,
            Map<TunnelKind, List<GatewaySpec>> gateways,
            List<TunnelKind> usable,
            List<TunnelKind> ofStreams,
            List<IslandPolicy> ofServices) {

        static Routes of(
                List<TunnelKind> tunnels, Map<TunnelKind, List<GatewaySpec>> gateways, List<IslandPolicy> ofServices) {
            List<TunnelKind> usable = tunnels.stream()
                    .filter(kind -> !gateways.getOrDefault(kind, List.of()).isEmpty())
                    .toList();
            List<TunnelKind> ofStreams =
                    usable.stream().filter(TunnelKind::isHttp2).toList();
            return new Routes(tunnels, Map.copyOf(gateways), usable, ofStreams, ofServices);
        }
    }

    /**
     * How calls are made.
     *
     * @param fallback who may serve a call that certainly did not run
     * @param timeoutMillis overrides the reference's timeout; 0 keeps it, or 3 s if it has none
     * @param retries how often an idempotent call that may have run is tried again
     * @param idempotent methods that may be tried again even if they may have run
     * @param deny methods that must not cross now
     */
    public record Calls(
            Fallback fallback, int timeoutMillis, int retries, MethodPatterns idempotent, MethodPatterns deny) {}

    /**
     * Who may serve a call that certainly did not run.
     *
     * @param to {@code none}, {@code home}, or an island
     * @param methods the methods whose calls it may serve
     */
    public record Fallback(String to, MethodPatterns methods) {

        static final Fallback NONE = new Fallback(IslandPolicy.NONE, MethodPatterns.NONE);
    }

    /**
     * How requests are written.
     *
     * @param maxRequestBytes a larger request is refused before sending
     * @param serialization what the destination understands: {@code hessian2} or {@code fastjson2}
     * @param compression how messages by Triple are compressed
     * @param dictionary what zstd compresses with, or null
     */
    public record Wire(
            int maxRequestBytes, String serialization, Compression compression, @Nullable ZstdDictionary dictionary) {}

    /**
     * What limits calls.
     *
     * @param concurrency the concurrency limit
     * @param breaking the circuit breaker
     * @param bulk which calls are bulk, or null if none is
     */
    public record Limits(Concurrency concurrency, Breaking breaking, @Nullable Bulk bulk) {}

    /** How messages by Triple are compressed. */
    public enum Compression {
        /** Not at all. */
        NONE,
        /** Requests by gzip; answers, too, from providers with the SDK. */
        GZIP,
        /** Requests by zstd; answers, too, from providers with the SDK. */
        ZSTD,
        /** As zstd, once all providers of the island have advertised it. */
        AUTO;

        /** The value of the key. */
        @Override
        public String toString() {
            return Texts.word(this);
        }
    }

    /**
     * The concurrency limit of calls to the island.
     *
     * @param max the maximum number of calls in flight; 0 for unlimited, or if {@code adaptive} is set
     * @param adaptive whether the limit adapts to the capacity of the connection
     * @param maxWaitMillis how long a call waits for a permit before it is refused
     */
    public record Concurrency(int max, boolean adaptive, int maxWaitMillis) {

        static final Concurrency UNLIMITED = new Concurrency(0, false, 0);

        /** Whether there is no limit at all. */
        public boolean isUnlimited() {
            return max == 0 && !adaptive;
        }
    }

    /**
     * The circuit breaker of each endpoint of the island.
     *
     * @param failureRate percent of the last calls that may fail or be slow, 1 to 100; 0 if calls do not count
     * @param slowCallMillis a longer call is slow; 0 for no limit
     */
    public record Breaking(int failureRate, int slowCallMillis) {}

    /**
     * The bulk calls to the island.
     *
     * @param methods methods whose calls are bulk, whatever their size
     * @param overBytes a call with a larger request is bulk; {@link Integer#MAX_VALUE} if the size does not count
     * @param concurrency their concurrency limit
     */
    public record Bulk(MethodPatterns methods, int overBytes, Concurrency concurrency) {

        /** Whether the class of a call depends on the size of its request. */
        public boolean dependsOnSize() {
            return overBytes < Integer.MAX_VALUE;
        }
    }

    /** The tunnels that may carry a call and have gateways, in the order to try them. */
    public List<TunnelKind> tunnelsOf(boolean streaming) {
        return streaming ? routes.ofStreams : routes.usable;
    }

    /** Whether no tunnel has a gateway, whatever tunnels are allowed. */
    boolean hasNoGateway() {
        return routes.gateways.values().stream().allMatch(List::isEmpty);
    }

    /** The policy of calls of an interface. */
    public IslandPolicy of(String interfaceName) {
        for (IslandPolicy part : routes.ofServices) {
            if (Glob.matches(part.services, interfaceName)) {
                return part;
            }
        }
        return this;
    }

    /** This one, and those of services with separate gateways. */
    public Stream<IslandPolicy> withServices() {
        return Stream.concat(Stream.of(this), routes.ofServices.stream());
    }

    /** Those of {@link #withServices} that have gateways; this one if none has. */
    public List<IslandPolicy> parts() {
        List<IslandPolicy> parts =
                withServices().filter(part -> !part.routes.usable.isEmpty()).toList();
        return parts.isEmpty() ? List.of(this) : parts;
    }

    /** One with other gateways, for the interfaces of a pattern or all others. */
    IslandPolicy with(String pattern, Map<TunnelKind, List<GatewaySpec>> gateways, List<IslandPolicy> parts) {
        return new IslandPolicy(
                island, pattern, Routes.of(routes.tunnels, gateways, parts), calls, wire, limits, keys, servedBy);
    }

    /** Whether others answer all calls for it. */
    public boolean isAlias() {
        return servedBy != null && !servedBy.includes(island);
    }

    /** The classes that calls may have. */
    public List<TrafficClass> trafficClasses() {
        return limits.bulk == null ? List.of(TrafficClass.INTERACTIVE) : List.of(TrafficClass.values());
    }

    /** The concurrency limit of calls of a class. */
    public Concurrency concurrency(TrafficClass calls) {
        Bulk bulkCalls = limits.bulk;
        return calls == TrafficClass.BULK && bulkCalls != null ? bulkCalls.concurrency : limits.concurrency;
    }

    /** The gateways of calls of this kind and class. */
    public List<GatewaySpec> gateways(TunnelKind kind, TrafficClass calls) {
        return gateways(kind).stream().map(gateway -> gateway.of(calls)).toList();
    }

    /** The gateways of interactive calls of this kind. */
    public List<GatewaySpec> gateways(TunnelKind kind) {
        return routes.gateways.getOrDefault(kind, List.of());
    }

    /** The number of its endpoints, of all services and classes. */
    public int endpoints() {
        return withServices()
                        .mapToInt(part -> routes.tunnels.stream()
                                .mapToInt(kind -> part.gateways(kind).size())
                                .sum())
                        .sum()
                * trafficClasses().size();
    }

    /** Whether the policy allows the tunnel and has a gateway for it. */
    public boolean allows(TunnelKind kind) {
        return routes.usable.contains(kind);
    }

    /** Whether the policy lets calls change between tunnels, and there are gateways for more than one. */
    public boolean isAuto() {
        return routes.usable.size() > 1;
    }

    /** The only tunnel that the policy allows, or null if it allows more than one. */
    public @Nullable TunnelKind onlyTunnel() {
        return routes.tunnels.size() == 1 ? routes.tunnels.get(0) : null;
    }
}
