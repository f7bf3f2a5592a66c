// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.spring.actuate;

import io.highway.sdk.dubbo.HighwayReport;
import io.highway.sdk.dubbo.HighwayReport.Endpoint;
import io.highway.sdk.dubbo.HighwayReport.Gateway;
import io.highway.sdk.dubbo.HighwayReport.Island;
import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.internal.application.HighwayRuntime;
import io.highway.sdk.dubbo.internal.application.IslandActivity.LastOutcome;
import io.highway.sdk.dubbo.internal.operate.report.PlainValues;
import io.highway.sdk.dubbo.internal.operate.report.ReportBuilder;
import io.highway.sdk.dubbo.internal.policy.Policy;
import io.highway.sdk.internal.Texts;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Health {@code highway}, in this order:
 *
 * <ol>
 *   <li>{@code DOWN} if home has gateways, some reference needs them, and none is connected
 *   <li>the value of {@code management.health.highway.unreachable-island} if an island cannot be reached; its details
 *       are {@code DEGRADED} in any case
 *   <li>{@code UP}
 * </ol>
 *
 * An island is {@code UNKNOWN} in the details until it has answered; that is no problem. It cannot be reached while none
 * of its gateways is connected and accepts calls, while it answers no health check, or if its last call, less than a
 * minute ago, got no answer. The first two are looked at for the services of each pattern with separate gateways,
 * and for all others.
 */
record HighwayHealth(HighwayRuntime runtime, HighwayHealthProperties properties) {

    private static final Duration RECENT = Duration.ofMinutes(1);
    private static final Set<Reason> LOST_ON_ITS_WAY =
            Set.of(Reason.GATEWAY_DOWN, Reason.NOT_FORWARDED, Reason.CONNECTION_LOST);

    /** States of endpoints that accept no calls. */
    private static final Set<Endpoint.State> REFUSING = EnumSet.of(Endpoint.State.OPEN, Endpoint.State.DOWN);

    /** States of endpoints over which the island does not answer. */
    private static final Set<Endpoint.State> UNREACHABLE =
            EnumSet.of(Endpoint.State.MISROUTED, Endpoint.State.SILENT, Endpoint.State.OPEN, Endpoint.State.DOWN);

    /** States of endpoints over which it has answered. */
    private static final Set<Endpoint.State> ANSWERING =
            EnumSet.of(Endpoint.State.UP, Endpoint.State.SUSPECT, Endpoint.State.HALF_OPEN);

    /**
     * Reports the health now; Spring Boot 4 has other types for it than 3.
     *
     * @param status takes the code of a status
     * @param details takes each detail by its name
     */
    void check(Consumer<String> status, BiConsumer<String, Object> details) {
        Policy policy = runtime.policyIfEnabled();
        if (policy == null) {
            status.accept("UNKNOWN");
            return;
        }
        HighwayReport report = ReportBuilder.of(runtime, policy);
        Map<String, Map<String, Object>> islands = new LinkedHashMap<>();
        boolean isAnyInUse = report.gateways().stream().anyMatch(gateway -> gateway.state() != Gateway.State.UNUSED);
        boolean anyUnreachable = false;
        for (Map.Entry<String, Island> island : report.islands().entrySet()) {
            Map<String, Cause> causes = causes(island.getKey(), island.getValue(), isAnyInUse);
            islands.put(island.getKey(), details(island.getValue(), causes));
            anyUnreachable |= !causes.isEmpty();
        }
        String ofIslands = anyUnreachable ? properties.unreachableIsland().name() : "UP";
        status.accept(isCutOff(report) ? "DOWN" : ofIslands);
        details.accept("home", report.home());
        details.accept("policy", policyDetails(report.policy()));
        details.accept("gateways", PlainValues.of(report.gateways()));
        details.accept("islands", islands);
    }

    /** A policy that no longer changes leaves calls as they are, so it changes no status of the application. */
    private Map<String, Object> policyDetails(HighwayReport.Policy policy) {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("status", runtime.policyState().problem() == null ? "UP" : "DEGRADED");
        details.put("version", policy.version());
        if (policy.problem() != null) {
            details.put("problem", policy.problem());
        }
        return details;
    }

    /** Whether home is disconnected; gateways that no reference needs do not count. */
    private static boolean isCutOff(HighwayReport report) {
        Set<Gateway.State> homes = report.gateways().stream()
                .filter(Gateway::home)
                .map(Gateway::state)
                .collect(Collectors.toSet());
        return homes.contains(Gateway.State.DOWN) && !homes.contains(Gateway.State.UP);
    }

    /** Why an island is unreachable, by the pattern of its services; empty text for all others. */
    private Map<String, Cause> causes(String id, Island island, boolean isAnyInUse) {
        Map<String, List<Endpoint>> parts = new TreeMap<>(island.services());
        parts.put("", island.endpoints());
        parts.values().removeIf(List::isEmpty); // without separate gateways
        Map<String, Cause> causes = new TreeMap<>();
        if (parts.isEmpty()
                && isAnyInUse
                && island.tunnel() == null
                && !runtime.policy().isAlias(id)) {
            causes.put("", Cause.NO_ENDPOINT);
        }
        parts.forEach((pattern, endpoints) -> {
            List<Endpoint.State> states =
                    endpoints.stream().map(Endpoint::state).toList();
            if (REFUSING.containsAll(states)) {
                causes.put(pattern, Cause.NO_ENDPOINT);
            } else if (UNREACHABLE.containsAll(states)) {
                causes.put(pattern, Cause.NO_ANSWER);
            }
        });
        Cause last = causes.isEmpty() ? lastCall(id) : null;
        if (last != null) {
            causes.put("", last);
        }
        return causes;
    }

    private @Nullable Cause lastCall(String id) {
        LastOutcome last = runtime.activity().of(id);
        Reason reason = last == null ? null : last.outcome().reason();
        boolean lost = reason != null && LOST_ON_ITS_WAY.contains(reason);
        return last != null && lost && last.isWithin(RECENT) ? Cause.LAST_CALL : null;
    }

    private static Map<String, Object> details(Island island, Map<String, Cause> causes) {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("status", !causes.isEmpty() ? "DEGRADED" : hasAnswered(island) ? "UP" : "UNKNOWN");
        details.put("tunnel", island.tunnel() == null ? "none" : island.tunnel().word());
        if (causes.isEmpty()) {
            return details;
        }
        Cause cause = Collections.min(causes.values());
        details.put("cause", Texts.word(cause));
        details.put("problem", cause.problem);
        if (cause == Cause.LAST_CALL && island.lastOutcome() != null) {
            details.put("lastOutcome", PlainValues.of(island.lastOutcome()));
        } else if (causes.containsKey("")) {
            details.put("endpoints", PlainValues.of(island.endpoints()));
        }
        Map<String, List<Endpoint>> services = new TreeMap<>(island.services());
        services.keySet().retainAll(causes.keySet());
        if (!services.isEmpty()) {
            details.put("services", PlainValues.of(services));
        }
        return details;
    }

    private static boolean hasAnswered(Island island) {
        return Stream.concat(Stream.of(island.endpoints()), island.services().values().stream())
                .flatMap(List::stream)
                .anyMatch(endpoint -> ANSWERING.contains(endpoint.state()));
    }

    /** Why services of an island are unreachable. */
    private enum Cause {
        NO_ENDPOINT("no gateway is connected or takes calls"),
        NO_ANSWER("heartbeats are not answered"),
        LAST_CALL("the last call was lost on its way");

        private final String problem;

        Cause(String problem) {
            this.problem = problem;
        }
    }
}
