// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.spring.actuate;

import io.highway.sdk.dubbo.CallOutcome;
import io.highway.sdk.dubbo.GatewayAddress;
import io.highway.sdk.dubbo.GuardListener;
import io.highway.sdk.dubbo.NetworkListener;
import io.highway.sdk.dubbo.OutcomeListener;
import io.highway.sdk.dubbo.TrafficClass;
import io.highway.sdk.dubbo.TunnelKind;
import io.highway.sdk.dubbo.audit.AuditLog;
import io.highway.sdk.dubbo.endpoint.Destination;
import io.highway.sdk.dubbo.endpoint.Destinations;
import io.highway.sdk.dubbo.endpoint.GatewayEndpoint;
import io.highway.sdk.dubbo.policy.Gateway;
import io.highway.sdk.dubbo.policy.IslandPolicy;
import io.highway.sdk.dubbo.policy.Policy;
import io.highway.sdk.dubbo.runtime.HighwayRuntime;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * Meters of island-bound calls and of the endpoints to islands.
 *
 * <ul>
 *   <li>{@code highway.calls}, a timer by {@code island}, {@code tunnel} ({@code dubbo}, {@code triple}, {@code none})
 *       {@code outcome} ({@code delivered}, {@code not-sent}, {@code sent-unknown}, {@code refused}) and {@code class}
 *   <li>{@code highway.fallbacks}, a counter of calls that home serves instead, by {@code island} and {@code reason}
 *   <li>{@code highway.switches}, a counter of changes to another tunnel, by {@code island}, {@code to} and {@code class}
 *   <li>{@code highway.heartbeat}, a timer of answered health checks, and {@code highway.heartbeat.missed}, a counter,
 *       both by {@code island}, {@code tunnel}, {@code gateway} and {@code class}
 *   <li>{@code highway.breaker}, 1 while calls are refused and 0 while not, by {@code island}, {@code tunnel},
 *       {@code gateway} and {@code class}
 *   <li>{@code highway.connections}, 1 while a gateway is connected and 0 while not, by {@code tunnel}, {@code gateway}
 *       and {@code class}
 *   <li>{@code highway.inflight}, calls in flight that have a permit, and {@code highway.limit}, their maximum now, by
 *       {@code island} and {@code class}, where calls are limited
 *   <li>{@code highway.guard}, a counter of calls that the guard of this process refuses ({@code refused}), would refuse
 *       ({@code shadow}) or marks ({@code audited}), by {@code result} and {@code reason}
 *   <li>{@code highway.policy}, always 1, by {@code version}, which is in force, and {@code state} ({@code static},
 *       {@code accepted}, or {@code refused} if the published rule is wrong)
 *   <li>{@code highway.audit.lost}, a counter of audit lines that were not written, if the audit trail is on
 * </ul>
 *
 * {@code island} is a configured island or {@code other}, so that callers cannot create new series; {@code class} is
 * {@code interactive} or {@code bulk}. Thread-safe.
 */
class HighwayMeters implements OutcomeListener, NetworkListener, GuardListener, SmartInitializingSingleton {

    private static final String OTHER = "other";
    private static final String CLASS = "class";

    private final MeterRegistry registry;
    private final HighwayRuntime runtime;
    private final Map<Call, Timer> calls = new ConcurrentHashMap<>();
    private final Map<Fallback, Counter> fallbacks = new ConcurrentHashMap<>();

    private final Map<Guarded, Counter> guarded = new ConcurrentHashMap<>();

    /** The gauges of the policy in force. */
    private final Map<Gateway, Gauge> connectionGauges = new HashMap<>();

    private final Map<Breaker, Gauge> breakerGauges = new HashMap<>();

    private final Map<Limit, List<Gauge>> limitGauges = new HashMap<>();

    private record Breaker(String island, Gateway gateway) {}

    private record Limit(String island, TrafficClass calls) {}

    private record Guarded(String result, String reason) {}

    private record Call(String island, String tunnel, String outcome, TrafficClass trafficClass) {}

    private record Fallback(String island, String reason) {}

    /** Registers meters on demand. */
    HighwayMeters(MeterRegistry registry, HighwayRuntime runtime) {
        this.registry = registry;
        this.runtime = runtime;
    }

    @Override
    public void onOutcome(CallOutcome ended) {
        String island = bounded(ended.island());
        TunnelKind tunnel = ended.tunnel();
        Call call = new Call(
                island, tunnel == null ? "none" : tunnel.word(), ended.outcome().word(), ended.trafficClass());
        calls.computeIfAbsent(call, this::timer).record(ended.duration());
        if (ended.servedAtHome() && ended.reason() != null) {
            fallbacks
                    .computeIfAbsent(new Fallback(island, ended.reason().word()), this::counter)
                    .increment();
        }
    }

    @Override
    public void onTunnelChange(TunnelChange change) {
        Counter.builder("highway.switches")
                .description("Changes of the preferred tunnel of an island")
                .tag("island", bounded(change.island()))
                .tag("to", change.to().word())
                .tag(CLASS, change.trafficClass().word())
                .register(registry)
                .increment();
    }

    @Override
    public void onHealthCheck(HealthCheck check) {
        Tags endpoint = endpoint(bounded(check.island()), check.gateway(), check.trafficClass());
        Duration roundTrip = check.roundTrip();
        if (roundTrip == null) {
            Counter.builder("highway.heartbeat.missed")
                    .description("Health checks that the island has not answered")
                    .tags(endpoint)
                    .register(registry)
                    .increment();
        } else {
            Timer.builder("highway.heartbeat")
                    .description("Round trips of end-to-end health checks")
                    .tags(endpoint)
                    .register(registry)
                    .record(roundTrip);
        }
    }

    @Override
    public void onGuard(GuardEvent event) {
        guarded.computeIfAbsent(new Guarded(event.result().word(), event.reason()), this::counter)
                .increment();
    }

    private Counter counter(Guarded of) {
        return Counter.builder("highway.guard")
                .description("Calls that the guard of this process refused, would have refused, or marked")
                .tag("result", of.result)
                .tag("reason", of.reason)
                .register(registry);
    }

    /**
     * Registers gauges of every gateway and of every endpoint to a configured island, which follow the policy; it has
     * been read by now.
     */
    @Override
    public void afterSingletonsInstantiated() {
        Policy policy = runtime.policyIfEnabled();
        if (policy == null) {
            return;
        }
        AuditLog audit = runtime.audit();
        if (audit != null) {
            FunctionCounter.builder("highway.audit.lost", audit, AuditLog::lost)
                    .description("Audit lines that were not written")
                    .register(registry);
        }
        MultiGauge inForce = MultiGauge.builder("highway.policy")
                .description("The policy in force; refused if the published rule is wrong")
                .register(registry);
        runtime.onPolicyState(state -> inForce.register(
                List.of(MultiGauge.Row.of(Tags.of("state", state.word(), "version", state.version()), 1)), true));
        runtime.onSwap(next -> showGateways());
        showGateways();
    }

    /** Removes the gauges of what the policy in force does not use, and adds those of what it does. */
    private synchronized void showGateways() {
        Policy policy = runtime.policy();
        Set<Gateway> gateways = policy.gateways();
        Set<Breaker> breakers = new HashSet<>();
        Set<Limit> limits = new HashSet<>();
        for (String island : policy.knownIslands()) {
            IslandPolicy known = Objects.requireNonNull(policy.forIsland(island));
            for (TrafficClass calls : known.trafficClasses()) {
                for (TunnelKind tunnel : known.tunnels()) {
                    known.gateways(tunnel, calls).forEach(gateway -> breakers.add(new Breaker(island, gateway)));
                }
                if (!known.concurrency(calls).isUnlimited()) {
                    limits.add(new Limit(island, calls));
                }
            }
        }
        removeOthers(connectionGauges, gateways);
        removeOthers(breakerGauges, breakers);
        limitGauges.entrySet().removeIf(gauges -> {
            boolean unused = !limits.contains(gauges.getKey());
            if (unused) {
                gauges.getValue().forEach(registry::remove);
            }
            return unused;
        });
        gateways.forEach(gateway -> connectionGauges.computeIfAbsent(gateway, this::gauge));
        breakers.forEach(breaker -> breakerGauges.computeIfAbsent(breaker, this::gauge));
        limits.forEach(limit -> limitGauges.computeIfAbsent(limit, this::gauges));
    }

    private <K> void removeOthers(Map<K, Gauge> gauges, Set<K> used) {
        gauges.entrySet().removeIf(gauge -> {
            boolean unused = !used.contains(gauge.getKey());
            if (unused) {
                registry.remove(gauge.getValue());
            }
            return unused;
        });
    }

    private Gauge gauge(Gateway gateway) {
        return Gauge.builder(
                        "highway.connections",
                        () -> runtime.gatewayState(gateway).isUp() ? 1 : 0)
                .description("Whether a gateway is connected")
                .tags(gateway(gateway.address(), gateway.trafficClass()))
                .register(registry);
    }

    private Gauge gauge(Breaker breaker) {
        return Gauge.builder("highway.breaker", () -> isOpen(breaker.island, breaker.gateway) ? 1 : 0)
                .description("Whether calls to an island over a gateway are refused")
                .tags(endpoint(breaker.island, breaker.gateway.address(), breaker.gateway.trafficClass()))
                .register(registry);
    }

    private List<Gauge> gauges(Limit limit) {
        Tags tags = Tags.of("island", limit.island, CLASS, limit.calls.word());
        return List.of(
                Gauge.builder("highway.inflight", () -> inFlight(limit))
                        .description("Calls in flight that have a permit")
                        .tags(tags)
                        .register(registry),
                Gauge.builder("highway.limit", () -> maxConcurrent(limit))
                        .description("The maximum number of calls in flight now")
                        .tags(tags)
                        .register(registry));
    }

    private int inFlight(Limit limit) {
        Destination destination = destination(limit.island, limit.calls);
        return destination == null ? 0 : destination.bulkhead().inFlight();
    }

    private @Nullable Integer maxConcurrent(Limit limit) {
        Destination destination = destination(limit.island, limit.calls);
        return destination == null ? null : destination.bulkhead().maxConcurrent();
    }

    /** Null until a reference needs the island. */
    private @Nullable Destination destination(String island, TrafficClass calls) {
        Destinations open = runtime.destinationsIfOpen();
        Destination destination = open == null ? null : open.of(island);
        return destination == null ? null : destination.of(calls);
    }

    private boolean isOpen(String island, Gateway gateway) {
        Destination destination = destination(island, gateway.trafficClass());
        return destination != null
                && destination.endpoints().stream()
                        .anyMatch(endpoint -> endpoint.address().equals(gateway.address())
                                && endpoint.status() == GatewayEndpoint.HealthStatus.OPEN);
    }

    private static Tags endpoint(String island, GatewayAddress gateway, TrafficClass calls) {
        return gateway(gateway, calls).and("island", island);
    }

    private static Tags gateway(GatewayAddress gateway, TrafficClass calls) {
        return Tags.of("tunnel", gateway.kind().word(), "gateway", gateway.hostAndPort(), CLASS, calls.word());
    }

    private String bounded(@Nullable String island) {
        Policy policy = runtime.policyIfEnabled();
        return island != null && policy != null && policy.knownIslands().contains(island) ? island : OTHER;
    }

    private Timer timer(Call call) {
        return Timer.builder("highway.calls")
                .description("Island-bound calls, from the decision to the end of the tunnelled call")
                .tag("island", call.island)
                .tag("tunnel", call.tunnel)
                .tag("outcome", call.outcome)
                .tag(CLASS, call.trafficClass.word())
                .register(registry);
    }

    private Counter counter(Fallback fallback) {
        return Counter.builder("highway.fallbacks")
                .description("Island-bound calls that home served instead")
                .tag("island", fallback.island)
                .tag("reason", fallback.reason)
                .register(registry);
    }
}
