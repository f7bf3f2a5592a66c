// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.connection;

import io.highway.sdk.dubbo.GatewayAddress;
import io.highway.sdk.dubbo.TrafficClass;
import io.highway.sdk.dubbo.internal.config.ConnectionCounts;
import io.highway.sdk.dubbo.internal.config.Gateway;
import io.highway.sdk.dubbo.internal.connection.channel.ConnectionUrls;
import io.highway.sdk.dubbo.internal.connection.channel.GatewayClient;
import io.highway.sdk.dubbo.internal.connection.channel.GatewayClients;
import io.highway.sdk.dubbo.internal.connection.channel.GatewayTransport;
import io.highway.sdk.dubbo.internal.connection.channel.GatewayTransports;
import io.highway.sdk.dubbo.internal.connection.channel.ProtocolClients;
import io.highway.sdk.dubbo.internal.connection.tls.UnusableTlsException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.remoting.RemotingException;
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

    /** How often certificates and addresses are looked at, unless set. */
    static final long LOOK_NANOS = TimeUnit.MINUTES.toNanos(1);

    private static final String NOT_CONNECTED = "not connected yet";

    private final GatewayAddress address;
    private final String name;
    private final TrafficClass trafficClass;
    private final int connectMillis;
    private final FrameworkModel framework;
    private final ProtocolClients protocolClients;
    private final AnchorReference anchor;
    private final GatewayClients clients;
    private final GatewayTransports transports; // kept, since Dubbo's beans may be destroyed before it is closed
    private final GatewayTransport transport;
    /** Identifies the connections that are shared. */
    private final String key;
    /** Identifies their clients. */
    private final String clientKey;

    private volatile @Nullable SharedInvokers invokers;
    private volatile String problem = NOT_CONNECTED;
    /** Completes with the first connection attempt since the connection was last seen up. */
    private volatile CompletableFuture<@Nullable Void> attempt = new CompletableFuture<>();

    private final LongSupplier clock;
    private final ReconnectBackoff backoff;
    private volatile boolean closed;
    private volatile boolean wasUp;
    private volatile long lookedNanos;
    private volatile boolean isLooking;

    private final StateLog log;
    private final Consumer<SharedInvokers> closer;

    /**
     * Opens no connection yet.
     *
     * @param closer destroys the invokers of a connection whose calls have ended
     */
    GatewayConnection(
            Gateway gateway,
            ApplicationModel application,
            ConnectionCounts counts,
            LongSupplier clock,
            Consumer<SharedInvokers> closer) {
        this.clock = clock;
        this.backoff = new ReconnectBackoff(clock);
        this.lookedNanos = clock.getAsLong();
        this.closer = closer;
        this.address = gateway.address();
        this.name = gateway.toString();
        this.log = new StateLog(name, clock);
        this.trafficClass = gateway.trafficClass();
        this.connectMillis = gateway.connectMillis();
        this.framework = application.getFrameworkModel();
        this.protocolClients = ConnectionFactory.of(framework).clients(address.kind());
        this.anchor = AnchorReference.to(gateway, framework, protocolClients, counts);
        URL url = anchor.url();
        this.key = ConnectionUrls.key(url);
        this.clientKey = GatewayClients.key(url);
        this.clients = GatewayClients.of(url);
        this.transports = GatewayTransports.of(url);
        this.transport = transports.use(
                address.kind().dubboProtocol(),
                key,
                new GatewayTransport(
                        gateway.tls(),
                        gateway.proxy(),
                        address.host(),
                        address.port(),
                        protocolClients.greeting(),
                        connectMillis));
        transport.countIn(transports.traffic(address.kind(), trafficClass));
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
        String known = problem;
        String awaited = known.equals(NOT_CONNECTED) ? transport.unansweredYet() : null;
        return awaited == null ? known : awaited;
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
        return !isSound() && backoff.isDue();
    }

    /**
     * Ends the backoff of a connection that has carried a call, so that calls wait for the next one.
     *
     * @param isProven whether it is up for long enough, although it has not
     */
    private void endBackoff(boolean isProven) {
        if (!backoff.isActive() || !(isProven || transport.isUsed()) || transport.isUseless()) {
            return;
        }
        synchronized (this) { // of two new futures, callers would wait for one that is never completed
            if (backoff.isActive()) {
                backoff.end();
                attempt = new CompletableFuture<>(); // for the next disconnect
            }
        }
    }

    /** Whether it is so for one of the clients. */
    private boolean isAny(Predicate<GatewayClient> condition) {
        return clients.clients(clientKey).stream().anyMatch(condition);
    }

    private boolean isSound() {
        return activeInvokers() != null && !isAny(GatewayClient::needsRenewal);
    }

    /** Reconnects if a connection is lost or unresponsive, and logs each change once. One thread at a time. */
    void reconnect() {
        CompletableFuture<@Nullable Void> made = attempt;
        boolean wasUseless = transport.isUseless();
        boolean wasOutdated = transport.isOutdated();
        String failure = null;
        try {
            transport.begin();
            renewOrConnect(wasOutdated);
        } catch (RemotingException | UnusableTlsException | RuntimeException | LinkageError e) {
            failure = reason(e);
            problem = failure;
        }
        if (wasOutdated) {
            transport.renewed();
            log.renewal(failure);
        }
        ended(activeInvokers() != null, wasUseless);
        made.complete(null);
    }

    private void renewOrConnect(boolean wasOutdated) throws RemotingException, UnusableTlsException {
        if (activeInvokers() == null) {
            long begun = clock.getAsLong();
            boolean again = !backoff.isActive();
            connect(again);
            boolean closedSoon =
                    transport.wasAccepted() && clock.getAsLong() - begun < TimeUnit.MILLISECONDS.toNanos(connectMillis);
            if (again && closedSoon && activeInvokers() == null) { // a balancer may choose another gateway
                transport.begin();
                connect(false);
            }
        } else if (isAny(GatewayClient::needsRenewal)) {
            problem = wasOutdated ? "the connection is outdated" : "the connection is unresponsive";
            transport.refresh();
            clients.renew(clientKey);
        }
    }

    /** An attempt to connect has ended. */
    private void ended(boolean up, boolean wasUseless) {
        boolean failed = !up || wasUseless || transport.problem() != null || transport.unanswered() != null;
        backoff.tried(failed && transport.wasAccepted());
        wasUp = up;
        if (!closed && !framework.isDestroyed()) { // the result of an attempt that was running meanwhile is not logged
            log.state(up, problem);
        }
        if (up && !backoff.isActive()) { // else it may be lost at once, and calls must not wait for the pause
            attempt = new CompletableFuture<>(); // for the next disconnect
        } else {
            attempt.complete(null);
        }
    }

    /** Whether it is time to {@link #look}, which must follow then. Used by one thread. */
    boolean beginsLook(long interval) {
        if (isLooking || !wasUp || clock.getAsLong() - lookedNanos < interval) {
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
            lookedNanos = clock.getAsLong();
            isLooking = false;
        }
    }

    /** Periodic work. Does not block. */
    void tick(boolean isReconnecting) {
        if (!isReconnecting && backoff.isActive()) {
            endBackoff(backoff.isOld() && isSound());
        }
        if (wasUp && !closed && activeInvokers() != null) {
            log.state(true, problem);
        }
        clients.clients(clientKey).forEach(GatewayClient::closeDrained);
    }

    /** @param isFirst whether no attempt was accepted in vain before, and another one may follow at once */
    private void connect(boolean isFirst) throws RemotingException, UnusableTlsException {
        try {
            connect();
        } catch (RemotingException | IllegalStateException e) {
            problem = reason(e);
            if (!isFirst) {
                throw e;
            }
        }
    }

    /** The invokers are kept. A client that drains is not closed: its calls continue. */
    private void connect() throws RemotingException, UnusableTlsException {
        transport.refresh();
        if (invokers == null || !clients.renew(clientKey)) {
            drop();
            SharedInvokers made = new SharedInvokers(anchor.refer());
            invokers = made;
            if (closed) { // meanwhile
                drop();
            } else {
                clients.renew(clientKey);
            }
        }
        String refused = transport.problem() != null ? transport.problem() : transport.unanswered();
        problem = refused != null
                ? refused
                : isAny(GatewayClient::isDraining) ? "the gateway drains" : "the connection did not come up";
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
        return isAny(GatewayClient::hasCallsInFlight);
    }

    /** Fails the calls in flight over it as maybe executed, unless other applications of this JVM use it, too. */
    void endCalls() {
        if (!transports.isShared(address.kind().dubboProtocol(), key)) {
            clients.clients(clientKey).forEach(GatewayClient::endCalls);
        }
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

    /** The parameters of each of its connections. */
    public Map<String, String> connectionParameters() {
        return anchor.parameters();
    }

    private static String reason(Throwable problem) {
        String message = problem.getMessage();
        return message == null
                ? problem.toString()
                : message.lines().findFirst().orElse(message);
    }
}
