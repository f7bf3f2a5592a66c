// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.config;

import io.highway.sdk.dubbo.TrafficClass;
import io.highway.sdk.dubbo.TunnelKind;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The policy of calls to one island, or to some services of it. Immutable.
 *
 * @param island the destination's id
 * @param services the interfaces that it is for, as a pattern with at most one star; empty text for all others
 * @param tunnels the tunnels its policy allows, in the order to try them
 * @param dubboGateways the gateways of its Dubbo calls
 * @param tripleGateways the gateways of its Triple calls
 * @param ofServices the policies of services with gateways of their own, the most specific pattern first
 * @param fallbackHome whether a call that was certainly not sent may be served at home
 * @param timeoutMillis overrides the reference's timeout; 0 keeps it, or 3 s if it has none
 * @param retries how often an idempotent call that may have run is tried again
 * @param idempotent methods that may be tried again even if they may have run
 * @param maxRequestBytes a larger request is refused before sending
 * @param serialization what the destination understands: {@code hessian2} or {@code fastjson2}
 * @param compression how messages by Triple are compressed
 * @param dictionary what zstd compresses with, or null
 * @param concurrency the concurrency limit
 * @param breaking the circuit breaker
 * @param deny methods that must not cross now
 * @param keys business keys that mean this island; a trailing star matches any text
 * @param bulk which calls are bulk, or null if none is
 */
public record IslandPolicy(
        String island,
        String services,
        List<TunnelKind> tunnels,
        List<Gateway> dubboGateways,
        List<Gateway> tripleGateways,
        List<IslandPolicy> ofServices,
        boolean fallbackHome,
        int timeoutMillis,
        int retries,
        MethodPatterns idempotent,
        int maxRequestBytes,
        String serialization,
        Compression compression,
        @Nullable Dictionary dictionary,
        Concurrency concurrency,
        Breaking breaking,
        MethodPatterns deny,
        Set<String> keys,
        @Nullable Bulk bulk) {

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
            return name().toLowerCase(Locale.ROOT);
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

    /** The policy of calls of an interface. */
    public IslandPolicy of(String interfaceName) {
        for (IslandPolicy part : ofServices) {
            if (Glob.matches(part.services, interfaceName)) {
                return part;
            }
        }
        return this;
    }

    /** This one, and those of services with gateways of their own. */
    public Stream<IslandPolicy> withServices() {
        return Stream.concat(Stream.of(this), ofServices.stream());
    }

    /** One with other gateways, for the interfaces of a pattern or all others. */
    IslandPolicy with(String pattern, List<Gateway> dubbo, List<Gateway> triple, List<IslandPolicy> parts) {
        return new IslandPolicy(
                island,
                pattern,
                tunnels,
                dubbo,
                triple,
                parts,
                fallbackHome,
                timeoutMillis,
                retries,
                idempotent,
                maxRequestBytes,
                serialization,
                compression,
                dictionary,
                concurrency,
                breaking,
                deny,
                keys,
                bulk);
    }

    /** The classes that calls may have. */
    public List<TrafficClass> trafficClasses() {
        return bulk == null ? List.of(TrafficClass.INTERACTIVE) : List.of(TrafficClass.values());
    }

    /** The concurrency limit of calls of a class. */
    public Concurrency concurrency(TrafficClass calls) {
        Bulk bulkCalls = bulk;
        return calls == TrafficClass.BULK && bulkCalls != null ? bulkCalls.concurrency : concurrency;
    }

    /** The gateways of calls of this kind and class. */
    public List<Gateway> gateways(TunnelKind kind, TrafficClass calls) {
        return gateways(kind).stream().map(gateway -> gateway.of(calls)).toList();
    }

    /** The gateways of interactive calls of this kind. */
    public List<Gateway> gateways(TunnelKind kind) {
        return kind == TunnelKind.DUBBO ? dubboGateways : tripleGateways;
    }

    /** The number of its endpoints, of all services and classes. */
    public int endpoints() {
        return withServices()
                        .mapToInt(part -> tunnels.stream()
                                .mapToInt(kind -> part.gateways(kind).size())
                                .sum())
                        .sum()
                * trafficClasses().size();
    }

    /** Whether the policy allows the tunnel and has a gateway for it. */
    public boolean allows(TunnelKind kind) {
        return tunnels.contains(kind) && !gateways(kind).isEmpty();
    }

    /** Whether the policy lets calls change between tunnels, and there are gateways for more than one. */
    public boolean isAuto() {
        return allows(TunnelKind.DUBBO) && allows(TunnelKind.TRIPLE);
    }

    /** The only tunnel that the policy allows, or null if it allows more than one. */
    public @Nullable TunnelKind onlyTunnel() {
        return tunnels.size() == 1 ? tunnels.get(0) : null;
    }
}
