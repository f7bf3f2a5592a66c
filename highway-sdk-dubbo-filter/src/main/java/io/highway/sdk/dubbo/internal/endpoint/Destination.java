// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.endpoint;

import io.highway.sdk.dubbo.NetworkListener;
import io.highway.sdk.dubbo.TrafficClass;
import io.highway.sdk.dubbo.TunnelKind;
import io.highway.sdk.dubbo.internal.compression.CompressedRequests;
import io.highway.sdk.dubbo.internal.compression.PeerEncodings;
import io.highway.sdk.dubbo.internal.compression.ZstdLibrary;
import io.highway.sdk.dubbo.internal.config.Dictionary;
import io.highway.sdk.dubbo.internal.config.Gateway;
import io.highway.sdk.dubbo.internal.config.IslandPolicy;
import io.highway.sdk.dubbo.internal.config.IslandPolicy.Compression;
import io.highway.sdk.dubbo.internal.connection.GatewayConnection;
import io.highway.sdk.dubbo.internal.connection.GatewayConnectionPool;
import io.highway.sdk.dubbo.internal.endpoint.GatewayEndpoint.HealthStatus;
import io.highway.sdk.dubbo.internal.endpoint.ProbeSchedule.Cause;
import io.highway.sdk.dubbo.internal.limits.Bulkhead;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.dubbo.common.logger.Logger;
import org.apache.dubbo.common.logger.LoggerFactory;
import org.apache.dubbo.rpc.Invocation;
import org.jspecify.annotations.Nullable;

/**
 * One island as a destination of this process, by one policy: its endpoints, its preferred tunnel and its concurrency
 * limit. A call uses one destination to its end; {@link #with} makes the one for another policy. Bulk calls have a
 * destination for themselves, {@link #of(TrafficClass)}, so that they share neither connections nor health nor limits
 * with other calls. Services with gateways of their own have one, too, {@link #of(IslandPolicy)}, which shares the
 * concurrency limit. Thread-safe.
 */
public final class Destination {

    /** Tried endpoints are recorded in the bits of a {@code long}. */
    private static final int MOST_ENDPOINTS = Long.SIZE;

    private static final Set<HealthStatus> TAKEN =
            EnumSet.complementOf(EnumSet.of(HealthStatus.OPEN, HealthStatus.DOWN));

    /** States in which calls are likely to reach the island. */
    private static final Set<HealthStatus> REACHING =
            EnumSet.of(HealthStatus.UP, HealthStatus.SUSPECT, HealthStatus.HALF_OPEN);

    private static final String ZSTD = Compression.ZSTD.toString();

    private static final Logger log = LoggerFactory.getLogger(Destination.class);

    /** A key of a call's attributes, which never leave the process. */
    private static final Object KEY = Destination.class;

    private final String island;
    private final TrafficClass calls;
    private final IslandPolicy policy;
    private final GatewayConnectionPool connections;
    private final List<GatewayEndpoint> dubbo;
    private final List<GatewayEndpoint> triple;
    private final List<GatewayEndpoint> endpoints;

    /** Endpoints of earlier policies whose connection is still open, so that they come back with their health. */
    private final List<GatewayEndpoint> leftOut = new ArrayList<>();

    private final int firstDubbo;
    private final int firstTriple;
    private final Bulkhead bulkhead;
    private final NetworkListener listener;
    private final TunnelSelector selector;
    private final boolean configured;
    private final HealthChecker heartbeat;
    private final DestinationUse use;
    private final PeerEncodings encodings;

    /** Values of {@link CompressedRequests#KEY} for requests without a dictionary. */
    private final String byZstd;

    private final String plain;

    /** The destination of bulk calls; null if none is, or if this is it. */
    private final @Nullable Destination bulk;

    /** The destination of the island's other services, if this is one of services with gateways of their own. */
    private final @Nullable Destination whole;

    /** Those of services with gateways of their own, by pattern. */
    private final Map<String, Destination> ofServices;

    /**
     * Opens no connection.
     *
     * @param configured whether the policy names the island; if not, it is probed only once it has answered a call
     * @param connectionTo the connection to a gateway of the policy
     */
    Destination(
            String island,
            IslandPolicy policy,
            boolean configured,
            GatewayConnectionPool connections,
            Function<Gateway, GatewayConnection> connectionTo,
            HealthChecker heartbeat,
            NetworkListener listener) {
        this(
                island,
                TrafficClass.INTERACTIVE,
                policy,
                configured,
                connections,
                connectionTo,
                heartbeat,
                listener,
                new PeerEncodings(),
                null,
                null);
    }

    private Destination(
            String island,
            TrafficClass calls,
            IslandPolicy policy,
            boolean configured,
            GatewayConnectionPool connections,
            Function<Gateway, GatewayConnection> connectionTo,
            HealthChecker heartbeat,
            NetworkListener listener,
            PeerEncodings encodings,
            @Nullable Destination before,
            @Nullable Destination whole) {
        this.island = island;
        this.calls = calls;
        this.configured = configured;
        this.heartbeat = heartbeat;
        this.policy = policy;
        this.connections = connections;
        this.listener = listener;
        this.whole = whole;
        this.endpoints = connections(connectionTo)
                .map(connection -> endpoint(connection, before))
                .toList();
        if (before != null) {
            Stream.concat(before.endpoints.stream(), before.leftOut.stream())
                    .filter(known -> !known.connection().isClosed())
                    .filter(known -> endpoints.stream().noneMatch(one -> one.connection() == known.connection()))
                    .forEach(leftOut::add);
        }
        this.dubbo = of(TunnelKind.DUBBO);
        this.triple = of(TunnelKind.TRIPLE);
        this.firstDubbo = dubbo.isEmpty() ? 0 : endpoints.indexOf(dubbo.get(0));
        this.firstTriple = triple.isEmpty() ? 0 : endpoints.indexOf(triple.get(0));
        this.bulkhead = whole != null
                ? whole.bulkhead
                : before != null && before.bulkhead.follow(policy.concurrency(calls))
                        ? before.bulkhead
                        : new Bulkhead(policy.concurrency(calls), calls);
        this.selector = before != null && before.policy.tunnels().equals(policy.tunnels())
                ? before.selector
                : new TunnelSelector(policy.tunnels());
        this.use = before == null ? new DestinationUse() : before.use;
        this.encodings = encodings;
        this.byZstd = withDictionaryInAnswers(ZSTD);
        this.plain = withDictionaryInAnswers(CompressedRequests.IDENTITY);
        this.bulk = calls == TrafficClass.BULK || policy.bulk() == null
                ? null
                : part(
                        TrafficClass.BULK,
                        policy,
                        connectionTo,
                        before == null ? null : before.bulk,
                        whole == null ? null : whole.bulk);
        Map<String, Destination> parts = new HashMap<>();
        if (calls == TrafficClass.INTERACTIVE) {
            for (IslandPolicy part : policy.ofServices()) {
                Destination known = before == null ? null : before.ofServices.get(part.services());
                parts.put(part.services(), part(calls, part, connectionTo, known, this));
            }
        }
        this.ofServices = Map.copyOf(parts);
    }

    /** Those that its policy names; they are in use from now on. */
    private Stream<GatewayConnection> connections(Function<Gateway, GatewayConnection> connectionTo) {
        return policy.tunnels().stream()
                .flatMap(kind -> policy.gateways(kind, calls).stream())
                .limit(MOST_ENDPOINTS)
                .map(connectionTo);
    }

    /** Whether all of its endpoints use these connections; one of an island that was left out may be closed. */
    private boolean uses(Function<Gateway, GatewayConnection> connectionTo) {
        return connections(connectionTo)
                        .toList()
                        .equals(endpoints.stream()
                                .map(GatewayEndpoint::connection)
                                .toList())
                && (bulk == null || bulk.uses(connectionTo))
                && ofServices.values().stream().allMatch(part -> part.uses(connectionTo));
    }

    /** The destination of a part of the calls. */
    private Destination part(
            TrafficClass ofCalls,
            IslandPolicy ofPart,
            Function<Gateway, GatewayConnection> connectionTo,
            @Nullable Destination before,
            @Nullable Destination ofOthers) {
        return new Destination(
                island,
                ofCalls,
                ofPart,
                configured,
                connections,
                connectionTo,
                heartbeat,
                listener,
                encodings,
                before,
                ofOthers);
    }

    /** The endpoint of the destination before over this connection, with its health; a new one if there is none. */
    private GatewayEndpoint endpoint(GatewayConnection connection, @Nullable Destination before) {
        if (before != null) {
            for (List<GatewayEndpoint> endpointsBefore : List.of(before.endpoints, before.leftOut)) {
                for (GatewayEndpoint known : endpointsBefore) {
                    if (known.connection() == connection) {
                        return known.with(policy.breaking(), this::probe);
                    }
                }
            }
        }
        return new GatewayEndpoint(
                island,
                suffix(),
                connection,
                policy.breaking(),
                heartbeat.schedule(),
                heartbeat::holdNanos,
                this::probe,
                listener);
    }

    /**
     * The destination for another policy of the island: this one if nothing of it changes. Otherwise the new one takes
     * over the health of the endpoints that remain, the breakers and the concurrency limit whose settings remain, and
     * how the island is used. Calls that began with this destination keep it.
     */
    Destination with(IslandPolicy next, boolean named, Function<Gateway, GatewayConnection> connectionTo) {
        return named == configured && next.equals(policy) && uses(connectionTo)
                ? this
                : new Destination(
                        island,
                        calls,
                        next,
                        named,
                        connections,
                        connectionTo,
                        heartbeat,
                        listener,
                        encodings,
                        this,
                        null);
    }

    /** Makes this the destination of a call. */
    public void mark(Invocation invocation) {
        invocation.put(KEY, this);
    }

    /** The destination that a call was decided with. */
    public static Destination of(Invocation invocation) {
        return (Destination) Objects.requireNonNull(invocation.get(KEY), "the call has no destination");
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

    /** This one, and those of services with gateways of their own, by pattern. */
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
        IslandPolicy all = whole == null ? policy : whole.policy;
        return all.of(interfaceName).services().equals(policy.services());
    }

    /** The class of the calls. */
    public TrafficClass trafficClass() {
        return calls;
    }

    private List<GatewayEndpoint> of(TunnelKind kind) {
        return endpoints.stream().filter(endpoint -> endpoint.kind() == kind).toList();
    }

    private Stream<GatewayEndpoint> of(List<TunnelKind> tunnels) {
        return endpoints.stream().filter(endpoint -> tunnels.contains(endpoint.kind()));
    }

    private List<GatewayEndpoint> endpoints(TunnelKind kind) {
        return kind == TunnelKind.DUBBO ? dubbo : triple;
    }

    private int first(TunnelKind kind) {
        return kind == TunnelKind.DUBBO ? firstDubbo : firstTriple;
    }

    /** The island's id. */
    public String island() {
        return island;
    }

    /** Its services, for messages; empty text if it has no pattern. */
    private String suffix() {
        return policy.services().isEmpty() ? "" : " (" + policy.services() + ")";
    }

    /** Its policy. */
    public IslandPolicy policy() {
        return policy;
    }

    /**
     * What calls of a service by Triple have as {@link CompressedRequests#KEY} now, or null.
     *
     * @param service the interface, whose last answer must have advertised what the policy does not state, and which must
     *     not have refused in the last minute what it states
     */
    public @Nullable String encoding(String service) {
        Dictionary dictionary = dictionary();
        return dictionary != null && encodings.isRead(dictionary.encoding(), service)
                ? dictionary.encoding()
                : encodingWithoutDictionary(service);
    }

    /** As {@link #encoding}, of requests without a dictionary: a refused stream is not sent again. */
    public @Nullable String encodingWithoutDictionary(String service) {
        return switch (policy.compression()) {
            case NONE -> null;
            case GZIP -> Compression.GZIP.toString();
            case ZSTD -> encodings.isRefused(service) ? plain : byZstd;
            case AUTO -> !ZstdLibrary.isPresent() ? null : encodings.isRead(ZSTD, service) ? byZstd : plain;
        };
    }

    /** As {@link #encoding}, of a call that a provider refused for it; null if the policy has no other. */
    public @Nullable String encodingAfterRefusal() {
        if (policy.compression() == Compression.AUTO) {
            return plain;
        }
        return dictionary() == null ? null : byZstd;
    }

    private String withDictionaryInAnswers(String encoding) {
        Dictionary dictionary = dictionary();
        return dictionary == null ? encoding : encoding + "," + dictionary.encoding();
    }

    private @Nullable Dictionary dictionary() {
        return ZstdLibrary.isPresent() ? policy.dictionary() : null;
    }

    /** What its answers advertise and refuse, or null if the policy does not depend on it. */
    public @Nullable PeerEncodings encodings() {
        return switch (policy.compression()) {
            case NONE, GZIP -> null;
            case ZSTD, AUTO -> encodings;
        };
    }

    /** The endpoints of its class of calls, in the order of the policy. */
    public List<GatewayEndpoint> endpoints() {
        return endpoints;
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

    /** Whether health checks run: callers may name any island, and one that has never answered may not exist. */
    boolean isProbed() {
        return configured || use.hasAnswered();
    }

    /** The service that health checks call, as {@code [group/]interface[:version]}; null until a call named one. */
    public @Nullable String service() {
        return use.service();
    }

    /** Records a call to this service; {@code delivered} if the island has answered it. */
    public void used(String serviceKey, boolean delivered) {
        use.used(serviceKey, delivered);
    }

    /** A probe of this service got no answer: the next one probes another service, whose providers may be alive. */
    void unanswered(String serviceKey) {
        use.unanswered(serviceKey);
    }

    private boolean probe(GatewayEndpoint endpoint) {
        return heartbeat.probe(endpoint, this, Cause.CALL_UNANSWERED, System.nanoTime());
    }

    /**
     * The next endpoint to try, in this order: those of the preferred tunnel, then those of the other; round-robin
     * within a tunnel; suspect endpoints, and those without a free stream, after all others. The endpoint has admitted
     * the call, which must report its result.
     *
     * @param tunnels what can carry the call
     * @param position from {@link #nextPosition}
     * @param tried endpoints that are excluded, by their {@link #bit}
     * @return null if no endpoint is connected and accepts calls
     */
    public @Nullable GatewayEndpoint enterNext(List<TunnelKind> tunnels, int position, long tried) {
        return next(tunnels, position, tried, GatewayEndpoint::tryEnter);
    }

    /** The endpoints in the order in which the next call would try them, if none of them carries it. Admits nothing. */
    public List<GatewayEndpoint> order(List<TunnelKind> tunnels) {
        int position = use.position();
        List<GatewayEndpoint> order = new ArrayList<>();
        GatewayEndpoint next = next(tunnels, position, 0, GatewayEndpoint::admits);
        for (long tried = 0; next != null; next = next(tunnels, position, tried, GatewayEndpoint::admits)) {
            order.add(next);
            tried |= bit(next);
        }
        return order;
    }

    private @Nullable GatewayEndpoint next(
            List<TunnelKind> tunnels, int position, long tried, Predicate<GatewayEndpoint> enter) {
        TunnelKind first = selector.first();
        GatewayEndpoint trusted = next(tunnels, first, position, tried, false, enter);
        return trusted != null ? trusted : next(tunnels, first, position, tried, true, enter);
    }

    private @Nullable GatewayEndpoint next(
            List<TunnelKind> tunnels,
            TunnelKind first,
            int position,
            long tried,
            boolean suspects,
            Predicate<GatewayEndpoint> enter) {
        if (tunnels.size() == 1) {
            return next(tunnels.get(0), position, tried, suspects, enter);
        }
        GatewayEndpoint endpoint = next(first, position, tried, suspects, enter);
        return endpoint != null
                ? endpoint
                : next(
                        first == TunnelKind.DUBBO ? TunnelKind.TRIPLE : TunnelKind.DUBBO,
                        position,
                        tried,
                        suspects,
                        enter);
    }

    private @Nullable GatewayEndpoint next(
            TunnelKind kind, int position, long tried, boolean suspects, Predicate<GatewayEndpoint> enter) {
        List<GatewayEndpoint> ofKind = endpoints(kind);
        int first = first(kind);
        int count = ofKind.size();
        for (int i = 0; i < count; i++) {
            int at = (position % count + i) % count;
            GatewayEndpoint endpoint = ofKind.get(at);
            boolean isSuspect = !suspects
                    && (endpoint.isSuspect()
                            || endpoint.isSilent()
                            || endpoint.connection().isFull());
            if ((tried & 1L << (first + at)) == 0
                    && !isSuspect
                    && endpoint.connection().activeInvokers() != null
                    && enter.test(endpoint)) {
                return endpoint;
            }
        }
        return null;
    }

    /** The bit of an endpoint among those that were tried. */
    public long bit(GatewayEndpoint endpoint) {
        return 1L << endpoints.indexOf(endpoint);
    }

    /** Continues a call that has waited, on another thread than the one that ended its wait. */
    public void resume(Runnable rest) {
        connections.resume(rest);
    }

    /** Whether every endpoint that can carry the call has been tried. */
    public boolean isEveryTried(List<TunnelKind> tunnels, long tried) {
        return of(tunnels).allMatch(endpoint -> (tried & bit(endpoint)) != 0);
    }

    /**
     * Whether an endpoint is connected, or its first connection attempt after start-up or after a disconnect has not
     * ended. Does not block.
     */
    public boolean mayBeConnected(List<TunnelKind> tunnels) {
        for (GatewayEndpoint endpoint : endpoints) { // runs for every call that home may serve
            if (tunnels.contains(endpoint.kind())
                    && (endpoint.connection().activeInvokers() != null
                            || endpoint.connection().awaitsFirstAttempt())) {
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
        return connecting(tunnels, tried).findAny().isPresent();
    }

    private Stream<GatewayEndpoint> connecting(List<TunnelKind> tunnels, long tried) {
        return of(tunnels).filter(endpoint -> (tried & bit(endpoint)) == 0).filter(endpoint -> endpoint.connection()
                .awaitsFirstAttempt());
    }

    /**
     * Completes when an endpoint is connected, or the first connection attempt of each after start-up or after a
     * disconnect has ended; null if that is already the case.
     *
     * @param tried the bits of endpoints that count only if no other one is connecting
     */
    public @Nullable CompletableFuture<?> connected(List<TunnelKind> tunnels, long tried) {
        Stream<GatewayEndpoint> awaited = isConnecting(tunnels, tried) ? connecting(tunnels, tried) : of(tunnels);
        return connections.attempted(awaited.map(GatewayEndpoint::connection).toList());
    }

    /**
     * If the only endpoints that could carry a call do not answer: requests health checks, and completes with the first
     * answer. Null if calls should not wait: an endpoint accepts calls, or health checks have been unanswered for too
     * long.
     */
    public @Nullable CompletableFuture<?> answer(List<TunnelKind> tunnels) {
        List<CompletableFuture<Void>> awaited = new ArrayList<>();
        for (GatewayEndpoint endpoint : endpoints) {
            if (tunnels.contains(endpoint.kind()) && endpoint.connection().activeInvokers() != null) {
                if (!endpoint.isUnresponsive()) {
                    return null;
                }
                boolean unused = heartbeat.probe(endpoint, this, Cause.WANTED, System.nanoTime());
                if (endpoint.waitNanos() > 0) {
                    awaited.add(endpoint.answer());
                }
            }
        }
        return awaited.isEmpty() ? null : CompletableFuture.anyOf(awaited.toArray(CompletableFuture[]::new));
    }

    /** The longest wait for {@link #answer}, milliseconds. */
    public long answerMillis(List<TunnelKind> tunnels) {
        return TimeUnit.NANOSECONDS.toMillis(
                of(tunnels).mapToLong(GatewayEndpoint::waitNanos).max().orElse(0));
    }

    /** The tunnel that calls with a choice use now, or null if no endpoint is healthy. */
    public @Nullable TunnelKind tunnel() {
        TunnelKind first = selector.first();
        return endpoints.stream()
                .filter(endpoint -> TAKEN.contains(endpoint.status()))
                .min(Comparator.comparing(GatewayEndpoint::isSuspected)
                        .thenComparing(endpoint -> endpoint.kind() != first))
                .map(GatewayEndpoint::kind)
                .orElse(null);
    }

    /** Updates the preferred tunnel and logs a change. Called by one thread. */
    void update(long now) {
        endpoints.forEach(GatewayEndpoint::noteLoss);
        use.note(now);
        if (calls == TrafficClass.INTERACTIVE) {
            logReachability();
        }
        if (calls == TrafficClass.INTERACTIVE && whole == null) {
            logEncoding();
        }
        if (!policy.isAuto()) {
            return;
        }
        TunnelKind before = selector.first();
        if (selector.update(this::isHealthy, this::isProven, now)) {
            TunnelKind to = selector.first();
            boolean isPreferred = to == policy.tunnels().get(0);
            String why = !isPreferred || !isProven(to) ? problems(before) : to + " works again";
            String line = "highway: island " + island + suffix() + ": "
                    + (calls == TrafficClass.BULK ? "bulk calls" : "calls")
                    + " go over " + to + " now, no longer over " + before
                    + ": " + why;
            if (isPreferred) {
                log.info(line);
            } else {
                log.warn(line);
            }
            listener.onTunnelChange(NetworkListener.TunnelChange.of(island, before, to, why, calls));
        }
    }

    /** Time since the last call to it, nanoseconds. */
    long unusedNanos(long now) {
        return use.unusedNanos(now);
    }

    /** Whether it has answered a call. */
    boolean hasAnswered() {
        return use.hasAnswered();
    }

    /**
     * Logs once that no endpoint reaches the island, and once that one does again. A gateway that is down, and a
     * breaker that opens, are logged elsewhere.
     */
    private void logReachability() {
        Set<HealthStatus> found = EnumSet.noneOf(HealthStatus.class);
        endpoints.forEach(endpoint -> found.add(endpoint.status()));
        if (!use.saidUnreachable && found.contains(HealthStatus.SILENT) && Collections.disjoint(found, REACHING)) {
            use.saidUnreachable = true;
            log.warn("highway: island " + island + suffix() + " is unreachable (" + problems(policy.tunnels()) + ")");
        } else if (use.saidUnreachable && found.contains(HealthStatus.UP)) {
            use.saidUnreachable = false;
            log.info("highway: island " + island + suffix() + " is reachable again");
        }
    }

    /** Logs once that requests are compressed as answers advertise it, and once that they no longer are. */
    private void logEncoding() {
        String unadvertised = CompressedRequests.requestEncoding(encodingAfterRefusal());
        Dictionary dictionary = dictionary();
        String now = dictionary != null && encodings.isRead(dictionary.encoding())
                ? dictionary.encoding()
                : policy.compression() == Compression.AUTO && encodings.isRead(ZSTD) ? ZSTD : unadvertised;
        if (now == null || unadvertised == null) {
            return;
        }
        String before = use.saidEncoding == null ? unadvertised : use.saidEncoding;
        if (!now.equals(before)) {
            use.saidEncoding = now;
            String compressed =
                    now.equals(CompressedRequests.IDENTITY) ? "sent as they are now" : "compressed by " + now + " now";
            log.info("highway: island " + island + ": requests by triple are " + compressed
                    + (now.equals(unadvertised)
                            ? ", no longer compressed by " + before
                            : ": all answers of the last minute advertise it"));
        }
    }

    private boolean isHealthy(TunnelKind kind) {
        return endpoints(kind).stream().anyMatch(GatewayEndpoint::isHealthy);
    }

    private boolean isProven(TunnelKind kind) {
        return endpoints(kind).stream().anyMatch(GatewayEndpoint::isProven);
    }

    /** The problem of each endpoint of these tunnels, in words. */
    public String problems(List<TunnelKind> tunnels) {
        return tunnels.stream().map(this::problems).collect(Collectors.joining("; "));
    }

    private String problems(TunnelKind kind) {
        return endpoints(kind).stream()
                .map(endpoint -> {
                    String problem = endpoint.problem();
                    return endpoint.connection().name() + ": " + (problem == null ? "up" : problem);
                })
                .collect(Collectors.joining("; "));
    }

    /**
     * Whether an endpoint that could carry a call is unresponsive: its last call got no answer, and nothing has been
     * answered since.
     */
    public boolean isUnresponsive(List<TunnelKind> tunnels) {
        return of(tunnels).anyMatch(GatewayEndpoint::isUnresponsive);
    }

    /** Whether an open breaker prevents the call. */
    public boolean isRefusing(List<TunnelKind> tunnels) {
        return of(tunnels)
                .filter(endpoint -> endpoint.connection().activeInvokers() != null)
                .anyMatch(endpoint -> endpoint.isUnresponsive()
                        || endpoint.status() == HealthStatus.OPEN
                        || endpoint.status() == HealthStatus.HALF_OPEN);
    }
}
