// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.spring.actuate;

import io.highway.sdk.dubbo.HighwayReport;
import io.highway.sdk.dubbo.HighwayReport.Gateway;
import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.ops.Reports;
import io.highway.sdk.dubbo.policy.Policy;
import io.highway.sdk.dubbo.runtime.HighwayRuntime;
import io.highway.sdk.dubbo.runtime.LastOutcomes.LastOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.health.AbstractHealthIndicator;
import org.springframework.boot.actuate.health.Health;

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
 * An island cannot be reached while none of its gateways is connected and accepts calls, while it answers no health
 * check, or if its last call, less than a minute ago, got no answer.
 */
public class HighwayHealthIndicator extends AbstractHealthIndicator {

    private static final Duration RECENT = Duration.ofMinutes(1);
    private static final Set<Reason> LOST_ON_ITS_WAY =
            Set.of(Reason.GATEWAY_DOWN, Reason.NOT_FORWARDED, Reason.CONNECTION_LOST);

    /** States of endpoints over which the island does not answer. */
    private static final Set<String> UNREACHABLE = Set.of("silent", "open", "down");

    private final HighwayRuntime routing;
    private final HighwayHealthProperties properties;

    /** For the application that {@code routing} belongs to. */
    public HighwayHealthIndicator(HighwayRuntime routing, HighwayHealthProperties properties) {
        super("Highway health check failed");
        this.routing = routing;
        this.properties = properties;
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) {
        Policy policy = routing.policyIfEnabled();
        if (policy == null) {
            builder.unknown();
            return;
        }
        HighwayReport report = Reports.of(routing, policy);
        Map<String, Map<String, String>> islands = new LinkedHashMap<>();
        List<String> unreachable = new ArrayList<>();
        report.islands().forEach((id, island) -> {
            String problem = problem(id, island, report);
            islands.put(id, details(island, problem));
            if (problem != null) {
                unreachable.add(id);
            }
        });
        if (isCutOff(report)) {
            builder.down();
        } else if (!unreachable.isEmpty()) {
            builder.status(properties.getUnreachableIsland().name());
        } else {
            builder.up();
        }
        builder.withDetail("home", report.home())
                .withDetail("gateways", gateways(report))
                .withDetail("islands", islands);
    }

    /** Whether home is disconnected; gateways that no reference needs do not count. */
    private static boolean isCutOff(HighwayReport report) {
        List<Gateway> homes = report.gateways().stream().filter(Gateway::home).toList();
        return homes.stream().anyMatch(gateway -> gateway.state().equals("down"))
                && homes.stream().noneMatch(gateway -> gateway.state().equals("up"));
    }

    private @Nullable String problem(String id, HighwayReport.Destination island, HighwayReport report) {
        boolean anyTried =
                report.gateways().stream().anyMatch(gateway -> !gateway.state().equals("unused"));
        if (anyTried && island.tunnel().equals("none")) {
            return "no gateway is connected or takes calls" + problems(island);
        }
        if (!island.endpoints().isEmpty()
                && island.endpoints().stream().allMatch(endpoint -> UNREACHABLE.contains(endpoint.state()))) {
            return "heartbeats are not answered" + problems(island);
        }
        LastOutcome last = routing.lastOutcomes().of(id);
        Reason reason = last == null ? null : last.outcome().reason();
        boolean lost = reason != null && LOST_ON_ITS_WAY.contains(reason);
        return last != null && lost && last.isWithin(RECENT)
                ? "the last call ended as " + reason + " at " + last.endedAt()
                : null;
    }

    private static String problems(HighwayReport.Destination island) {
        return island.endpoints().stream()
                .map(endpoint -> endpoint.tunnel() + " " + endpoint.gateway() + ": " + endpoint.problem())
                .collect(Collectors.joining("; ", " (", ")"))
                .replace(" ()", "");
    }

    private static Map<String, String> details(HighwayReport.Destination island, @Nullable String problem) {
        Map<String, String> details = new LinkedHashMap<>();
        details.put("status", problem == null ? "UP" : "DEGRADED");
        details.put("tunnel", island.tunnel());
        if (problem != null) {
            details.put("problem", problem);
        }
        return details;
    }

    private static Map<String, String> gateways(HighwayReport report) {
        Map<String, String> gateways = new LinkedHashMap<>();
        for (Gateway gateway : report.gateways()) {
            gateways.put(
                    gateway.tunnel() + " " + gateway.address(),
                    gateway.problem() == null ? gateway.state() : gateway.state() + ": " + gateway.problem());
        }
        return gateways;
    }
}
