// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.spring.actuate;

import io.highway.sdk.dubbo.TrafficClass;
import io.highway.sdk.dubbo.TunnelKind;
import io.highway.sdk.dubbo.internal.config.Gateway;
import io.highway.sdk.dubbo.internal.config.IslandPolicy;
import io.highway.sdk.dubbo.internal.config.Policy;
import io.highway.sdk.dubbo.internal.connection.channel.GatewayTransports;
import io.highway.sdk.dubbo.internal.connection.channel.IslandTraffic;
import io.highway.sdk.dubbo.internal.connection.tls.CertificateKind;
import io.highway.sdk.dubbo.internal.endpoint.Destination;
import io.highway.sdk.dubbo.internal.endpoint.Destinations;
import io.highway.sdk.dubbo.internal.endpoint.GatewayEndpoint.HealthStatus;
import io.highway.sdk.dubbo.internal.runtime.HighwayRuntime;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** The meters of gateways, connections and endpoints that the policy in force has. One thread at a time uses it. */
final class PolicyMeters {

    private final MeterRegistry registry;
    private final HighwayRuntime runtime;

    private Map<Shown, Meter> shown = Map.of();

    /** A meter before the registry's filters, which may rename it. */
    private record Shown(String name, Tags tags) {}

    PolicyMeters(MeterRegistry registry, HighwayRuntime runtime) {
        this.registry = registry;
        this.runtime = runtime;
    }

    /** Removes the meters of what the policy does not have, and adds those of what it does. */
    void follow(Policy policy) {
        Map<Shown, Meter> wanted = new HashMap<>();
        policy.gateways().forEach(gateway -> showConnection(gateway, wanted));
        for (String island : policy.knownIslands()) {
            if (island.equals(policy.home())) {
                continue; // no call to home uses a gateway
            }
            IslandPolicy known = Objects.requireNonNull(policy.forIsland(island));
            for (TrafficClass calls : known.trafficClasses()) {
                showCalls(island, calls, known, wanted);
                known.tunnels().forEach(tunnel -> showBytes(island, tunnel, calls, wanted));
            }
            MeterTags.gatewaysTo(island, policy).forEach(gateway -> showEndpoint(island, gateway, wanted));
        }
        Set<Meter> kept = Set.copyOf(wanted.values()); // filters may make one meter of several
        shown.values().stream().filter(meter -> !kept.contains(meter)).forEach(registry::remove);
        shown = wanted;
    }

    private void showConnection(Gateway gateway, Map<Shown, Meter> wanted) {
        showGauge(
                "highway.connections",
                "Whether a gateway is connected",
                MeterTags.gateway(gateway.address(), gateway.trafficClass()),
                () -> runtime.gatewayState(gateway).isUp() ? 1 : 0,
                wanted);
        if (gateway.tls() != null) {
            for (CertificateKind kind : CertificateKind.values()) {
                showGauge(
                        "highway.certificate.left.seconds",
                        "How long a certificate of a gateway's connection is still valid",
                        MeterTags.gateway(gateway.address(), gateway.trafficClass())
                                .and("kind", kind.word()),
                        () -> secondsLeft(gateway, kind),
                        wanted);
            }
        }
    }

    /** Null if there is no such certificate, or it is not known. */
    private @Nullable Number secondsLeft(Gateway gateway, CertificateKind kind) {
        Instant ends = runtime.certificateEnds(gateway, kind);
        return ends == null
                ? null
                : Math.max(0, Duration.between(Instant.now(), ends).toSeconds());
    }

    private void showEndpoint(String island, Gateway gateway, Map<Shown, Meter> wanted) {
        Tags tags = MeterTags.endpoint(island, gateway.address(), gateway.trafficClass());
        showGauge(
                "highway.breaker",
                "Whether the circuit breaker of an endpoint is open",
                tags,
                () -> is(HealthStatus.OPEN, island, gateway),
                wanted);
        for (HealthStatus state : HealthStatus.values()) {
            showGauge(
                    "highway.endpoint",
                    "Whether an endpoint is in this state",
                    tags.and("state", state.word()),
                    () -> is(state, island, gateway),
                    wanted);
        }
    }

    private void showCalls(String island, TrafficClass calls, IslandPolicy known, Map<Shown, Meter> wanted) {
        Tags tags = Tags.of(MeterTags.ISLAND, island, MeterTags.CLASS, calls.word());
        showGauge(
                "highway.inflight",
                "Calls in flight, without streams and without those that wait for a permit",
                tags,
                () -> of(island, calls, Destination::inFlight),
                wanted);
        if (known.concurrency(calls).isUnlimited()) {
            return;
        }
        showGauge(
                "highway.waiting",
                "Calls that wait for a permit",
                tags,
                () -> of(island, calls, one -> one.bulkhead().waiting()),
                wanted);
        showGauge(
                "highway.limit",
                "The maximum number of calls in flight now",
                tags,
                () -> of(island, calls, one -> one.bulkhead().maxConcurrent()),
                wanted);
    }

    private void showGauge(
            String name, String description, Tags tags, Supplier<@Nullable Number> value, Map<Shown, Meter> wanted) {
        Gauge.Builder<?> gauge =
                Gauge.builder(name, value).description(description).tags(tags);
        show(name, tags, () -> gauge.register(registry), wanted);
    }

    /** Registers a meter unless it is there, since Micrometer warns of a gauge that is registered again. */
    private void show(String name, Tags tags, Supplier<? extends Meter> registration, Map<Shown, Meter> wanted) {
        wanted.computeIfAbsent(new Shown(name, tags), key -> {
            Meter known = shown.get(key);
            return known == null ? registration.get() : known;
        });
    }

    private void showBytes(String island, TunnelKind tunnel, TrafficClass calls, Map<Shown, Meter> wanted) {
        IslandTraffic.Bytes bytes = GatewayTransports.of(runtime.application().getFrameworkModel())
                .traffic(tunnel, calls)
                .count(island);
        Tags tags = Tags.of(MeterTags.ISLAND, island, MeterTags.TUNNEL, tunnel.word(), MeterTags.CLASS, calls.word());
        showBytes(bytes, IslandTraffic.Bytes::sent, tags.and("direction", "out"), wanted);
        showBytes(bytes, IslandTraffic.Bytes::received, tags.and("direction", "in"), wanted);
    }

    private void showBytes(
            IslandTraffic.Bytes bytes,
            ToDoubleFunction<IslandTraffic.Bytes> direction,
            Tags tags,
            Map<Shown, Meter> wanted) {
        String name = "highway.bytes";
        FunctionCounter.Builder<?> counter = FunctionCounter.builder(name, bytes, direction)
                .description("Bytes of calls and health checks, as frames of the tunnel's protocol before TLS")
                .baseUnit("bytes")
                .tags(tags);
        show(name, tags, () -> counter.register(registry), wanted);
    }

    /** Null if the island has no destination. */
    private @Nullable Number of(String island, TrafficClass calls, Function<Destination, @Nullable Number> value) {
        Destinations open = runtime.destinationsIfOpen();
        Destination destination = open == null ? null : open.of(island);
        return destination == null ? null : value.apply(destination.of(calls));
    }

    private int is(HealthStatus state, String island, Gateway gateway) {
        Destinations open = runtime.destinationsIfOpen();
        Destination destination = open == null ? null : open.of(island);
        return destination != null
                        && destination.withServices().stream()
                                .flatMap(part -> part.of(gateway.trafficClass()).endpoints().stream())
                                .anyMatch(endpoint ->
                                        endpoint.address().equals(gateway.address()) && endpoint.status() == state)
                ? 1
                : 0;
    }
}
