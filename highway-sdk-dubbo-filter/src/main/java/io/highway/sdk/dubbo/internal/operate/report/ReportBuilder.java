// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.operate.report;

import io.highway.sdk.dubbo.CallOutcome;
import io.highway.sdk.dubbo.GatewayAddress;
import io.highway.sdk.dubbo.HighwayExplain;
import io.highway.sdk.dubbo.HighwayProbe;
import io.highway.sdk.dubbo.HighwayReport;
import io.highway.sdk.dubbo.HighwayReport.Endpoint;
import io.highway.sdk.dubbo.HighwayReport.Gateway;
import io.highway.sdk.dubbo.HighwayReport.Island;
import io.highway.sdk.dubbo.HighwayReport.LastOutcome;
import io.highway.sdk.dubbo.InternalReports;
import io.highway.sdk.dubbo.TrafficClass;
import io.highway.sdk.dubbo.TunnelKind;
import io.highway.sdk.dubbo.internal.application.HighwayRuntime;
import io.highway.sdk.dubbo.internal.application.IslandActivity;
import io.highway.sdk.dubbo.internal.caller.endpoint.Destination;
import io.highway.sdk.dubbo.internal.caller.endpoint.Destinations;
import io.highway.sdk.dubbo.internal.network.connection.ConnectionStatus;
import io.highway.sdk.dubbo.internal.policy.CallerOwner;
import io.highway.sdk.dubbo.internal.policy.IslandPolicy;
import io.highway.sdk.dubbo.internal.policy.Policy;
import io.highway.sdk.dubbo.internal.policy.source.PolicyState;
import io.highway.sdk.dubbo.internal.provider.guard.Guards;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.jspecify.annotations.Nullable;

/** Builds {@link HighwayReport}s. */
public final class ReportBuilder implements InternalReports<Optional<HighwayReport>> {

    /** Explains calls. */
    public static final class OfCalls implements InternalReports<Function<HighwayExplain.Call, List<HighwayExplain>>> {

        @Override
        public Function<HighwayExplain.Call, List<HighwayExplain>> of(ApplicationModel application) {
            HighwayRuntime runtime = application.getBeanFactory().getBean(HighwayRuntime.class);
            return runtime == null || runtime.policyIfRead() == null
                    ? call -> List.of()
                    : call -> CallExplainer.of(runtime, call);
        }
    }

    /** Probes islands. */
    public static final class OfIslands implements InternalReports<Function<Collection<String>, List<HighwayProbe>>> {

        @Override
        public Function<Collection<String>, List<HighwayProbe>> of(ApplicationModel application) {
            return islands -> IslandProber.run(application, islands);
        }
    }

    @Override
    public Optional<HighwayReport> of(ApplicationModel application) {
        HighwayRuntime runtime = application.getBeanFactory().getBean(HighwayRuntime.class);
        Policy policy = runtime == null ? null : runtime.policyIfRead();
        return policy == null ? Optional.empty() : Optional.of(of(runtime, policy));
    }

    /** The report of an application with the highway enabled. */
    public static HighwayReport of(HighwayRuntime runtime, Policy policy) {
        return new HighwayReport(
                policy.home(),
                activePolicy(runtime.policyState(), policy),
                policy.local().maxHops(),
                new HighwayReport.Signing(
                        policy.signing().ownId(),
                        policy.signing().accepted().keySet().stream().sorted().toList(),
                        runtime.signatures().unusableSecrets()),
                gateways(runtime, policy),
                Collections.unmodifiableMap(Guards.services(runtime.application())),
                policy.guard().callers().owners().stream()
                        .collect(Collectors.toMap(
                                one -> one.callers().toString(),
                                CallerOwner::owner,
                                (one, other) -> one,
                                LinkedHashMap::new)),
                islands(runtime, policy));
    }

    private static List<Gateway> gateways(HighwayRuntime runtime, Policy policy) {
        List<Gateway> gateways = new ArrayList<>();
        for (io.highway.sdk.dubbo.internal.policy.GatewaySpec gateway : policy.gateways()) {
            GatewayAddress address = gateway.address();
            ConnectionStatus state = runtime.gatewayState(gateway);
            gateways.add(new Gateway(
                    address.kind(),
                    address.hostAndPort(),
                    address.host(),
                    address.port(),
                    address.isSecured(),
                    policy.isGatewayOfHome(gateway),
                    gateway.trafficClass(),
                    state.state(),
                    state.problem()));
        }
        gateways.sort(Comparator.comparing(Gateway::tunnel)
                .thenComparing(Gateway::address)
                .thenComparing(Gateway::trafficClass));
        return List.copyOf(gateways);
    }

    private static Map<String, Island> islands(HighwayRuntime runtime, Policy policy) {
        Map<String, Island> islands = new TreeMap<>();
        for (String id : policy.knownIslands()) {
            if (policy.forIsland(id) != null) {
                islands.put(id, island(id, runtime, policy));
            }
        }
        return Collections.unmodifiableMap(islands);
    }

    private static HighwayReport.Policy activePolicy(PolicyState state, Policy policy) {
        PolicyState.Refusal refusal = state.refusal();
        return new HighwayReport.Policy(
                state.version(),
                state.hash(),
                state.status(),
                state.source(),
                text(state.since()),
                state.problem() != null ? state.problem() : policy.missing().problem(),
                refusal == null
                        ? null
                        : new HighwayReport.Refusal(
                                refusal.version(),
                                refusal.key(),
                                refusal.origin(),
                                refusal.reason(),
                                text(refusal.at())));
    }

    private static String text(Instant at) {
        return at.truncatedTo(ChronoUnit.MILLIS).toString();
    }

    private static Island island(String id, HighwayRuntime runtime, Policy policy) {
        Destination reached = reached(id, runtime);
        IslandActivity.Minute minute = runtime.activity().lastMinute(id);
        IslandPolicy first =
                Objects.requireNonNull(policy.forIsland(id)).parts().get(0);
        return new Island(
                tunnelInUse(first, runtime),
                reached == null ? null : reached.bulkhead().maxConcurrent(),
                reached == null ? List.of() : endpoints(reached),
                reached == null ? Map.of() : services(reached),
                reached == null ? null : bulk(reached),
                IslandView.settings(id, "", policy),
                reached == null ? 0 : reached.inFlight(),
                minute.calls(),
                minute.failures(),
                last(runtime.activity().of(id)));
    }

    private static List<Endpoint> endpoints(Destination destination) {
        return destination.endpoints().stream().map(IslandView::endpoint).toList();
    }

    private static Map<String, List<Endpoint>> services(Destination island) {
        Map<String, List<Endpoint>> services = new TreeMap<>();
        island.withServices().forEach(part -> services.put(part.policy().services(), endpoints(part)));
        services.remove(island.policy().services());
        return Collections.unmodifiableMap(services);
    }

    private static HighwayReport.@Nullable Bulk bulk(Destination island) {
        Destination bulk = island.of(TrafficClass.BULK);
        return bulk.trafficClass() == TrafficClass.BULK
                ? new HighwayReport.Bulk(
                        bulk.tunnel(),
                        bulk.bulkhead().maxConcurrent(),
                        bulk.bulkhead().inFlight(),
                        endpoints(bulk))
                : null;
    }

    /** The destination of an island, or null until a reference needs it. */
    static @Nullable Destination reached(String id, HighwayRuntime runtime) {
        Destinations open = runtime.destinationsIfOpen();
        return open == null ? null : open.of(id);
    }

    /**
     * The tunnel that calls to an island, or to the services of {@code part}, use now, or null if no endpoint accepts
     * calls. Until a reference needs the island, the first tunnel with a gateway that is connected.
     */
    private static @Nullable TunnelKind tunnelInUse(IslandPolicy part, HighwayRuntime runtime) {
        Destination reached = reached(part.island(), runtime);
        return reached != null
                ? reached.of(part).tunnel()
                : part.routes().tunnels().stream()
                        .filter(kind -> part.gateways(kind).stream().anyMatch(gateway -> runtime.gatewayState(gateway)
                                .isUp()))
                        .findFirst()
                        .orElse(null);
    }

    private static @Nullable LastOutcome last(IslandActivity.@Nullable LastOutcome last) {
        if (last == null) {
            return null;
        }
        CallOutcome ended = last.outcome();
        GatewayAddress gateway = ended.gateway();
        return new LastOutcome(
                ended.outcome(),
                ended.reason(),
                ended.call(),
                ended.tunnel(),
                gateway == null ? null : gateway.hostAndPort(),
                ended.servedAtHome(),
                ended.duration().toMillis(),
                text(last.endedAt()));
    }
}
