// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.caller.endpoint;

import io.highway.sdk.dubbo.HighwayReport.Endpoint.State;
import io.highway.sdk.dubbo.NetworkListener;
import io.highway.sdk.dubbo.TrafficClass;
import io.highway.sdk.dubbo.TunnelKind;
import io.highway.sdk.dubbo.internal.caller.endpoint.ProbeSchedule.Cause;
import io.highway.sdk.dubbo.internal.limits.Bulkhead;
import io.highway.sdk.dubbo.internal.network.compression.EncodingSelector;
import io.highway.sdk.dubbo.internal.network.connection.ReconnectingLink;
import io.highway.sdk.dubbo.internal.policy.GatewaySpec;
import io.highway.sdk.dubbo.internal.policy.IslandPolicy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.dubbo.common.logger.Logger;
import org.apache.dubbo.common.logger.LoggerFactory;
import org.jspecify.annotations.Nullable;

/**
 * One island as a destination of this process, by one policy: its endpoints, its preferred tunnel and its concurrency
 * limit. A call uses one destination to its end; {@link #with} makes the one for another policy. Bulk calls have a
 * destination for themselves, {@link #of(TrafficClass)}, so that they share neither connections nor health nor limits
 * with other calls. Services with separate gateways have one, too, {@link #of(IslandPolicy)}, which shares the
 * concurrency limit. Thread-safe.
 */
public final class Destination {

    private static final Set<State> TAKEN = EnumSet.complementOf(EnumSet.of(State.OPEN, State.DOWN));

    /** States in which calls are likely to reach the island. */
    private static final Set<State> REACHING = EnumSet.of(State.UP, State.UNKNOWN, State.SUSPECT, State.HALF_OPEN);

    private static final Logger log = LoggerFactory.getLogger(Destination.class);

    private final IslandContext context;
    private final TrafficClass calls;
    private final IslandPolicy policy;
    private final EndpointOrder endpoints;
    private final Bulkhead bulkhead;
    private final IslandUsage use;
    private final TunnelSelector selector;
    private final EncodingSelector encodings;
    private final HealthCheckedDestination probed;

    /** The destination of bulk calls; null if none is, or if this is it. */
    private final @Nullable Destination bulk;

    /** The destination of the island's other services, if this is one of services with separate gateways. */
    private final @Nullable Destination whole;

    /** Those of services with separate gateways, by pattern. */
    private final Map<String, Destination> ofServices;

    /**
     * Opens no connection.
     *
     * @param connectionTo the connection to a gateway of the policy
     */
    Destination(IslandContext context, IslandPolicy policy, Function<GatewaySpec, ReconnectingLink> connectionTo) {
        this(context, TrafficClass.INTERACTIVE, policy, connectionTo, null, null);
    }

    private Destination(
            IslandContext context,
            TrafficClass calls,
            IslandPolicy policy,
            Function<GatewaySpec, ReconnectingLink> connectionTo,
            @Nullable Destination before,
            @Nullable Destination whole) {
        this.context = context;
        this.calls = calls;
        this.policy = policy;
        this.whole = whole;
        this.endpoints = new EndpointOrder(
                connections(connectionTo),
                before == null ? null : before.endpoints,
                known -> known.follow(policy.limits().breaking(), this::probe),
                this::endpoint);
        this.bulkhead = whole != null
                ? whole.bulkhead
                : Bulkhead.after(before == null ? null : before.bulkhead, policy.concurrency(calls), calls);
        this.use = before == null ? new IslandUsage() : before.use;
        this.encodings = new EncodingSelector(policy, context.encodings());
        this.probed = new HealthCheckedDestination(
                context.island(), policy, whole == null ? policy : whole.policy, encodings, use);
        this.selector = before != null
                        && before.policy
                                .routes()
                                .tunnels()
                                .equals(policy.routes().tunnels())
                ? before.selector
                : new TunnelSelector(policy.routes().tunnels());
        this.bulk = bulk(connectionTo, before);
        this.ofServices = ofServices(connectionTo, before);
    }

    private @Nullable Destination bulk(
            Function<GatewaySpec, ReconnectingLink> connectionTo, @Nullable Destination before) {
        return calls == TrafficClass.BULK || policy.limits().bulk() == null
                ? null
                : new Destination(
                        context,
                        TrafficClass.BULK,
                        policy,
                        connectionTo,
                        before == null ? null : before.bulk,
                        whole == null ? null : whole.bulk);
    }

    private Map<String, Destination> ofServices(
            Function<GatewaySpec, ReconnectingLink> connectionTo, @Nullable Destination before) {
        Map<String, Destination> parts = new HashMap<>();
        if (calls == TrafficClass.INTERACTIVE) {
            for (IslandPolicy part : policy.routes().ofServices()) {
                Destination known = before == null ? null : before.ofServices.get(part.services());
                parts.put(part.services(), new Destination(context, calls, part, connectionTo, known, this));
            }
        }
        return Map.copyOf(parts);
    }

    /** Those that its policy names; they are in use from now on. */
    private List<ReconnectingLink> connections(Function<GatewaySpec, ReconnectingLink> connectionTo) {
        return policy.routes().tunnels().stream()
                .flatMap(kind -> policy.gateways(kind, calls).stream())
                .limit(EndpointOrder.MOST_ENDPOINTS)
                .map(connectionTo)
                .toList();
    }

    /** Whether all of its endpoints use these connections; one of an island that was left out may be closed. */
    private boolean uses(Function<GatewaySpec, ReconnectingLink> connectionTo) {
        return endpoints.use(connections(connectionTo))
                && (bulk == null || bulk.uses(connectionTo))
                && ofServices.values().stream().allMatch(part -> part.uses(connectionTo));
    }

    private GatewayEndpoint endpoint(ReconnectingLink connection) {
        String name = "island " + name() + " over " + connection.name();
        HealthChecker heartbeat = context.heartbeat();
        return new GatewayEndpoint(
                island(),
                name,
                connection,
                new EndpointHealth(
                        name, policy.limits().breaking(), heartbeat.schedule(), heartbeat::holdNanos, clock()),
                this::probe,
                context.listeners());
    }

    private LongSupplier clock() {
        return context.connections().clock();
    }

    /**
     * The destination for another policy of the island: this one if nothing of it changes. Otherwise the new one takes
     * over the health of the endpoints that remain, the breakers and the concurrency limit whose settings remain, and
     * how the island is used. Calls that began with this destination keep it.
     */
    Destination with(IslandPolicy next, Function<GatewaySpec, ReconnectingLink> connectionTo) {
        return next.equals(policy) && uses(connectionTo)
                ? this
                : new Destination(context, calls, next, connectionTo, this, null);
    }

    /** The destination of calls of this class: this one, or that of bulk calls if the policy has any. */
    public Destination of(TrafficClass ofCalls) {
        Destination known = bulk;
        return ofCalls == TrafficClass.BULK && known != null ? known : this;
    }

    /** The destination of calls that were decided with this policy: this one, or that of its services. */
    public Destination of(IslandPolicy decided) {
        return ofServices.getOrDefault(decided.services(), this);
    }

    /** This one, and those of services with separate gateways, by pattern. */
    public List<Destination> withServices() {
        return policy.withServices().map(this::of).toList();
    }

    /** Those of all services and classes, with this one first. */
    List<Destination> all() {
        return withServices().stream()
                .flatMap(part -> Stream.concat(Stream.of(part), Stream.ofNullable(part.bulk)))
                .toList();
    }

    /** Whether it is the one of calls of an interface. */
    public boolean serves(String interfaceName) {
        return probed.serves(interfaceName);
    }

    /** The class of the calls. */
    public TrafficClass trafficClass() {
        return calls;
    }

    /** The island's id. */
    public String island() {
        return context.island();
    }

    /** The island, and the services if it is for a part of them, for messages. */
    private String name() {
        return island() + (policy.services().isEmpty() ? "" : " (" + policy.services() + ")");
    }

    /** Its policy. */
    public IslandPolicy policy() {
        return policy;
    }

    /** The choice of the encoding of requests by Triple. */
    public EncodingSelector encodings() {
        return encodings;
    }

    /** The endpoints of its class of calls, in the order of the policy. */
    public List<GatewayEndpoint> endpoints() {
        return endpoints.all();
    }

    /** The concurrency limit of its class of calls. */
    public Bulkhead bulkhead() {
        return bulkhead;
    }

    /** Counts the calls of its class to the island that have not ended, without streams. */
    public LongAdder calls() {
        return whole == null ? use.calls() : whole.calls();
    }

    /** The calls of its class in flight, without streams; those that wait for a permit are not. */
    public long inFlight() {
        return bulkhead.isUnlimited() ? calls().sum() : bulkhead.inFlight();
    }

    /** A number for each call, for round-robin over the endpoints. */
    public int nextPosition() {
        return use.nextPosition();
    }

    /** What its health checks ask for. */
    HealthCheckedDestination probed() {
        return probed;
    }

    /** How it is used, with the island's other policies. */
    IslandUsage use() {
        return use;
    }

    /**
     * The service that health checks call, as {@code [group/]interface[:version]}: the configured one, if it is served
     * here, else one in use; null until a call named one.
     */
    public @Nullable String service(@Nullable String configured) {
        return probed.service(configured);
    }

    /** Records a call to this service; {@code delivered} if the island has answered it. */
    public void used(String serviceKey, boolean delivered) {
        use.used(serviceKey, delivered);
    }

    private boolean probe(GatewayEndpoint endpoint) {
        return probe(endpoint, Cause.CALL_UNANSWERED);
    }

    private boolean probe(GatewayEndpoint endpoint, Cause cause) {
        return context.heartbeat().probe(endpoint, probed, cause, clock().getAsLong());
    }

    /**
     * The next endpoint to try, see {@link EndpointOrder}. It has admitted the call, which must report its result.
     *
     * @param tunnels what can carry the call
     * @param position from {@link #nextPosition}
     * @param tried endpoints that are excluded, by their {@link #bit}
     * @return null if no endpoint is connected and accepts calls
     */
    public @Nullable GatewayEndpoint enterNext(List<TunnelKind> tunnels, int position, long tried) {
        return endpoints.next(tunnels, selector.first(), position, tried, GatewayEndpoint::tryEnter);
    }

    /** The endpoints in the order in which the next call would try them, if none of them carries it. Admits nothing. */
    public List<GatewayEndpoint> order(List<TunnelKind> tunnels) {
        return endpoints.preview(tunnels, selector.first(), use.position());
    }

    /** The bit of an endpoint among those that were tried. */
    public long bit(GatewayEndpoint endpoint) {
        return endpoints.bit(endpoint);
    }

    /** Continues a call that has waited, on another thread than the one that ended its wait. */
    public void resume(Runnable rest) {
        context.connections().resume(rest);
    }

    /** Whether every endpoint that can carry the call has been tried. */
    public boolean isEveryTried(List<TunnelKind> tunnels, long tried) {
        return endpoints.untried(tunnels, tried).findAny().isEmpty();
    }

    /**
     * Whether an endpoint is connected, or its first connection attempt after start-up or after a disconnect has not
     * ended. Does not block.
     */
    public boolean mayBeConnected(List<TunnelKind> tunnels) {
        for (GatewayEndpoint endpoint : endpoints.all()) { // runs for every call that home may serve
            if (tunnels.contains(endpoint.kind()) && endpoint.connection().mayBeUp()) {
                return true;
            }
        }
        return false;
    }

    /**
     * Whether a connection is new, lost or drains, and no connection attempt has ended since. Does not block.
     *
     * @param tried the bits of endpoints that do not count
     */
    public boolean isConnecting(List<TunnelKind> tunnels, long tried) {
        return endpoints.connecting(tunnels, tried).findAny().isPresent();
    }

    /**
     * Completes when an endpoint is connected, or the first connection attempt of each after start-up or after a
     * disconnect has ended; null if that is already the case.
     *
     * @param tried the bits of endpoints that count only if no other one is connecting
     */
    public @Nullable CompletableFuture<?> connected(List<TunnelKind> tunnels, long tried) {
        long excluded = isConnecting(tunnels, tried) ? tried : 0;
        Stream<GatewayEndpoint> awaited =
                isConnecting(tunnels, excluded) ? endpoints.connecting(tunnels, excluded) : endpoints.of(tunnels);
        return context.connections()
                .attempted(awaited.map(GatewayEndpoint::connection).toList());
    }

    /**
     * If the only endpoints that could carry a call do not answer: requests health checks, and completes with the first
     * answer. Null if calls should not wait: an endpoint accepts calls, or health checks have been unanswered for too
     * long.
     */
    public @Nullable CompletableFuture<?> answer(List<TunnelKind> tunnels) {
        List<CompletableFuture<@Nullable Void>> awaited = new ArrayList<>();
        for (GatewayEndpoint endpoint : endpoints.all()) {
            if (tunnels.contains(endpoint.kind()) && endpoint.connection().isUp()) {
                if (!endpoint.isUnresponsive()) {
                    return null;
                }
                boolean unused = probe(endpoint, Cause.WANTED);
                if (endpoint.waitNanos() > 0) {
                    awaited.add(endpoint.health().answer());
                }
            }
        }
        return awaited.isEmpty() ? null : CompletableFuture.anyOf(awaited.toArray(CompletableFuture[]::new));
    }

    /** The longest wait for {@link #answer}, milliseconds. */
    public long answerMillis(List<TunnelKind> tunnels) {
        return TimeUnit.NANOSECONDS.toMillis(endpoints
                .of(tunnels)
                .mapToLong(GatewayEndpoint::waitNanos)
                .max()
                .orElse(0));
    }

    /** The tunnel that calls with a choice use now, or null if no endpoint is healthy. */
    public @Nullable TunnelKind tunnel() {
        TunnelKind first = selector.first();
        return endpoints.all().stream()
                .filter(endpoint -> TAKEN.contains(endpoint.status()))
                .min(Comparator.comparing(GatewayEndpoint::isSuspect)
                        .thenComparing(endpoint -> endpoint.kind() != first))
                .map(GatewayEndpoint::kind)
                .orElse(null);
    }

    /** Updates the preferred tunnel, and logs what has changed. Called by one thread. */
    void update(long now) {
        endpoints().forEach(GatewayEndpoint::noteLoss);
        if (calls == TrafficClass.INTERACTIVE) {
            logReachability();
        }
        if (calls == TrafficClass.INTERACTIVE && whole == null) {
            encodings.logChange(context.island());
        }
        if (policy.isAuto()) {
            updateTunnel(now);
        }
    }

    /** Updates the preferred tunnel, and logs and reports a change. */
    private void updateTunnel(long now) {
        TunnelKind before = selector.first();
        if (!selector.update(this::isHealthy, this::isProven, now)) {
            return;
        }
        TunnelKind to = selector.first();
        boolean isPreferred = to == policy.routes().tunnels().get(0);
        String why = !isPreferred || !isProven(to) ? problems(before) : to + " works again";
        String line = "highway: island " + name() + ": "
                + (calls == TrafficClass.BULK ? "bulk calls" : "calls")
                + " go over " + to + " now, no longer over " + before
                + ": " + why;
        if (isPreferred) {
            log.info(line);
        } else {
            log.warn(line);
        }
        context.listeners()
                .forEach(one -> one.onTunnelChange(new NetworkListener.TunnelChange(island(), before, to, why, calls)));
    }

    /**
     * Logs once that no endpoint reaches the island, and once that one does again. A gateway that is down, and a
     * breaker that opens, are logged elsewhere.
     */
    private void logReachability() {
        Set<State> found = EnumSet.noneOf(State.class);
        endpoints().forEach(endpoint -> found.add(endpoint.status()));
        if (!use.saidUnreachable && found.contains(State.SILENT) && Collections.disjoint(found, REACHING)) {
            use.saidUnreachable = true;
            log.warn("highway: island " + name() + " is unreachable ("
                    + problems(policy.routes().tunnels()) + ")");
        } else if (use.saidUnreachable && found.contains(State.UP)) {
            use.saidUnreachable = false;
            log.info("highway: island " + name() + " is reachable again");
        }
    }

    private boolean isHealthy(TunnelKind kind) {
        return endpoints.of(kind).stream().anyMatch(GatewayEndpoint::isHealthy);
    }

    private boolean isProven(TunnelKind kind) {
        return endpoints.of(kind).stream().anyMatch(GatewayEndpoint::isProven);
    }

    /** The problem of each endpoint of these tunnels, in words. */
    public String problems(List<TunnelKind> tunnels) {
        return tunnels.stream().map(this::problems).collect(Collectors.joining("; "));
    }

    private String problems(TunnelKind kind) {
        return endpoints.of(kind).stream()
                .map(endpoint -> {
                    String problem = endpoint.problem();
                    return endpoint.connection().name() + ": " + (problem == null ? endpoint.status() : problem);
                })
                .collect(Collectors.joining("; "));
    }

    /**
     * Whether an endpoint that could carry a call is unresponsive: its last call got no answer, and nothing has been
     * answered since.
     */
    public boolean isUnresponsive(List<TunnelKind> tunnels) {
        return endpoints.of(tunnels).anyMatch(GatewayEndpoint::isUnresponsive);
    }

    /** Whether an open breaker prevents the call. */
    public boolean isRefusing(List<TunnelKind> tunnels) {
        return endpoints
                .of(tunnels)
                .filter(endpoint -> endpoint.connection().isUp())
                .anyMatch(endpoint -> endpoint.isUnresponsive()
                        || endpoint.status() == State.OPEN
                        || endpoint.status() == State.HALF_OPEN);
    }
}
