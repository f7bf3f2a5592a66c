// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.application;

import io.highway.sdk.HighwayContext;
import io.highway.sdk.InternalContexts;
import io.highway.sdk.dubbo.GuardListener;
import io.highway.sdk.dubbo.HighwayCustomizer;
import io.highway.sdk.dubbo.NetworkListener;
import io.highway.sdk.dubbo.OutcomeListener;
import io.highway.sdk.dubbo.internal.background.ApplicationClock;
import io.highway.sdk.dubbo.internal.background.BackgroundTasks;
import io.highway.sdk.dubbo.internal.call.InboundHops;
import io.highway.sdk.dubbo.internal.call.InboundRouteHeaders;
import io.highway.sdk.dubbo.internal.caller.endpoint.Destinations;
import io.highway.sdk.dubbo.internal.caller.route.RouteDecision;
import io.highway.sdk.dubbo.internal.limits.Listeners;
import io.highway.sdk.dubbo.internal.memory.MemoryBudget;
import io.highway.sdk.dubbo.internal.network.connection.ConnectionPool;
import io.highway.sdk.dubbo.internal.network.connection.ConnectionStatus;
import io.highway.sdk.dubbo.internal.operate.audit.AuditLog;
import io.highway.sdk.dubbo.internal.policy.GatewaySpec;
import io.highway.sdk.dubbo.internal.policy.Policy;
import io.highway.sdk.dubbo.internal.policy.RawSettings;
import io.highway.sdk.dubbo.internal.policy.source.PolicyState;
import io.highway.sdk.dubbo.internal.policy.source.PolicyUpdater;
import io.highway.sdk.dubbo.internal.signature.OutboundRouteHeaders;
import io.highway.sdk.dubbo.internal.signature.SignatureService;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.apache.dubbo.common.logger.Logger;
import org.apache.dubbo.common.logger.LoggerFactory;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.jspecify.annotations.Nullable;

/**
 * The state that the stages of a call share within one application: the policy and the connections to gateways.
 * Thread-safe.
 *
 * <p>The configuration is read once Dubbo has prepared it, at the first reference or service; an invalid value fails
 * start-up there.
 */
public final class HighwayRuntime {

    private static final Logger log = LoggerFactory.getLogger(HighwayRuntime.class);

    /** How long a new policy waits for the connections to its new gateways, milliseconds. */
    private static final long CONNECT_MILLIS = 1000;

    private final ApplicationModel application;
    private final ApplicationClock clock;

    private final IslandActivity activity;
    private final RoutedReferences references = new RoutedReferences();
    private final ApplicationWarnings warnings;
    private final SenderName sender;
    private volatile @Nullable Loaded loaded;

    /** The active policy; null if there is none. It is set before {@code loaded}. */
    private volatile @Nullable PolicySnapshot snapshot;

    private final List<Consumer<Policy>> onSwap = new CopyOnWriteArrayList<>();

    /** What was loaded and does not change: the static keys, the signing keys, and the listeners. */
    private record Loaded(
            RawSettings configured,
            @Nullable SignatureService signatures,
            Listeners<OutcomeListener> listeners,
            Listeners<NetworkListener> network,
            Listeners<GuardListener> guard,
            @Nullable AuditLog audit) {}

    /** Called by Dubbo's bean factory; use {@link #of}. */
    public HighwayRuntime(ApplicationModel application) {
        this.application = application;
        this.clock = ApplicationClock.of(application);
        this.activity = new IslandActivity(clock);
        this.warnings = new ApplicationWarnings(application, references);
        this.sender = new SenderName(application);
    }

    /** The runtime of an application. */
    public static HighwayRuntime of(ApplicationModel application) {
        return application.getBeanFactory().getOrRegisterBean(HighwayRuntime.class);
    }

    /** The active policy, or null if there is no {@code highway.*} key or {@code highway.enabled} is false. */
    public @Nullable Policy policyIfEnabled() {
        Loaded unused = loaded();
        return policyIfRead();
    }

    /**
     * Reads the configuration again at the next use, if no key was set: the keys of a host such as Spring are known from now
     * on, and something has used the application before, such as an embedded provider of a test. References that were made
     * before keep refusing calls for islands.
     */
    public synchronized void readAgainIfUnconfigured() {
        Loaded known = loaded;
        if (known != null && known.configured.isEmpty()) {
            loaded = null;
        }
    }

    private Loaded loaded() {
        Loaded known = loaded;
        return known != null ? known : load();
    }

    /** The active policy and its destinations; the highway must be enabled. A call reads it once. */
    public PolicySnapshot snapshot() {
        PolicySnapshot known = snapshot;
        return known != null ? known : loadedSnapshot();
    }

    private PolicySnapshot loadedSnapshot() {
        Loaded unused = load();
        return Objects.requireNonNull(snapshot, "highway is not enabled");
    }

    /** The active policy, or null until it is read, too. */
    public @Nullable Policy policyIfRead() {
        PolicySnapshot known = snapshot;
        return known == null ? null : known.policy();
    }

    /** The outcome of the last call to each island, and the number of calls in the last minute. */
    public IslandActivity activity() {
        return activity;
    }

    /** The time of the application. */
    public ApplicationClock clock() {
        return clock;
    }

    /** The application. */
    public ApplicationModel application() {
        return application;
    }

    /** The references whose calls may leave home. */
    public RoutedReferences references() {
        return references;
    }

    /**
     * Whether no {@code highway.*} key is set at all: plain Dubbo, except that calls which ask for an island are
     * refused, since a profile may be missing. With {@code highway.enabled=false} home serves them, as the application
     * states it explicitly.
     */
    public boolean isUnconfigured() {
        return loaded().configured.isEmpty();
    }

    /** The active policy; the highway must be enabled. */
    public Policy policy() {
        return snapshot().policy();
    }

    /** Signs and verifies calls; the highway must be enabled. */
    public SignatureService signatures() {
        return Objects.requireNonNull(loaded().signatures, "highway is not enabled");
    }

    /** The listeners for outcomes; the highway must be enabled. */
    public Listeners<OutcomeListener> listeners() {
        Loaded known = loaded;
        return known == null ? Listeners.none() : known.listeners;
    }

    /** The audit trail, or null if it is off. */
    public @Nullable AuditLog audit() {
        Loaded known = loaded;
        return known == null ? null : known.audit;
    }

    /** The listeners for the guard; the highway must be enabled. */
    public Listeners<GuardListener> guardListeners() {
        Loaded known = loaded;
        return known == null ? Listeners.none() : known.guard;
    }

    /**
     * Two threads may load concurrently; the first result wins. No lock is taken, since customizers may wait for other
     * locks, such as Spring's while it creates beans.
     */
    private Loaded load() {
        DubboVersionCheck.require();
        CustomizationCollector setup = new CustomizationCollector(application.modelEnvironment());
        setup.outcomeListener(activity);
        CustomizerExtensions.of(application).forEach(customizer -> customizer.customize(setup));
        application
                .getBeanFactory()
                .getBeansOfType(HighwayCustomizer.class)
                .forEach(customizer -> customizer.customize(setup));
        RawSettings settings = setup.settings();
        Policy configured = setup.policy(settings);
        if (configured != null) {
            sender.check(warnings);
            configured.local().maxBuffered().ifPresent(MemoryBudget.of(application.getFrameworkModel())::limit);
        }
        PolicyUpdater dynamic = configured == null ? null : PolicyUpdater.of(application);
        Policy policy = configured == null || dynamic == null ? null : dynamic.start(configured, setup.resolver());
        Loaded read = new Loaded(
                settings,
                configured == null ? null : SignatureService.of(configured, setup.replayStore()),
                new Listeners<>("outcome listener", setup.listeners()),
                new Listeners<>("network listener", setup.networkListeners()),
                new Listeners<>("guard listener", setup.guardListeners()),
                policy != null && policy.audit().enabled() ? AuditLog.of(application) : null);
        Loaded first = firstOf(read, policy);
        if (dynamic != null) {
            dynamic.follow(this::swap);
        }
        return first;
    }

    /** Whether something holds for the static configuration, and a rule is active instead of it. */
    @SuppressWarnings("ReferenceEquality") // each policy that is activated is another object
    public boolean isByARule(Predicate<Policy> ofStatic) {
        Policy configured = PolicyUpdater.of(application).configured();
        return configured != null && configured != policyIfRead() && ofStatic.test(configured);
    }

    /** The state of the dynamic policy. */
    public PolicyState policyState() {
        return PolicyUpdater.of(application).state();
    }

    private synchronized Loaded firstOf(Loaded read, @Nullable Policy policy) {
        Loaded known = loaded;
        if (known == null) {
            log.info("highway: " + summary(read, policy));
            if (policy != null) {
                warnings.of(policy);
                policy.signing().warnings().forEach(warnings::once);
                snapshot = new PolicySnapshot(policy, null);
            }
            if (read.signatures != null) {
                application.getBeanFactory().registerBean(read.signatures); // ends with the application
                read.signatures.start(BackgroundTasks.of(application));
            }
            if (read.audit != null && !read.audit.isLogged()) {
                warnings.once("highway.audit.enabled is true, and the logger " + AuditLog.LOGGER
                        + " discards its lines; set its level to INFO");
            }
            known = read;
            loaded = known;
        }
        return known;
    }

    private static String summary(Loaded read, @Nullable Policy policy) {
        if (policy != null) {
            return policy.summary();
        }
        return read.configured.isEmpty()
                ? "off (no highway.* key is set): plain Dubbo, and calls that ask for an island are refused"
                : "off (highway.enabled=false): plain Dubbo";
    }

    /** Its warnings. */
    public ApplicationWarnings warnings() {
        return warnings;
    }

    /** Called when the application has started. */
    public void started() {
        Loaded known = loaded;
        warnings.started(known == null ? null : known.configured, policyIfRead());
    }

    /** The destinations of this application; the first use connects their gateways in the background. */
    public Destinations destinations() {
        PolicySnapshot known = snapshot();
        Destinations opened = known.destinations();
        if (opened != null) {
            return opened;
        }
        opened = open();
        onSwap.forEach(listener -> notify(listener, policy()));
        return opened;
    }

    private synchronized Destinations open() {
        PolicySnapshot before = snapshot();
        Destinations opened = before.destinations();
        if (opened == null) {
            Policy policy = before.policy();
            ConnectionPool connections = application.getBeanFactory().getOrRegisterBean(ConnectionPool.class);
            policy.local().maxBytesInFlight().ifPresent(connections::maxBytesInFlight);
            connections.mostHttp(policy.local().httpConnections());
            Listeners<NetworkListener> listeners = Objects.requireNonNull(loaded).network;
            try {
                opened = new Destinations(application, connections, policy, listeners, this::headers);
            } catch (RuntimeException e) {
                connections.closeConnections();
                throw e;
            }
            snapshot = new PolicySnapshot(policy, opened);
            connections.everyTick(() -> destinations().update());
            connections.everyTick(() -> InternalContexts.reportLostScopes(warnings::ofLostScope));
        }
        return opened;
    }

    /** The destinations of this application, or null until a reference needs one. */
    public @Nullable Destinations destinationsIfOpen() {
        PolicySnapshot known = snapshot;
        return known == null ? null : known.destinations();
    }

    /**
     * Activates another policy, for every call that begins from now on. Gateways that only the new policy uses are
     * connected first, for which this waits at most a second. What both policies use stays: connections, health, circuit
     * breakers, concurrency limits. Connections to other gateways are closed once their calls have ended.
     *
     * <p>Called by one thread at a time. What the new policy cannot change is as in the present one: home, signing
     * keys, audit, TLS.
     *
     * @throws IllegalStateException if a gateway cannot be used; the present policy stays active
     */
    public void swap(Policy next) {
        Destinations present = snapshot().destinations();
        try {
            if (present != null) {
                present.connections().open(next.gateways(), CONNECT_MILLIS);
            }
            publish(next);
        } catch (RuntimeException | Error e) {
            if (present != null) {
                present.connections().retain(policy().gateways());
            }
            throw e;
        }
        notify(warnings::of, next);
        notify(warnings::ofReferences, next);
        notify(warnings::ofServices, next);
        onSwap.forEach(listener -> notify(listener, next));
    }

    /** The policy is active: a failure does not undo that. */
    private static void notify(Consumer<Policy> listener, Policy next) {
        try {
            listener.accept(next);
        } catch (RuntimeException | Error e) {
            log.warn("highway: a listener failed to follow the policy " + next.version(), e);
        }
    }

    /** References may open their destinations at the same time. */
    private synchronized void publish(Policy next) {
        Destinations present = snapshot().destinations();
        snapshot = new PolicySnapshot(next, present == null ? null : present.with(next));
        if (present != null) {
            present.connections().retain(next.gateways());
        }
    }

    /**
     * Lets something follow each policy that is activated later, and the first use of its gateways; runs on the
     * thread that does so.
     */
    public void onSwap(Consumer<Policy> listener) {
        onSwap.add(listener);
    }

    /** The connection state of a gateway. Opens no connection. */
    public ConnectionStatus gatewayState(GatewaySpec gateway) {
        Destinations opened = destinationsIfOpen();
        return opened == null
                ? ConnectionStatus.unused(gateway.address())
                : opened.connections().state(gateway);
    }

    /** Called before Dubbo closes its connections. */
    public void stopping() {
        stopFollowing();
        stopConnecting();
    }

    private void stopFollowing() {
        PolicyUpdater dynamic = application.getBeanFactory().getBean(PolicyUpdater.class);
        if (dynamic != null) {
            dynamic.destroy(); // waits for a swap, which needs the lock of this
        }
    }

    private synchronized void stopConnecting() {
        Destinations opened = destinationsIfOpen();
        if (opened != null) {
            opened.connections().stopConnecting();
        }
    }

    /** Called when the application has stopped: writes the audit lines that are left. */
    public void stopped() {
        AuditLog audit = audit();
        if (audit != null) {
            audit.close();
        }
    }

    /**
     * Closes the connections of an application that failed to start: other applications of this JVM may use the same
     * gateways.
     */
    public void failed() {
        stopFollowing();
        closeConnections();
    }

    private synchronized void closeConnections() {
        Destinations opened = destinationsIfOpen();
        if (opened != null) {
            opened.connections().stopConnecting();
            opened.connections().closeConnections();
        }
    }

    /** The route headers of a call that leaves home. */
    public OutboundRouteHeaders headers(RouteDecision.Tunnel decision) {
        String from = sender.of(policy().home(), decision.hops());
        String asked = decision.standsInFor();
        return new OutboundRouteHeaders(
                decision.island(),
                asked == null ? from : InboundRouteHeaders.asking(from, asked),
                signatures().signerTo(decision.island()));
    }

    /** How many islands the request being served here has crossed, by our own context or by Dubbo's. */
    public static int hopsSoFar() {
        return Math.max(InternalContexts.hops(HighwayContext.capture()), InboundHops.hops());
    }
}
