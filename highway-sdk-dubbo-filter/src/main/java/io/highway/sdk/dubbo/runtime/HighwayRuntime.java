// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.runtime;

import io.highway.sdk.HighwayContext;
import io.highway.sdk.dubbo.GuardListener;
import io.highway.sdk.dubbo.HighwayCustomizer;
import io.highway.sdk.dubbo.HighwaySettings;
import io.highway.sdk.dubbo.NetworkListener;
import io.highway.sdk.dubbo.OutcomeListener;
import io.highway.sdk.dubbo.audit.AuditLog;
import io.highway.sdk.dubbo.connection.GatewayConnectionPool;
import io.highway.sdk.dubbo.connection.GatewayState;
import io.highway.sdk.dubbo.endpoint.Destinations;
import io.highway.sdk.dubbo.policy.Gateway;
import io.highway.sdk.dubbo.policy.Policy;
import io.highway.sdk.dubbo.route.OutgoingHeaders;
import io.highway.sdk.dubbo.route.RouteDecision;
import io.highway.sdk.dubbo.route.RouteHeaders;
import io.highway.sdk.dubbo.route.ServedAttachments;
import io.highway.sdk.dubbo.signature.Signatures;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
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

    private final ApplicationModel application;
    private final LastOutcomes lastOutcomes = new LastOutcomes();
    private volatile @Nullable Loaded loaded;
    private volatile @Nullable Destinations destinations;

    /** The sender of the last call, cached: the next call most likely has the same one. */
    private volatile @Nullable Sender sender;

    private record Sender(int hops, String from) {}

    /**
     * References that ask for an island although {@code highway.enabled} is false, until the one warning lists them.
     */
    private final Set<String> ignored = new LinkedHashSet<>();

    /** The warnings that have been logged. */
    private final Set<String> warned = ConcurrentHashMap.newKeySet();

    private boolean started;

    /** The loaded configuration: a policy, or the reason why there is none, and the listeners. */
    private record Loaded(
            @Nullable Policy policy,
            boolean unconfigured,
            @Nullable Signatures signatures,
            List<OutcomeListener> listeners,
            List<NetworkListener> network,
            List<GuardListener> guard,
            @Nullable AuditLog audit) {}

    /** Called by Dubbo's bean factory; use {@link #of}. */
    public HighwayRuntime(ApplicationModel application) {
        this.application = application;
    }

    /** The runtime of an application. */
    public static HighwayRuntime of(ApplicationModel application) {
        return application.getBeanFactory().getOrRegisterBean(HighwayRuntime.class);
    }

    /** The policy in force, or null if there is no {@code highway.*} key or {@code highway.enabled} is false. */
    public @Nullable Policy policyIfEnabled() {
        Loaded known = loaded;
        return (known != null ? known : load()).policy;
    }

    /** The policy in force, or null until it is read, too. */
    public @Nullable Policy policyIfRead() {
        Loaded known = loaded;
        return known == null ? null : known.policy;
    }

    /** The outcome of the last call to each island. */
    public LastOutcomes lastOutcomes() {
        return lastOutcomes;
    }

    /**
     * Whether no {@code highway.*} key is set at all: plain Dubbo, except that calls which ask for an island are
     * refused, since a profile may be missing. With {@code highway.enabled=false} home serves them, as the application
     * states it explicitly.
     */
    public boolean isUnconfigured() {
        Loaded known = loaded;
        return (known != null ? known : load()).unconfigured;
    }

    /** The policy in force; the highway must be enabled. */
    public Policy policy() {
        return Objects.requireNonNull(policyIfEnabled(), "highway is not enabled");
    }

    /** Signs and verifies calls; the highway must be enabled. */
    public Signatures signatures() {
        Loaded known = loaded;
        return Objects.requireNonNull((known != null ? known : load()).signatures, "highway is not enabled");
    }

    /** The listeners for outcomes; the highway must be enabled. */
    public List<OutcomeListener> listeners() {
        Loaded known = loaded;
        return known == null ? List.of() : known.listeners;
    }

    /** The audit trail, or null if it is off. */
    public @Nullable AuditLog audit() {
        Loaded known = loaded;
        return known == null ? null : known.audit;
    }

    /** The listeners for the guard; the highway must be enabled. */
    public List<GuardListener> guardListeners() {
        Loaded known = loaded;
        return known == null ? List.of() : known.guard;
    }

    /**
     * Two threads may load concurrently; the first result wins. No lock is taken, since customizers may wait for other
     * locks, such as Spring's while it creates beans.
     */
    private Loaded load() {
        ApplicationSetup setup = new ApplicationSetup(application.modelEnvironment());
        setup.outcomeListener(lastOutcomes);
        CustomizerExtensions.of(application).forEach(customizer -> customizer.customize(setup));
        application
                .getBeanFactory()
                .getBeansOfType(HighwayCustomizer.class)
                .forEach(customizer -> customizer.customize(setup));
        HighwaySettings settings = setup.settings();
        Policy policy = setup.policy(settings);
        return firstOf(new Loaded(
                policy,
                settings.isEmpty(),
                policy == null ? null : Signatures.of(policy, setup.replayStore()),
                List.copyOf(setup.listeners()),
                List.copyOf(setup.networkListeners()),
                List.copyOf(setup.guardListeners()),
                policy != null && policy.audit().enabled() ? AuditLog.of(application) : null));
    }

    private synchronized Loaded firstOf(Loaded read) {
        Loaded known = loaded;
        if (known == null) {
            log.info("highway: " + summary(read));
            if (read.policy != null) {
                read.policy.ineffectiveKeys().forEach(this::warnOnce);
                read.policy.signing().warnings().forEach(this::warnOnce);
                read.policy.guard().warnings(read.policy.signing()).forEach(this::warnOnce);
            }
            if (read.signatures != null) {
                application.getBeanFactory().registerBean(read.signatures); // ends with the application
                read.signatures.start();
            }
            if (read.audit != null && !read.audit.isLogged()) {
                warnOnce("highway.audit.enabled is true, and the logger " + AuditLog.LOGGER
                        + " discards its lines; set its level to INFO");
            }
            known = read;
            loaded = known;
        }
        return known;
    }

    private static String summary(Loaded read) {
        if (read.policy != null) {
            return read.policy.summary();
        }
        return read.unconfigured
                ? "off (no highway.* key is set): plain Dubbo, and calls that ask for an island are refused"
                : "off (highway.enabled=false): plain Dubbo";
    }

    /**
     * Records something that asks for an island although {@code highway.enabled} is false. One warning at the end of
     * start-up lists all of them.
     *
     * @param what its name and intent, such as
     *     {@code reference to com.foo.SmsService: island "shanghai" (from interface)}
     */
    public void ignored(String what) {
        synchronized (ignored) {
            if (!ignored.add(what) || !started) {
                return;
            }
        }
        warnOfIgnored(what);
    }

    /** Called when the application has started: logs the ignored requests for islands, once. */
    public void started() {
        String all;
        synchronized (ignored) {
            if (started) {
                return;
            }
            started = true;
            all = String.join("; ", ignored);
        }
        if (!all.isEmpty()) {
            warnOfIgnored(all);
        }
    }

    /** Logs a configuration problem, once per application. */
    public void warnOnce(String problem) {
        if (warned.add(problem)) {
            log.warn("highway: " + problem);
        }
    }

    private static void warnOfIgnored(String what) {
        log.warn("highway: off (highway.enabled=false), so home serves calls that ask for an island: " + what);
    }

    /** The destinations of this application; the first use connects their gateways in the background. */
    public Destinations destinations() {
        Destinations opened = destinations;
        return opened != null ? opened : open();
    }

    private synchronized Destinations open() {
        Destinations opened = destinations;
        if (opened == null) {
            Policy policy = policy();
            GatewayConnectionPool connections =
                    application.getBeanFactory().getOrRegisterBean(GatewayConnectionPool.class);
            policy.maxBytesInFlight().ifPresent(connections::maxBytesInFlight);
            List<NetworkListener> listeners = Objects.requireNonNull(loaded).network;
            try {
                connections.open(policy.gateways(), policy.connections());
                opened = new Destinations(application, connections, policy, listeners, this::headers);
            } catch (RuntimeException e) {
                connections.closeConnections();
                throw e;
            }
            destinations = opened;
        }
        return opened;
    }

    /** The destinations of this application, or null until a reference needs one. */
    public @Nullable Destinations destinationsIfOpen() {
        return destinations;
    }

    /** The connection state of a gateway. Opens no connection. */
    public GatewayState gatewayState(Gateway gateway) {
        Destinations opened = destinations;
        return opened == null
                ? GatewayState.unused(gateway.address())
                : opened.connections().state(gateway);
    }

    public synchronized void stopping() {
        Destinations opened = destinations;
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
    public synchronized void failed() {
        Destinations opened = destinations;
        if (opened != null) {
            opened.connections().stopConnecting();
            opened.connections().closeConnections();
        }
    }

    /** The route headers of a call that leaves home. */
    public OutgoingHeaders headers(RouteDecision.Tunnel decision) {
        return new OutgoingHeaders(
                decision.island(), from(decision.hops()), signatures().signerTo(decision.island()));
    }

    private String from(int hops) {
        Sender known = sender;
        if (known != null && known.hops == hops) {
            return known.from;
        }
        String name = application.tryGetApplicationName();
        String from = RouteHeaders.sender(policy().home(), Objects.requireNonNullElse(name, "unknown"), hops);
        if (name != null) {
            sender = new Sender(hops, from);
        }
        return from;
    }

    /** How many islands the request being served here has crossed, by our own context or by Dubbo's. */
    public static int hopsSoFar() {
        return Math.max(HighwayContext.capture().hops(), ServedAttachments.hops());
    }
}
