// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.spring.actuate;

import io.highway.sdk.dubbo.CallOutcome;
import io.highway.sdk.dubbo.GuardListener;
import io.highway.sdk.dubbo.NetworkListener;
import io.highway.sdk.dubbo.OutcomeListener;
import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.TrafficClass;
import io.highway.sdk.dubbo.TunnelKind;
import io.highway.sdk.dubbo.internal.audit.AuditLog;
import io.highway.sdk.dubbo.internal.config.Missing;
import io.highway.sdk.dubbo.internal.config.Policy;
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
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
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

    private final MeterRegistry registry;
    private final HighwayRuntime runtime;
    private final PolicyMeters ofPolicy;
    private final Map<Call, Timer> calls = new ConcurrentHashMap<>();
    private final Map<Fallback, Counter> fallbacks = new ConcurrentHashMap<>();
    private final Map<Guarded, Counter> guarded = new ConcurrentHashMap<>();

    private record Guarded(String result, String reason) {}

    private record Call(String island, String tunnel, String outcome, String reason, TrafficClass trafficClass) {}

    private record Fallback(String island, String reason) {}

    /** Registers meters on demand. */
    HighwayMeters(MeterRegistry registry, HighwayRuntime runtime) {
        this.registry = registry;
        this.runtime = runtime;
        this.ofPolicy = new PolicyMeters(registry, runtime);
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
                tunnel == null ? MeterTags.NONE : tunnel.word(),
                ended.outcome().word(),
                reason == null ? MeterTags.NONE : reason.word(),
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
                .tag(MeterTags.ISLAND, bounded(change.island()))
                .tag("to", change.to().word())
                .tag(MeterTags.CLASS, change.trafficClass().word())
                .register(registry)
                .increment();
    }

    @Override
    public synchronized void onHealthCheck(HealthCheck check) {
        Tags endpoint = MeterTags.endpoint(bounded(check.island()), check.gateway(), check.trafficClass());
        Policy policy = runtime.policyIfEnabled();
        if (policy == null || !MeterTags.isUsed(endpoint, policy)) {
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
                .tag(MeterTags.REASON, of.reason)
                .register(registry);
    }

    /** Registers the meters that need no call, which follow the policy; it has been read by now. */
    @Override
    public void afterSingletonsInstantiated() {
        if (runtime.policyIfEnabled() == null) {
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
        Gauge.builder(
                        "highway.secrets.unusable",
                        () -> runtime.signatures().unusableSecrets().size())
                .description("Secrets whose files cannot be used; the last good secrets are in force")
                .register(registry);
        showPolicy();
        runtime.onSwap(next -> follow());
        follow();
    }

    private void showPolicy() {
        MultiGauge inForce = MultiGauge.builder("highway.policy")
                .description(
                        "The policy in force; refused if the published rule is wrong; 0 if no change of it arrives")
                .register(registry);
        runtime.onPolicyState(state -> inForce.register(
                List.of(MultiGauge.Row.of(
                        Tags.of(
                                "state", state.status().toString(),
                                "version", state.version(),
                                "hash", state.shortHash(),
                                "source", state.source()),
                        () -> runtime.policyState().problem() == null ? 1 : 0)),
                true));
        Gauge.builder("highway.policy.unfollowed.seconds", runtime, HighwayRuntime::policyUnfollowedSeconds)
                .description("How long no change of the policy has arrived; 0 if changes arrive, or without a source")
                .register(registry);
        showMissing("islands", Missing::islands);
        showMissing("services", Missing::services);
        showMissing("keys", missing -> missing.keys().keySet());
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
        if (runtime.destinationsIfOpen() == null) {
            return;
        }
        Policy policy = runtime.policy();
        ofPolicy.follow(policy);
        calls.keySet()
                .removeIf(call ->
                        !MeterTags.isKnown(call.island, policy) && !MeterTags.UNKNOWN_ISLAND.equals(call.reason));
        fallbacks.keySet().removeIf(fallback -> !MeterTags.isKnown(fallback.island, policy));
        for (Meter meter : registry.getMeters()) {
            if (OF_EVENTS.contains(meter.getId().getName())
                    && !MeterTags.isUsed(Tags.of(meter.getId().getTags()), policy)) {
                registry.remove(meter);
            }
        }
    }

    private String bounded(@Nullable String island) {
        Policy policy = runtime.policyIfEnabled();
        return island != null && policy != null && policy.knownIslands().contains(island) ? island : MeterTags.OTHER;
    }

    private Timer timer(Call call) {
        return Timer.builder(CALLS)
                .description("Island-bound calls, from the decision to the end of the tunnelled call")
                .tag(MeterTags.ISLAND, call.island)
                .tag(MeterTags.TUNNEL, call.tunnel)
                .tag("outcome", call.outcome)
                .tag(MeterTags.REASON, call.reason)
                .tag(MeterTags.CLASS, call.trafficClass.word())
                .register(registry);
    }

    private Counter counter(Fallback fallback) {
        return Counter.builder(FALLBACKS)
                .description("Island-bound calls that home served instead")
                .tag(MeterTags.ISLAND, fallback.island)
                .tag(MeterTags.REASON, fallback.reason)
                .register(registry);
    }
}
