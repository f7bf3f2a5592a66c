// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.spring.actuate;

import io.highway.sdk.dubbo.CallOutcome;
import io.highway.sdk.dubbo.GatewayAddress;
import io.highway.sdk.dubbo.GuardListener;
import io.highway.sdk.dubbo.NetworkListener;
import io.highway.sdk.dubbo.OutcomeListener;
import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.TrafficClass;
import io.highway.sdk.dubbo.TunnelKind;
import io.highway.sdk.dubbo.internal.audit.AuditLog;
import io.highway.sdk.dubbo.internal.config.Gateway;
import io.highway.sdk.dubbo.internal.config.IslandPolicy;
import io.highway.sdk.dubbo.internal.config.Missing;
import io.highway.sdk.dubbo.internal.config.Policy;
import io.highway.sdk.dubbo.internal.connection.channel.GatewayTransports;
import io.highway.sdk.dubbo.internal.connection.channel.IslandTraffic;
import io.highway.sdk.dubbo.internal.connection.tls.CertificateKind;
import io.highway.sdk.dubbo.internal.endpoint.Destination;
import io.highway.sdk.dubbo.internal.endpoint.Destinations;
import io.highway.sdk.dubbo.internal.endpoint.GatewayEndpoint.HealthStatus;
import io.highway.sdk.dubbo.internal.limits.BufferedBytes;
import io.highway.sdk.dubbo.internal.runtime.HighwayRuntime;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.apache.dubbo.rpc.Invocation;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * Meters of island-bound calls, of the endpoints to islands and of the guard. {@code docs/reference/observability.md}
 * lists all of them, and {@code MetersInDocsTest} compares both.
 *
 * <p>{@code island} is a configured island or {@code other}, so that callers cannot create new series. Meters of gateways
 * and endpoints exist from the first use of gateways by a reference of the application, and as long as the policy in
 * force has them. Thread-safe.
 */
class HighwayMeters implements OutcomeListener, NetworkListener, GuardListener, SmartInitializingSingleton {

    private static final String CALLS = "highway.calls";
    private static final String FALLBACKS = "highway.fallbacks";
    private static final String SWITCHES = "highway.switches";
    private static final String HEARTBEAT = "highway.heartbeat";
    private static final String MISSED = "highway.heartbeat.missed";

    /** The meters that events register. */
    private static final Set<String> OF_EVENTS = Set.of(CALLS, FALLBACKS, SWITCHES, HEARTBEAT, MISSED);

    private static final String OTHER = "other";
    private static final String NONE = "none";
    private static final String ISLAND = "island";
    private static final String TUNNEL = "tunnel";
    private static final String GATEWAY = "gateway";
    private static final String CLASS = "class";
    private static final String REASON = "reason";

    /** Of calls to islands that only the policy in force does not name: their series stay. */
    private static final String UNKNOWN_ISLAND = Reason.UNKNOWN_ISLAND.word();

    private final MeterRegistry registry;
    private final HighwayRuntime runtime;
    private final Map<Call, Timer> calls = new ConcurrentHashMap<>();
    private final Map<Fallback, Counter> fallbacks = new ConcurrentHashMap<>();
    private final Map<Guarded, Counter> guarded = new ConcurrentHashMap<>();

    /** The meters of the policy in force. */
    private Map<Shown, Meter> shown = Map.of();

    /** A meter before the registry's filters, which may rename it. */
    private record Shown(String name, Tags tags) {}

    private record Guarded(String result, String reason) {}

    private record Call(String island, String tunnel, String outcome, String reason, TrafficClass trafficClass) {}

    private record Fallback(String island, String reason) {}

    /** Registers meters on demand. */
    HighwayMeters(MeterRegistry registry, HighwayRuntime runtime) {
        this.registry = registry;
        this.runtime = runtime;
    }

    @Override
    public void onOutcome(CallOutcome ended, Invocation unused) {
        count(ended);
    }

    void count(CallOutcome ended) {
        TunnelKind tunnel = ended.tunnel();
        Reason reason = ended.reason();
        String named = ended.island();
        String island = reason == Reason.UNKNOWN_ISLAND && named != null ? named : bounded(named);
        Call call = new Call(
                island,
                tunnel == null ? NONE : tunnel.word(),
                ended.outcome().word(),
                reason == null ? NONE : reason.word(),
                ended.trafficClass());
        calls.computeIfAbsent(call, this::timer).record(ended.duration());
        if (ended.servedAtHome() && reason != null) {
            fallbacks
                    .computeIfAbsent(new Fallback(island, reason.word()), this::counter)
                    .increment();
        }
    }

    @Override
    public void onTunnelChange(TunnelChange change) {
        Counter.builder(SWITCHES)
                .description("Changes of the preferred tunnel of an island")
                .tag(ISLAND, bounded(change.island()))
                .tag("to", change.to().word())
                .tag(CLASS, change.trafficClass().word())
                .register(registry)
                .increment();
    }

    @Override
    public synchronized void onHealthCheck(HealthCheck check) {
        Tags endpoint = endpoint(bounded(check.island()), check.gateway(), check.trafficClass());
        Policy policy = runtime.policyIfEnabled();
        if (policy == null || !isUsed(endpoint, policy)) {
            return; // began under an earlier policy, whose meters are removed
        }
        Duration roundTrip = check.roundTrip();
        if (roundTrip == null) {
            Counter.builder(MISSED)
                    .description("Health checks that the island has not answered")
                    .tags(endpoint)
                    .register(registry)
                    .increment();
        } else {
            Timer.builder(HEARTBEAT)
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
                .tag(REASON, of.reason)
                .register(registry);
    }

    /** Registers the meters that need no call, which follow the policy; it has been read by now. */
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
        BufferedBytes buffered = BufferedBytes.of(runtime.application().getFrameworkModel());
        Gauge.builder("highway.buffered", buffered, BufferedBytes::bytes)
                .description("Requests and answers that this process buffers and inflates, see max-buffered")
                .baseUnit("bytes")
                .register(registry);
        MultiGauge inForce = MultiGauge.builder("highway.policy")
                .description(
                        "The policy in force; refused if the published rule is wrong; 0 if no change of it arrives")
                .register(registry);
        runtime.onPolicyState(state -> inForce.register(
                List.of(MultiGauge.Row.of(
                        Tags.of(
                                "state", state.word(),
                                "version", state.version(),
                                "hash", state.shortHash(),
                                "source", state.source()),
                        () -> runtime.policyState().problem() == null ? 1 : 0)),
                true));
        Gauge.builder("highway.policy.unfollowed.seconds", runtime, HighwayRuntime::policyUnfollowedSeconds)
                .description("How long no change of the policy has arrived; 0 if changes arrive, or without a source")
                .register(registry);
        Gauge.builder(
                        "highway.secrets.unusable",
                        () -> runtime.signatures().unusableSecrets().size())
                .description("Secrets whose files cannot be used; the last good secrets are in force")
                .register(registry);
        showMissing("islands", Missing::islands);
        showMissing("services", Missing::services);
        showMissing("keys", missing -> missing.keys().keySet());
        runtime.onSwap(next -> follow());
        follow();
    }

    private void showMissing(String kind, Function<Missing, Set<String>> names) {
        Gauge.builder(
                        "highway.policy.missing",
                        () -> names.apply(runtime.policy().missing()).size())
                .description(
                        "Islands, services and keys that the static configuration names and the policy in force does not")
                .tag("kind", kind)
                .register(registry);
    }

    /** Removes the meters of what the policy in force does not use, and adds those of what it does. */
    private synchronized void follow() {
        Destinations open = runtime.destinationsIfOpen();
        if (open == null) {
            return;
        }
        Policy policy = runtime.policy();
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
            gatewaysTo(island, policy).forEach(gateway -> showEndpoint(island, gateway, wanted));
        }
        Set<Meter> kept = Set.copyOf(wanted.values()); // filters may make one meter of several
        shown.values().stream().filter(meter -> !kept.contains(meter)).forEach(registry::remove);
        shown = wanted;
        calls.keySet().removeIf(call -> !isKnown(call.island, policy) && !UNKNOWN_ISLAND.equals(call.reason));
        fallbacks.keySet().removeIf(fallback -> !isKnown(fallback.island, policy));
        for (Meter meter : registry.getMeters()) {
            if (OF_EVENTS.contains(meter.getId().getName())
                    && !isUsed(Tags.of(meter.getId().getTags()), policy)) {
                registry.remove(meter);
            }
        }
    }

    /** Whether the policy has the island and the endpoint of a meter, as far as its tags name them. */
    private static boolean isUsed(Tags tags, Policy policy) {
        Map<String, String> values = new HashMap<>();
        tags.forEach(tag -> values.put(tag.getKey(), tag.getValue()));
        String island = values.get(ISLAND);
        String gateway = values.get(GATEWAY);
        if (island != null && !isKnown(island, policy)) {
            return UNKNOWN_ISLAND.equals(values.get(REASON));
        }
        return gateway == null
                || gatewaysTo(island, policy)
                        .anyMatch(known -> known.address().hostAndPort().equals(gateway)
                                && known.address().kind().word().equals(values.get(TUNNEL))
                                && known.trafficClass().word().equals(values.get(CLASS)));
    }

    private static Stream<Gateway> gatewaysTo(@Nullable String island, Policy policy) {
        if (island == null || island.equals(OTHER)) {
            return policy.gateways().stream();
        }
        IslandPolicy known = Objects.requireNonNull(policy.forIsland(island));
        return known.withServices().flatMap(part -> part.trafficClasses().stream()
                .flatMap(calls -> part.tunnels().stream().flatMap(tunnel -> part.gateways(tunnel, calls).stream())));
    }

    private static boolean isKnown(String island, Policy policy) {
        return island.equals(OTHER) || policy.knownIslands().contains(island);
    }

    private void showConnection(Gateway gateway, Map<Shown, Meter> wanted) {
        showGauge(
                "highway.connections",
                "Whether a gateway is connected",
                gateway(gateway.address(), gateway.trafficClass()),
                () -> runtime.gatewayState(gateway).isUp() ? 1 : 0,
                wanted);
        if (gateway.tls() != null) {
            for (CertificateKind kind : CertificateKind.values()) {
                showGauge(
                        "highway.certificate.left.seconds",
                        "How long a certificate of a gateway's connection is still valid",
                        gateway(gateway.address(), gateway.trafficClass()).and("kind", kind.word()),
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
        Tags tags = endpoint(island, gateway.address(), gateway.trafficClass());
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
        Tags tags = Tags.of(ISLAND, island, CLASS, calls.word());
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
        Tags tags = Tags.of(ISLAND, island, TUNNEL, tunnel.word(), CLASS, calls.word());
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

    private static Tags endpoint(String island, GatewayAddress gateway, TrafficClass calls) {
        return gateway(gateway, calls).and(ISLAND, island);
    }

    private static Tags gateway(GatewayAddress gateway, TrafficClass calls) {
        return Tags.of(TUNNEL, gateway.kind().word(), GATEWAY, gateway.hostAndPort(), CLASS, calls.word());
    }

    private String bounded(@Nullable String island) {
        Policy policy = runtime.policyIfEnabled();
        return island != null && policy != null && policy.knownIslands().contains(island) ? island : OTHER;
    }

    private Timer timer(Call call) {
        return Timer.builder(CALLS)
                .description("Island-bound calls, from the decision to the end of the tunnelled call")
                .tag(ISLAND, call.island)
                .tag(TUNNEL, call.tunnel)
                .tag("outcome", call.outcome)
                .tag(REASON, call.reason)
                .tag(CLASS, call.trafficClass.word())
                .register(registry);
    }

    private Counter counter(Fallback fallback) {
        return Counter.builder(FALLBACKS)
                .description("Island-bound calls that home served instead")
                .tag(ISLAND, fallback.island)
                .tag(REASON, fallback.reason)
                .register(registry);
    }
}
