// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.spring.actuate;

import io.highway.sdk.dubbo.HighwayRouting;
import io.highway.sdk.dubbo.outcome.CallOutcome;
import io.highway.sdk.dubbo.outcome.OutcomeListener;
import io.highway.sdk.dubbo.policy.Policy;
import io.highway.sdk.dubbo.policy.TunnelKind;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Counts and times the calls that are meant for islands.
 *
 * <ul>
 *   <li>{@code highway.calls}, a timer by {@code island}, {@code tunnel} ({@code dubbo}, {@code triple}, {@code none}) and
 *       {@code outcome} ({@code delivered}, {@code not-sent}, {@code sent-unknown}, {@code refused})
 *   <li>{@code highway.fallbacks}, a counter of the calls that home serves instead, by {@code island} and {@code reason}
 * </ul>
 *
 * {@code island} is a configured island or {@code other}, so that callers cannot make new series. Thread-safe.
 */
public class HighwayMeters implements OutcomeListener {

    private static final String OTHER = "other";

    private final MeterRegistry registry;
    private final HighwayRouting routing;
    private final Map<Call, Timer> calls = new ConcurrentHashMap<>();
    private final Map<Fallback, Counter> fallbacks = new ConcurrentHashMap<>();

    private record Call(String island, String tunnel, String outcome) {}

    private record Fallback(String island, String reason) {}

    /** Registers meters as calls come. */
    public HighwayMeters(MeterRegistry registry, HighwayRouting routing) {
        this.registry = registry;
        this.routing = routing;
    }

    @Override
    public void onOutcome(CallOutcome ended) {
        String island = bounded(ended.island());
        TunnelKind tunnel = ended.tunnel();
        Call call = new Call(
                island, tunnel == null ? "none" : tunnel.word(), ended.outcome().word());
        calls.computeIfAbsent(call, this::timer).record(ended.duration());
        if (ended.servedAtHome() && ended.reason() != null) {
            fallbacks
                    .computeIfAbsent(new Fallback(island, ended.reason().word()), this::counter)
                    .increment();
        }
    }

    private String bounded(@Nullable String island) {
        Policy policy = routing.policyIfEnabled();
        return island != null && policy != null && policy.knownIslands().contains(island) ? island : OTHER;
    }

    private Timer timer(Call call) {
        return Timer.builder("highway.calls")
                .description("Calls meant for an island, until their way out ended")
                .tag("island", call.island)
                .tag("tunnel", call.tunnel)
                .tag("outcome", call.outcome)
                .register(registry);
    }

    private Counter counter(Fallback fallback) {
        return Counter.builder("highway.fallbacks")
                .description("Calls meant for an island that home served instead")
                .tag("island", fallback.island)
                .tag("reason", fallback.reason)
                .register(registry);
    }
}
