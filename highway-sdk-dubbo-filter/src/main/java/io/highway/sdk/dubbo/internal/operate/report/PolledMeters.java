// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.operate.report;

import io.highway.sdk.dubbo.HighwayMeters;
import io.highway.sdk.dubbo.HighwayReport.Endpoint.State;
import io.highway.sdk.dubbo.InternalReports;
import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.TrafficClass;
import io.highway.sdk.dubbo.TunnelKind;
import io.highway.sdk.dubbo.internal.application.HighwayRuntime;
import io.highway.sdk.dubbo.internal.caller.endpoint.Destination;
import io.highway.sdk.dubbo.internal.memory.MemoryBudget;
import io.highway.sdk.dubbo.internal.network.connection.GatewayClients;
import io.highway.sdk.dubbo.internal.network.connection.IslandTraffic;
import io.highway.sdk.dubbo.internal.network.tls.CertificateRole;
import io.highway.sdk.dubbo.internal.operate.audit.AuditLog;
import io.highway.sdk.dubbo.internal.policy.GatewaySpec;
import io.highway.sdk.dubbo.internal.policy.IslandPolicy;
import io.highway.sdk.dubbo.internal.policy.Policy;
import io.highway.sdk.dubbo.internal.policy.RuleDifferences;
import io.highway.sdk.dubbo.internal.policy.source.PolicyState;
import io.highway.sdk.dubbo.internal.policy.source.PolicyUpdater;
import io.highway.sdk.internal.Texts;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.DoubleSupplier;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.jspecify.annotations.Nullable;

/** The meters of one application whose values are read when they are asked for, such as gauges. */
public final class PolledMeters implements HighwayMeters {

    private static final String OTHER = "other";
    private static final String ISLAND = "island";
    private static final String TUNNEL = "tunnel";
    private static final String GATEWAY = "gateway";
    private static final String CLASS = "class";

    private final HighwayRuntime runtime;

    /** Reads the meters of applications. */
    public static final class OfApplications implements InternalReports<HighwayMeters> {

        @Override
        public HighwayMeters of(ApplicationModel application) {
            return new PolledMeters(HighwayRuntime.of(application));
        }
    }

    /** Collects meters; services may share gateways, so only the first one of a name with its tags counts. */
    private static final class Collected {

        private final Map<List<Object>, Meter> meters = new LinkedHashMap<>();

        private void gauge(String name, String description, Map<String, String> tags, DoubleSupplier source) {
            add(new Meter(name, description, null, false, tags, source));
        }

        private void add(Meter meter) {
            meters.putIfAbsent(List.of(meter.name(), meter.tags()), meter);
        }
    }

    private PolledMeters(HighwayRuntime runtime) {
        this.runtime = runtime;
    }

    @Override
    public List<Meter> meters() {
        Policy policy = runtime.policyIfEnabled();
        if (policy == null) {
            return List.of();
        }
        Collected all = new Collected();
        addProcess(all);
        addPolicy(all);
        if (runtime.destinationsIfOpen() != null) {
            policy.gateways().forEach(gateway -> addConnection(gateway, all));
            policy.knownIslands().stream()
                    .filter(island -> !island.equals(policy.home())) // no call to home uses a gateway
                    .forEach(island -> addIsland(island, policy, all));
        }
        return List.copyOf(all.meters.values());
    }

    @Override
    public void onChange(Runnable listener) {
        if (runtime.policyIfEnabled() != null) {
            runtime.onSwap(any -> listener.run());
            PolicyUpdater.of(runtime.application()).onState(any -> listener.run());
        }
    }

    @Override
    public String island(@Nullable String island) {
        Policy policy = runtime.policyIfEnabled();
        return island != null && policy != null && policy.knownIslands().contains(island) ? island : OTHER;
    }

    @Override
    public boolean isUsed(Map<String, String> tags) {
        Policy policy = runtime.policyIfEnabled();
        if (policy == null) {
            return false;
        }
        String island = tags.get(ISLAND);
        String gateway = tags.get(GATEWAY);
        String to = tags.get("to"); // home, an island or a tunnel
        if (tags.containsKey("reason")
                && to != null
                && !to.equals("home")
                && !policy.knownIslands().contains(to)) {
            return false;
        }
        if (island != null && !island.equals(OTHER) && !policy.knownIslands().contains(island)) {
            return Reason.UNKNOWN_ISLAND.word().equals(tags.get("reason")); // only the active policy lacks it
        }
        Stream<GatewaySpec> gateways = island == null || island.equals(OTHER)
                ? policy.gateways().stream()
                : gateways(Objects.requireNonNull(policy.forIsland(island)));
        return gateway == null
                || gateways.anyMatch(known -> known.address().hostAndPort().equals(gateway)
                        && known.address().kind().word().equals(tags.get(TUNNEL))
                        && known.trafficClass().word().equals(tags.get(CLASS)));
    }

    private static Stream<GatewaySpec> gateways(IslandPolicy island) {
        return island.withServices()
                .flatMap(part -> part.trafficClasses().stream().flatMap(calls -> part.routes().tunnels().stream()
                        .flatMap(tunnel -> part.gateways(tunnel, calls).stream())));
    }

    private void addProcess(Collected all) {
        AuditLog audit = runtime.audit();
        if (audit != null) {
            all.add(new Meter(
                    "highway.audit.lost", "Audit lines that were not written", null, true, Map.of(), audit::lost));
        }
        MemoryBudget buffered = MemoryBudget.of(runtime.application().getFrameworkModel());
        all.add(new Meter(
                "highway.buffered",
                "Requests and answers that this process buffers and inflates, see max-buffered",
                "bytes",
                false,
                Map.of(),
                buffered::bytes));
        all.gauge(
                "highway.secrets.unusable",
                "Secrets whose files cannot be used; the last good secrets are active",
                Map.of(),
                () -> runtime.signatures().unusableSecrets().size());
    }

    private void addPolicy(Collected all) {
        PolicyState state = runtime.policyState();
        all.gauge(
                "highway.policy",
                "The active policy; refused if the published rule is wrong; 0 if no change of it arrives",
                Map.of(
                        "state", state.status().toString(),
                        "version", state.version(),
                        "hash", state.shortHash(),
                        "source", state.source()),
                () -> runtime.policyState().problem() == null ? 1 : 0);
        all.gauge(
                "highway.policy.unfollowed.seconds",
                "How long no change of the policy has arrived; 0 if changes arrive, or without a source",
                Map.of(),
                PolicyUpdater.of(runtime.application())::unfollowedSeconds);
        addMissing("islands", RuleDifferences::islands, all);
        addMissing("services", RuleDifferences::services, all);
        addMissing("keys", missing -> missing.keys().keySet(), all);
    }

    private void addMissing(String kind, Function<RuleDifferences, Set<String>> names, Collected all) {
        all.gauge(
                "highway.policy.missing",
                "Islands, services and keys that the static configuration names and the active policy does not",
                Map.of("kind", kind),
                () -> names.apply(runtime.policy().missing()).size());
    }

    private void addConnection(GatewaySpec gateway, Collected all) {
        Map<String, String> tags = tags(gateway);
        all.gauge(
                "highway.connections",
                "Whether a gateway is connected",
                tags,
                () -> runtime.gatewayState(gateway).isUp() ? 1 : 0);
        if (gateway.tls() != null) {
            for (CertificateRole kind : CertificateRole.values()) {
                all.gauge(
                        "highway.certificate.left.seconds",
                        "How long a certificate of a gateway's connection is still valid",
                        with("kind", Texts.word(kind), tags),
                        () -> secondsLeft(gateway, kind));
            }
        }
    }

    private static Map<String, String> tags(GatewaySpec gateway) {
        return Map.of(
                TUNNEL, gateway.address().kind().word(),
                GATEWAY, gateway.address().hostAndPort(),
                CLASS, gateway.trafficClass().word());
    }

    private static Map<String, String> with(String key, String value, Map<String, String> tags) {
        Map<String, String> all = new HashMap<>(tags);
        all.put(key, value);
        return Map.copyOf(all);
    }

    /** Not a number if there is no such certificate, or it is not known. Destinations are open, since there is the meter. */
    private double secondsLeft(GatewaySpec gateway, CertificateRole kind) {
        Instant ends = runtime.destinations().connections().certificateEnds(gateway, kind);
        return ends == null
                ? Double.NaN
                : Math.max(0, Duration.between(Instant.now(), ends).toSeconds());
    }

    private void addIsland(String island, Policy policy, Collected all) {
        IslandPolicy known = Objects.requireNonNull(policy.forIsland(island));
        for (TrafficClass calls : known.trafficClasses()) {
            addCalls(island, calls, known, all);
            known.routes().tunnels().forEach(tunnel -> addBytes(island, tunnel, calls, all));
        }
        gateways(known).forEach(gateway -> addEndpoint(island, gateway, all));
    }

    private void addCalls(String island, TrafficClass calls, IslandPolicy known, Collected all) {
        Map<String, String> tags = Map.of(ISLAND, island, CLASS, calls.word());
        all.gauge(
                "highway.inflight",
                "Calls in flight, without streams and without those that wait for a permit",
                tags,
                () -> of(island, calls, Destination::inFlight));
        if (known.concurrency(calls).isUnlimited()) {
            return;
        }
        all.gauge(
                "highway.waiting",
                "Calls that wait for a permit",
                tags,
                () -> of(island, calls, one -> one.bulkhead().waiting()));
        all.gauge(
                "highway.limit",
                "The maximum number of calls in flight now",
                tags,
                () -> of(island, calls, one -> one.bulkhead().maxConcurrent()));
    }

    /** Not a number if the island has no destination. */
    private double of(String island, TrafficClass calls, Function<Destination, @Nullable Number> value) {
        Destination destination = ReportBuilder.reached(island, runtime);
        Number known = destination == null ? null : value.apply(destination.of(calls));
        return known == null ? Double.NaN : known.doubleValue();
    }

    private void addBytes(String island, TunnelKind tunnel, TrafficClass calls, Collected all) {
        IslandTraffic.Bytes bytes = GatewayClients.of(runtime.application().getFrameworkModel())
                .traffic(tunnel, calls)
                .count(island);
        Map<String, String> tags = Map.of(ISLAND, island, TUNNEL, tunnel.word(), CLASS, calls.word());
        addBytes(with("direction", "out", tags), bytes::sent, all);
        addBytes(with("direction", "in", tags), bytes::received, all);
    }

    private static void addBytes(Map<String, String> tags, DoubleSupplier bytes, Collected all) {
        all.add(new Meter(
                "highway.bytes",
                "Bytes of calls and health checks, as frames of the tunnel's protocol before TLS",
                "bytes",
                true,
                tags,
                bytes));
    }

    private void addEndpoint(String island, GatewaySpec gateway, Collected all) {
        Map<String, String> tags = with(ISLAND, island, tags(gateway));
        all.gauge(
                "highway.breaker",
                "Whether the circuit breaker of an endpoint is open",
                tags,
                () -> is(State.OPEN, island, gateway));
        for (State state : EnumSet.complementOf(EnumSet.of(State.UNUSED))) {
            all.gauge(
                    "highway.endpoint",
                    "Whether an endpoint is in this state",
                    with("state", state.toString(), tags),
                    () -> is(state, island, gateway));
        }
    }

    private int is(State state, String island, GatewaySpec gateway) {
        Destination destination = ReportBuilder.reached(island, runtime);
        return destination != null
                        && destination.withServices().stream()
                                .flatMap(part -> part.of(gateway.trafficClass()).endpoints().stream())
                                .anyMatch(endpoint ->
                                        endpoint.address().equals(gateway.address()) && endpoint.status() == state)
                ? 1
                : 0;
    }
}
