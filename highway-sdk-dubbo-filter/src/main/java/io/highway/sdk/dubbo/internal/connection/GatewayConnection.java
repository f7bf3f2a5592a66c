// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.connection;

import io.highway.sdk.dubbo.GatewayAddress;
import io.highway.sdk.dubbo.TrafficClass;
import io.highway.sdk.dubbo.TunnelKind;
import io.highway.sdk.dubbo.internal.config.Gateway;
import io.highway.sdk.dubbo.internal.connection.channel.ConnectionUrls;
import io.highway.sdk.dubbo.internal.connection.channel.GatewayClients;
import io.highway.sdk.dubbo.internal.connection.channel.GatewayTransport;
import io.highway.sdk.dubbo.internal.connection.channel.GatewayTransports;
import io.highway.sdk.dubbo.internal.connection.channel.ProtocolClients;
import io.highway.sdk.dubbo.internal.connection.dubbo.DubboClients;
import io.highway.sdk.dubbo.internal.connection.dubbo.GatewayExchanger;
import io.highway.sdk.dubbo.internal.connection.tls.UnusableTlsException;
import io.highway.sdk.dubbo.internal.connection.triple.TripleClients;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.common.url.component.ServiceConfigURL;
import org.apache.dubbo.remoting.RemotingException;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.Protocol;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.jspecify.annotations.Nullable;

/**
 * The shared connections to one gateway address for the calls of one class, kept open independently of services.
 *
 * <p>Dubbo alone reconnects 55 s after a gateway is back (measured with 3.3.6). While a connection is down, the SDK connects
 * again every 200 ms, without a log line per attempt; to a gateway that accepts connections and does not answer, or closes
 * them before they have carried a call, after longer and longer pauses. {@link #reconnect()} runs on threads of
 * {@link GatewayConnectionPool}, never on a calling thread.
 */
public final class GatewayConnection {

    /** First pause after a connection that was accepted in vain: a moment later it is likely the same. */
    private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private static final long LONGEST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(5);

    /** A connection that is up for so long ends the backoff. */
    private static final long BACKOFF_ENDS_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** How often certificates and addresses are looked at, unless set. */
    static final long LOOK_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final GatewayAddress address;
    private final String name;
    private final TrafficClass trafficClass;
    private final int connectMillis;
    private final FrameworkModel framework;
    private final ProtocolClients protocolClients;
    private final Protocol protocol;
    private final GatewayClients clients;
    private final GatewayTransports transports; // kept, since Dubbo's beans may be destroyed before it is closed
    private final GatewayTransport transport;
    private final Map<String, String> parameters;
    /** Identifies the connections that are shared. */
    private final String key;
    /** Identifies their clients. */
    private final String clientKey;

    private volatile @Nullable SharedInvokers invokers;
    private volatile String problem = "not connected yet";
    /** Completes with the first connection attempt since the connection was last seen up. */
    private volatile CompletableFuture<@Nullable Void> attempt = new CompletableFuture<>();
    /** A Dubbo connection of an application that has stopped cannot be renewed; it is replaced then. */
    private boolean couldNotRenew;

    /** The backoff; 0 unless the last connection was accepted in vain. */
    private volatile long pauseNanos;

    private volatile long triedNanos = System.nanoTime();
    private volatile boolean closed;
    private volatile boolean wasUp;
    private volatile long lookedNanos = System.nanoTime();
    private volatile boolean isLooking;

    private final StateLog log;
    private final Consumer<SharedInvokers> closer;

    /**
     * Opens no connection yet.
     *
     * @param closer destroys the invokers of a connection whose calls have ended
     */
    GatewayConnection(
            Gateway gateway, ApplicationModel application, int connectionCount, Consumer<SharedInvokers> closer) {
        this.closer = closer;
        this.address = gateway.address();
        this.name = gateway.toString();
        this.log = new StateLog(name);
        this.trafficClass = gateway.trafficClass();
        this.connectMillis = gateway.connectMillis();
        this.framework = application.getFrameworkModel();
        this.protocolClients = clientsOf(address.kind());
        this.parameters = parameters(gateway, connectionCount);
        this.key = ConnectionUrls.key(anchorUrl());
        this.clientKey = GatewayClients.key(anchorUrl());
        this.clients = GatewayClients.of(anchorUrl());
        this.transports = GatewayTransports.of(anchorUrl());
        this.transport = transports.use(
                address.kind().dubboProtocol(),
                key,
                new GatewayTransport(
                        gateway.tls(),
                        address.host(),
                        address.port(),
                        address.kind().isHttp2(),
                        connectMillis));
        transport.countIn(transports.traffic(address.kind(), trafficClass));
        this.protocol = framework
                .getExtensionLoader(Protocol.class)
                .getExtension(address.kind().dubboProtocol(), false);
    }

    private static ProtocolClients clientsOf(TunnelKind kind) {
        return switch (kind) {
            case DUBBO -> new DubboClients();
            case TRIPLE -> new TripleClients();
        };
    }

    private Map<String, String> parameters(Gateway gateway, int connectionCount) {
        boolean bulk = gateway.trafficClass() == TrafficClass.BULK;
        Map<String, String> all = new HashMap<>(Map.of(
                "side",
                "consumer",
                "check",
                "false",
                "connect.timeout",
                String.valueOf(gateway.connectMillis()),
                "heartbeat",
                String.valueOf(GatewayExchanger.HEARTBEAT),
                "reconnect",
                "false",
                "send.reconnect",
                "false",
                "ssl-enabled", // Triple derives the scheme from it
                String.valueOf(address.isSecured())));
        all.putAll(protocolClients.connectionParameters(bulk, connectionCount));
        if (bulk) {
            all.put(ConnectionUrls.TRAFFIC_CLASS, TrafficClass.BULK.word());
        }
        return Map.copyOf(all);
    }

    /** The address, and the class of its calls unless it is interactive. */
    public String name() {
        return name;
    }

    /** The class of the calls that it carries. */
    public TrafficClass trafficClass() {
        return trafficClass;
    }

    /** The gateway address. */
    public GatewayAddress address() {
        return address;
    }

    /** Whether its connections have the SDK's handlers; another part of the application may have opened them before. */
    public boolean isOwn() {
        return transport.hasConnected();
    }

    /** What its protocol does differently. */
    ProtocolClients protocolClients() {
        return protocolClients;
    }

    /** The transport of the address. */
    public GatewayTransport transport() {
        return transport;
    }

    /** Whether a call would have to wait, because the gateway allows no more streams on the connection. */
    public boolean isFull() {
        return transport.isFull();
    }

    /** Sets the limit of request bytes in flight. */
    void maxBytesInFlight(long limit) {
        transport.maxBytesInFlight(limit);
    }

    /** Why it is down. */
    public String problem() {
        return problem;
    }

    /** The invokers on the live connection, or null while it is down. Does not block. */
    public @Nullable SharedInvokers activeInvokers() {
        SharedInvokers current = invokers;
        return current != null && current.isConnected() ? current : null;
    }

    /**
     * The invokers on the connection that was up last, or null if it was dropped; for callers that have just read
     * {@link #activeInvokers}.
     */
    public @Nullable SharedInvokers lastInvokers() {
        return invokers;
    }

    /** Whether it is down, and there was no attempt to connect since the start, or since it was last seen up. */
    public boolean awaitsFirstAttempt() {
        endBackoff(false);
        return !attempt.isDone() && activeInvokers() == null;
    }

    /** Completes when a connection attempt has ended. Callers must not complete it. */
    public CompletableFuture<@Nullable Void> attempt() {
        return attempt;
    }

    /** Whether {@link #reconnect} has work to do. Does not block. */
    boolean needsReconnect() {
        return !isSound() && System.nanoTime() - triedNanos >= pauseNanos;
    }

    /**
     * Ends the backoff of a connection that has carried a call, so that calls wait for the next one.
     *
     * @param isProven whether it is up for long enough, although it has not
     */
    private void endBackoff(boolean isProven) {
        if (pauseNanos == 0 || !(isProven || transport.isUsed()) || transport.isUseless()) {
            return;
        }
        synchronized (this) { // of two new futures, callers would wait for one that is never completed
            if (pauseNanos > 0) {
                pauseNanos = 0;
                attempt = new CompletableFuture<>(); // for the next disconnect
            }
        }
    }

    private boolean isSound() {
        return activeInvokers() != null && !clients.needRenewal(clientKey);
    }

    /** Reconnects if a connection is lost or unresponsive, and logs each change once. One thread at a time. */
    void reconnect() {
        CompletableFuture<@Nullable Void> made = attempt;
        boolean wasUseless = transport.isUseless();
        boolean wasOutdated = transport.isOutdated();
        String failure = null;
        try {
            transport.begin();
            if (activeInvokers() != null) {
                if (clients.needRenewal(clientKey)) {
                    problem = wasOutdated ? "the connection is outdated" : "the connection is unresponsive";
                    transport.refresh();
                    clients.renew(clientKey);
                }
            } else {
                long begun = System.nanoTime();
                boolean again = pauseNanos == 0;
                connect(again);
                boolean closedSoon = transport.wasAccepted()
                        && System.nanoTime() - begun < TimeUnit.MILLISECONDS.toNanos(connectMillis);
                if (again && closedSoon && activeInvokers() == null) { // a balancer may choose another gateway
                    transport.begin();
                    connect(false);
                }
            }
        } catch (RemotingException | UnusableTlsException | RuntimeException | LinkageError e) {
            failure = reason(e);
            problem = failure;
        }
        boolean up = activeInvokers() != null;
        if (wasOutdated) {
            transport.renewed();
            log.renewal(failure);
        }
        boolean failed = !up || wasUseless || transport.problem() != null || transport.unanswered() != null;
        triedNanos = System.nanoTime();
        pauseNanos = failed && transport.wasAccepted()
                ? Math.min(LONGEST_PAUSE_NANOS, Math.max(FIRST_PAUSE_NANOS, 2 * pauseNanos))
                : 0;
        wasUp = up;
        if (!closed && !framework.isDestroyed()) { // the result of an attempt that was running meanwhile is not logged
            log.state(up, problem);
        }
        if (up && pauseNanos == 0) { // else it may be lost at once, and calls must not wait for the pause
            attempt = new CompletableFuture<>(); // for the next disconnect
        } else {
            attempt.complete(null);
        }
        made.complete(null);
    }

    /** Whether it is time to {@link #look}, which must follow then. Used by one thread. */
    boolean beginsLook(long interval) {
        if (isLooking || !wasUp || System.nanoTime() - lookedNanos < interval) {
            return false;
        }
        isLooking = true;
        return true;
    }

    /** Looks for other certificates and addresses, which may take as long as a read and a resolution take. */
    void look() {
        try {
            transport.look();
        } finally {
            lookedNanos = System.nanoTime();
            isLooking = false;
        }
    }

    /** Periodic work. Does not block. */
    void tick(boolean isReconnecting) {
        if (!isReconnecting && pauseNanos > 0) {
            endBackoff(System.nanoTime() - triedNanos > BACKOFF_ENDS_NANOS && isSound());
        }
        if (wasUp && !closed && activeInvokers() != null) {
            log.state(true, problem);
        }
        clients.closeDrained(clientKey);
    }

    /** @param isFirst whether no attempt was accepted in vain before, and another one may follow at once */
    private void connect(boolean isFirst) throws RemotingException, UnusableTlsException {
        try {
            connect();
        } catch (RemotingException | IllegalStateException e) {
            problem = reason(e);
            couldNotRenew &= !(e instanceof RemotingException); // a gateway that is down is no reason to replace it
            if (!isFirst) {
                throw e;
            }
        }
    }

    /** The invokers are kept, if their client can be renewed. A client that drains is not closed: its calls continue. */
    private void connect() throws RemotingException, UnusableTlsException {
        transport.refresh();
        boolean renewed = false;
        if (invokers != null && (!couldNotRenew || clients.isDraining(clientKey))) {
            couldNotRenew = !protocolClients.connectsWhenRenewed() && !clients.isDraining(clientKey);
            renewed = clients.renew(clientKey);
            couldNotRenew &= activeInvokers() == null;
        }
        if (!renewed) {
            drop();
            SharedInvokers made = new SharedInvokers(refer());
            if (made.isConnected() && transport.isBypassed()) {
                closer.accept(made);
                throw new IllegalStateException("a reference of the application shares this address without TLS");
            }
            invokers = made;
            couldNotRenew = false;
            if (closed) { // meanwhile
                drop();
            } else if (protocolClients.connectsWhenRenewed()) {
                clients.renew(clientKey);
            }
        }
        String refused = transport.problem() != null ? transport.problem() : transport.unanswered();
        problem = refused != null
                ? refused
                : clients.isDraining(clientKey) ? "the gateway drains" : "the connection did not come up";
    }

    /** A client of the last connection may be closed and not forgotten yet; 3.2 throws an error then. */
    private Invoker<?> refer() {
        try {
            return protocol.refer(GatewayConnection.class, ConnectionUrls.toShare(anchorUrl()));
        } catch (AssertionError e) {
            throw new IllegalStateException("Dubbo has not forgotten the lost connection yet", e);
        }
    }

    private void drop() {
        SharedInvokers current = invokers;
        invokers = null;
        if (current != null) {
            closer.accept(current);
        }
    }

    /** Whether a call over it is in flight, of this application or of others of this JVM. */
    boolean hasCallsInFlight() {
        return clients.hasCallsInFlight(clientKey);
    }

    /** Fails the calls in flight over it as maybe executed, including those of other applications of this JVM. */
    void endCalls() {
        clients.endCalls(clientKey);
    }

    /** Whether it is closed for good: no policy uses its address. */
    public boolean isClosed() {
        return closed;
    }

    void close() {
        closed = true;
        attempt.complete(null);
        drop();
        transports.release(address.kind().dubboProtocol(), key);
        clients.forgetClosed(clientKey);
    }

    /**
     * Belongs to no application, since others of this JVM may use a connection after the application that opened it has
     * stopped.
     */
    private URL anchorUrl() {
        return new ServiceConfigURL(
                        address.kind().dubboProtocol(),
                        address.host(),
                        address.port(),
                        GatewayConnection.class.getName(),
                        parameters)
                .setScopeModel(framework.getInternalApplicationModel().getInternalModule());
    }

    /**
     * The parameters of a connection. The first reference to an address determines them for all, so they depend only on
     * the address and the class of calls. {@code reconnect} and {@code send.reconnect} are off because a calling thread must never connect.
     */
    public Map<String, String> connectionParameters() {
        return parameters;
    }

    private static String reason(Throwable problem) {
        String message = problem.getMessage();
        return message == null
                ? problem.toString()
                : message.lines().findFirst().orElse(message);
    }
}
