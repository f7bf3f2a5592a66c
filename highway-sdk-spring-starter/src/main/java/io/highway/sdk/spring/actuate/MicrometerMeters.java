// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.spring.actuate;

import io.highway.sdk.dubbo.CallOutcome;
import io.highway.sdk.dubbo.GatewayAddress;
import io.highway.sdk.dubbo.GuardListener;
import io.highway.sdk.dubbo.HighwayMeters;
import io.highway.sdk.dubbo.NetworkListener;
import io.highway.sdk.dubbo.OutcomeListener;
import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.TrafficClass;
import io.highway.sdk.dubbo.TunnelKind;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.apache.dubbo.rpc.Invocation;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * Registers {@link HighwayMeters}, and meters of island-bound calls, of the endpoints to islands and of the guard, which
 * count events. {@code docs/reference/observability.md} lists all of them, and {@code MetersInDocsTest} compares both.
 *
 * <p>{@code island} is a configured island or {@code other}, so that callers cannot create new series. Thread-safe.
 */
class MicrometerMeters implements OutcomeListener, NetworkListener, GuardListener, SmartInitializingSingleton {

    private static final String CALLS = "highway.calls";
    private static final String FALLBACKS = "highway.fallbacks";
    private static final String SWITCHES = "highway.switches";
    private static final String HEARTBEAT = "highway.heartbeat";
    private static final String MISSED = "highway.heartbeat.missed";

    /** The meters that events register. */
    private static final Set<String> OF_EVENTS = Set.of(CALLS, FALLBACKS, SWITCHES, HEARTBEAT, MISSED);

    private static final String NONE = "none";
    private static final String ISLAND = "island";
    private static final String TUNNEL = "tunnel";
    private static final String CLASS = "class";
    private static final String REASON = "reason";
    private static final String TO = "to";

    private final MeterRegistry registry;
    private final HighwayMeters meters;
    private final Map<Call, Timer> calls = new ConcurrentHashMap<>();

    /** The meters that need no event; guarded by this. */
    private Map<Series, Meter> shown = Map.of();

    /** A meter before the registry's filters, which may rename it. */
    private record Series(String name, Map<String, String> tags) {}

    private record Call(String island, String tunnel, String outcome, String reason, TrafficClass trafficClass) {}
    /** Registers meters on demand. */
    MicrometerMeters(MeterRegistry registry, ApplicationModel application) {
        this.registry = registry;
        this.meters = HighwayMeters.of(application);
    }

    @Override
    public void onOutcome(CallOutcome ended, Invocation unused) {
        TunnelKind tunnel = ended.tunnel();
        Reason reason = ended.reason();
        String named = ended.island();
        String island = reason == Reason.UNKNOWN_ISLAND && named != null ? named : meters.island(named);
        Call call = new Call(
                island,
                tunnel == null ? NONE : tunnel.word(),
                ended.outcome().word(),
                reason == null ? NONE : reason.word(),
                ended.trafficClass());
        calls.computeIfAbsent(call, this::timer).record(ended.duration());
        Reason fallback = ended.fallbackReason();
        if (fallback != null) {
            count(
                    FALLBACKS,
                    "Island-bound calls that went to home, or to another island, instead",
                    Tags.of(ISLAND, meters.island(ended.askedIsland()), REASON, fallback.word())
                            .and(TO, ended.servedAtHome() ? "home" : island));
        }
    }

    @Override
    public void onTunnelChange(TunnelChange change) {
        Tags tags = Tags.of(ISLAND, meters.island(change.island()))
                .and(TO, change.to().word())
                .and(CLASS, change.trafficClass().word());
        count(SWITCHES, "Changes of the preferred tunnel of an island", tags);
    }

    @Override
    public synchronized void onHealthCheck(HealthCheck check) {
        GatewayAddress gateway = check.gateway();
        Map<String, String> endpoint = Map.of(
                ISLAND,
                meters.island(check.island()),
                TUNNEL,
                gateway.kind().word(),
                "gateway",
                gateway.hostAndPort(),
                CLASS,
                check.trafficClass().word());
        if (!meters.isUsed(endpoint)) {
            return; // began under an earlier policy, whose meters are removed
        }
        Duration roundTrip = check.roundTrip();
        if (roundTrip == null) {
            count(MISSED, "Health checks that the island has not answered", tags(endpoint));
        } else {
            Timer.builder(HEARTBEAT)
                    .description("Round trips of end-to-end health checks")
                    .tags(tags(endpoint))
                    .register(registry)
                    .record(roundTrip);
        }
    }

    @Override
    public void onGuard(GuardEvent event) {
        count(
                "highway.guard",
                "Calls that the guard of this process refused, would have refused, or marked",
                Tags.of("result", event.result().word(), REASON, event.reason()));
    }

    /** The registry keeps the counter. */
    private void count(String name, String description, Tags tags) {
        Counter.builder(name)
                .description(description)
                .tags(tags)
                .register(registry)
                .increment();
    }

    /** Registers the meters that need no call, which follow the policy; it has been read by now. */
    @Override
    public void afterSingletonsInstantiated() {
        meters.onChange(this::follow);
    }

    /** Removes the meters of what the active policy does not use, and adds those of what it does. */
    private synchronized void follow() {
        Map<Series, Meter> wanted = new HashMap<>();
        for (HighwayMeters.Meter meter : meters.meters()) {
            Series series = new Series(meter.name(), meter.tags());
            Meter known = shown.get(series); // Micrometer warns of a gauge that is registered again
            wanted.put(series, known == null ? register(meter) : known);
        }
        Set<Meter> kept = Set.copyOf(wanted.values()); // filters may make one meter of several
        shown.values().stream().filter(meter -> !kept.contains(meter)).forEach(registry::remove);
        shown = wanted;
        calls.keySet().removeIf(call -> !meters.isUsed(Map.of(ISLAND, call.island, REASON, call.reason)));
        for (Meter meter : registry.getMeters()) {
            if (OF_EVENTS.contains(meter.getId().getName()) && !meters.isUsed(tags(meter))) {
                registry.remove(meter);
            }
        }
    }

    private Meter register(HighwayMeters.Meter meter) {
        if (meter.isCounter()) {
            return FunctionCounter.builder(meter.name(), this, any -> meter.value()) // this, as it is weakly held
                    .description(meter.description())
                    .baseUnit(meter.unit())
                    .tags(tags(meter.tags()))
                    .register(registry);
        }
        return Gauge.builder(meter.name(), meter::value)
                .description(meter.description())
                .baseUnit(meter.unit())
                .tags(tags(meter.tags()))
                .register(registry);
    }

    private static Tags tags(Map<String, String> tags) {
        return Tags.of(tags.entrySet().stream()
                .map(tag -> Tag.of(tag.getKey(), tag.getValue()))
                .toList());
    }

    private static Map<String, String> tags(Meter meter) {
        return meter.getId().getTags().stream().collect(Collectors.toMap(Tag::getKey, Tag::getValue));
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
}
