// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.operate.report;

import io.highway.sdk.dubbo.HighwayProbe;
import io.highway.sdk.dubbo.internal.application.HighwayRuntime;
import io.highway.sdk.dubbo.internal.application.PolicySnapshot;
import io.highway.sdk.dubbo.internal.caller.endpoint.Destination;
import io.highway.sdk.dubbo.internal.caller.endpoint.Destinations;
import io.highway.sdk.dubbo.internal.caller.endpoint.GatewayEndpoint;
import io.highway.sdk.dubbo.internal.caller.route.RouteDecision;
import io.highway.sdk.dubbo.internal.policy.IslandPolicy;
import io.highway.sdk.dubbo.internal.policy.Policy;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.dubbo.common.BaseServiceMetadata;
import org.apache.dubbo.common.utils.NamedThreadFactory;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.apache.dubbo.rpc.model.ConsumerModel;

/** Probes islands, all endpoints at once, on threads that end with the probe. */
final class IslandProber {

    /** They wait most of the time: an island that does not answer takes several seconds for each endpoint. */
    private static final int MOST_THREADS = 256;

    private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(15);

    /** Asked if nothing is known that the island may have: its providers answer that they do not have it. */
    private static final String NO_SERVICE = HighwayProbe.class.getName();

    private final Destinations destinations;
    private final Policy policy;
    private final ApplicationModel application;
    private final long begun = System.nanoTime();

    private IslandProber(Destinations destinations, Policy policy, ApplicationModel application) {
        this.destinations = destinations;
        this.policy = policy;
        this.application = application;
    }

    /** See {@link HighwayProbe#run}. */
    static List<HighwayProbe> run(ApplicationModel application, Collection<String> islands) {
        HighwayRuntime runtime = application.getBeanFactory().getBean(HighwayRuntime.class);
        if (runtime == null || runtime.policyIfRead() == null) {
            return List.of();
        }
        Destinations opened = runtime.destinations();
        PolicySnapshot snapshot = runtime.snapshot();
        Policy policy = snapshot.policy();
        Collection<String> ids = new TreeSet<>(islands.isEmpty() ? policy.knownIslands() : islands);
        if (islands.isEmpty()) {
            ids.remove(policy.home());
            ids.removeIf(policy::isAlias);
        }
        List<IslandPolicy> policies =
                ids.stream().map(id -> policyOf(id, policy)).toList();
        IslandProber probes =
                new IslandProber(Objects.requireNonNullElse(snapshot.destinations(), opened), policy, application);
        List<Island> probed = new ArrayList<>();
        policies.forEach(island -> island.withServices()
                .filter(part -> part.routes().ofServices().isEmpty()
                        || part.routes().tunnels().stream().anyMatch(part::allows))
                .forEach(part -> probed.add(probes.new Island(part))));
        return probes.run(probed);
    }

    private static IslandPolicy policyOf(String island, Policy policy) {
        if (island.equals(policy.home())) {
            throw new IllegalArgumentException(
                    "\"" + island + "\" is the island of this process; probe another one: " + others(policy));
        }
        IslandPolicy known = policy.forIsland(island);
        if (known == null) {
            throw new IllegalArgumentException("\"" + island + "\" is not a configured island; there are "
                    + others(policy) + " (highway.islands.*)");
        }
        if (known.isAlias()) {
            throw new IllegalArgumentException("all calls of \"" + island + "\" go to " + known.servedBy()
                    + " (highway.islands." + island + ".served-by); probe that");
        }
        return known;
    }

    private static Collection<String> others(Policy policy) {
        Collection<String> others = new TreeSet<>(policy.knownIslands());
        others.remove(policy.home());
        return others;
    }

    private List<HighwayProbe> run(List<Island> islands) {
        long endpoints = islands.stream()
                .mapToLong(island -> island.destination.endpoints().size())
                .sum();
        ExecutorService threads = Executors.newFixedThreadPool(
                (int) Math.max(1, Math.min(MOST_THREADS, endpoints)), new NamedThreadFactory("highway-probe", true));
        try {
            islands.forEach(island -> island.start(threads));
            return islands.stream().map(Island::await).toList();
        } finally {
            threads.shutdownNow();
        }
    }

    private String service(Destination destination) {
        String used = destination.service(policy.local().heartbeat().service());
        return used != null
                ? used
                : application.getApplicationServiceRepository().allConsumerModels().stream()
                        .filter(model -> !model.getModuleModel().isInternal())
                        .map(ConsumerModel::getServiceKey)
                        .filter(key -> destination.serves(BaseServiceMetadata.interfaceFromServiceKey(key)))
                        .sorted()
                        .findFirst()
                        .orElse(NO_SERVICE);
    }

    /** One island while it is probed, or services of it with separate gateways. */
    private final class Island {

        private final Destination destination;
        private final String service;
        private final List<Future<HighwayProbe.Endpoint>> results = new ArrayList<>();

        Island(IslandPolicy island) {
            this.destination =
                    destinations.of(new RouteDecision.Tunnel(island.routes().tunnels(), island, false, 1));
            this.service = service(destination);
        }

        void start(ExecutorService threads) {
            int slowMillis = policy.local().heartbeat().slowMillis();
            for (GatewayEndpoint endpoint : destination.endpoints()) {
                EndpointProbe probe = new EndpointProbe(destinations, destination, endpoint, service, slowMillis);
                results.add(threads.submit(probe::run));
            }
        }

        HighwayProbe await() {
            List<HighwayProbe.Endpoint> endpoints = new ArrayList<>();
            for (int i = 0; i < results.size(); i++) {
                endpoints.add(result(results.get(i), destination.endpoints().get(i)));
            }
            return new HighwayProbe(
                    destination.island(),
                    endpoints.stream().anyMatch(HighwayProbe.Endpoint::reachable),
                    service,
                    List.copyOf(endpoints));
        }

        private HighwayProbe.Endpoint result(Future<HighwayProbe.Endpoint> result, GatewayEndpoint endpoint) {
            try {
                long left = Math.max(0, LONGEST_NANOS - (System.nanoTime() - begun));
                return result.get(left, TimeUnit.NANOSECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return unknown(endpoint, "the probe was interrupted");
            } catch (TimeoutException e) {
                return unknown(
                        endpoint,
                        "the probe did not end within " + LONGEST_NANOS / 1_000_000_000
                                + " s; the name of the gateway may not be resolved, or too many islands are probed");
            } catch (ExecutionException e) {
                return unknown(endpoint, "the probe failed: " + e.getCause());
            }
        }

        private HighwayProbe.Endpoint unknown(GatewayEndpoint endpoint, String problem) {
            return new HighwayProbe.Endpoint(
                    endpoint.address().kind(),
                    endpoint.address().hostAndPort(),
                    HighwayProbe.Result.FAILED,
                    HighwayProbe.Hop.LOCAL,
                    EndpointProbe.hops(HighwayProbe.Hop.LOCAL, false),
                    problem,
                    false,
                    null,
                    null,
                    List.of());
        }
    }
}
