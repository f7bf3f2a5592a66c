// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.connection;

import io.highway.sdk.dubbo.GatewayAddress;
import io.highway.sdk.dubbo.TrafficClass;
import io.highway.sdk.dubbo.TunnelKind;
import io.highway.sdk.dubbo.connection.channel.ConnectionUrls;
import io.highway.sdk.dubbo.connection.channel.GatewayTransport;
import io.highway.sdk.dubbo.connection.channel.GatewayTransports;
import io.highway.sdk.dubbo.connection.dubbo.ExchangeClientRegistry;
import io.highway.sdk.dubbo.connection.dubbo.GatewayExchangeClient;
import io.highway.sdk.dubbo.connection.dubbo.GatewayExchanger;
import io.highway.sdk.dubbo.connection.tls.UnusableTlsException;
import io.highway.sdk.dubbo.connection.triple.BulkTransporter;
import io.highway.sdk.dubbo.connection.triple.GatewayConnectionManager;
import io.highway.sdk.dubbo.policy.Gateway;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.common.logger.Logger;
import org.apache.dubbo.common.logger.LoggerFactory;
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
 * <p>Over its own protocol, Dubbo alone reconnects 55 s after a gateway is back (measured with 3.3.6); for Triple see
 * {@code connect}. While a connection of either protocol is down, the SDK connects again every 200 ms, without a log line
 * per attempt; to a gateway that accepts connections and does not answer, or closes them, after longer and longer
 * pauses. {@link #reconnect()} runs on threads of {@link GatewayConnectionPool}, never on a calling thread.
 */
public final class GatewayConnection {

    /** First pause after a connection that was accepted in vain: a moment later it is likely the same. */
    private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private static final long LONGEST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(5);

    /** One line a minute, after some that follow each other at once. */
    private static final long LOG_INTERVAL_NANOS = TimeUnit.MINUTES.toNanos(1);

    private static final int LINES_AT_ONCE = 6;

    private static final Logger log = LoggerFactory.getLogger(GatewayConnection.class);

    private final GatewayAddress address;
    private final String name;
    private final TrafficClass trafficClass;
    private final int connectMillis;
    private final FrameworkModel framework;
    private final Protocol protocol;
    private final ExchangeClientRegistry connections;
    private final GatewayTransports transports; // kept, since Dubbo's beans may be destroyed before it is closed
    private final GatewayTransport transport;
    private final Map<String, String> parameters;
    /** Identifies the connections that are shared. */
    private final String key;

    private volatile @Nullable SharedInvokers invokers;
    private volatile String problem = "not connected yet";
    /** Completes with the first connection attempt since the connection was last seen up. */
    private volatile CompletableFuture<@Nullable Void> attempt = new CompletableFuture<>();
    /** A connection of another application cannot be renewed once that application has stopped; it is replaced then. */
    private boolean couldNotRenew;

    /** The backoff; 0 unless the last connection was accepted in vain. */
    private volatile long pauseNanos;

    private volatile long triedNanos = System.nanoTime();
    private volatile boolean closed;
    private volatile boolean wasUp;
    private volatile String loggedState = "";
    /** The time up to which lines have been used up. */
    private long loggedNanos = System.nanoTime() - LINES_AT_ONCE * LOG_INTERVAL_NANOS;

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
        this.trafficClass = gateway.trafficClass();
        this.connectMillis = gateway.connectMillis();
        this.framework = application.getFrameworkModel();
        this.parameters = parameters(gateway, connectionCount);
        this.key = ConnectionUrls.key(anchorUrl());
        this.connections = framework.getBeanFactory().getOrRegisterBean(ExchangeClientRegistry.class);
        this.transports = GatewayTransports.of(anchorUrl());
        this.transport = transports.use(
                address.kind().dubboProtocol(),
                key,
                new GatewayTransport(
                        gateway.tls(),
                        address.host(),
                        address.port(),
                        address.kind() == TunnelKind.TRIPLE,
                        connectMillis));
        transport.countIn(transports.traffic(address.kind(), trafficClass));
        this.protocol = framework
                .getExtensionLoader(Protocol.class)
                .getExtension(address.kind().dubboProtocol(), false);
    }

    private static Map<String, String> parameters(Gateway gateway, int connectionCount) {
        GatewayAddress address = gateway.address();
        boolean bulk = gateway.trafficClass() == TrafficClass.BULK;
        Map<String, String> parameters = new HashMap<>(Map.of(
                "side",
                "consumer",
                "check",
                "false",
                "connect.timeout",
                String.valueOf(gateway.connectMillis()),
                "heartbeat",
                String.valueOf(GatewayExchangeClient.HEARTBEAT),
                "reconnect",
                "false",
                "send.reconnect",
                "false",
                "ssl-enabled", // Triple derives the scheme from it
                String.valueOf(address.isSecured())));
        if (address.kind() == TunnelKind.TRIPLE) {
            parameters.putAll(bulk ? BulkTransporter.parameters() : GatewayConnectionManager.parameters());
        } else {
            parameters.put("shareconnections", String.valueOf(bulk ? 1 : connectionCount));
            parameters.put("exchanger", GatewayExchanger.NAME);
        }
        if (bulk) {
            parameters.put(ConnectionUrls.TRAFFIC_CLASS, TrafficClass.BULK.word());
        }
        return Map.copyOf(parameters);
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

    /** Whether it is down, and nobody has tried to connect since the start, or since it was last seen up. */
    public boolean awaitsFirstAttempt() {
        return !attempt.isDone() && activeInvokers() == null;
    }

    /** Completes when a connection attempt has ended. Callers must not complete it. */
    CompletableFuture<@Nullable Void> attempt() {
        return attempt;
    }

    /** Whether {@link #reconnect} has work to do. Does not block. */
    boolean needsReconnect() {
        return (activeInvokers() == null || isUnresponsive() || hasLostAny())
                && System.nanoTime() - triedNanos >= pauseNanos;
    }

    /**
     * Whether the gateway sends nothing over a Triple connection. Dubbo replaces such a connection after 18 seconds, of which
     * it waits ten for the calls in flight. {@link GatewayExchangeClient} watches the connections of the Dubbo protocol.
     */
    private boolean isUnresponsive() {
        return address.kind() == TunnelKind.TRIPLE && activeInvokers() != null && transport.isSilent();
    }

    private boolean hasLostAny() {
        return address.kind() == TunnelKind.DUBBO && connections.needRenewal(key);
    }

    /** Reconnects if a connection is lost or unresponsive, and logs each change once. One thread at a time. */
    void reconnect() {
        CompletableFuture<@Nullable Void> made = attempt;
        try {
            if (isUnresponsive()) {
                log.debug("highway: nothing is heard from gateway " + name + ", connecting again");
                transport.abort(); // otherwise destroying the invokers would wait for the calls in flight
                drop();
            }
            transport.begin();
            if (activeInvokers() != null) {
                if (hasLostAny()) {
                    problem = "the connection is unresponsive";
                    transport.refresh();
                    connections.renew(key);
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
        } catch (IOException | RemotingException | UnusableTlsException | RuntimeException | LinkageError e) {
            problem = reason(e);
        }
        boolean up = activeInvokers() != null;
        boolean failed = !up || transport.problem() != null || transport.unanswered() != null;
        triedNanos = System.nanoTime();
        pauseNanos = failed && transport.wasAccepted()
                ? Math.min(LONGEST_PAUSE_NANOS, Math.max(FIRST_PAUSE_NANOS, 2 * pauseNanos))
                : 0;
        wasUp = up;
        logState(up);
        if (up) {
            attempt = new CompletableFuture<>(); // for the next disconnect
        }
        made.complete(null);
    }

    /** Logs the state if it, or its cause, has changed; later if there have been many lines. */
    private synchronized void logState(boolean up) {
        String state = up ? "up" : problem;
        long now = System.nanoTime();
        if (closed || state.equals(loggedState) || now - loggedNanos < LOG_INTERVAL_NANOS) {
            return; // the result of an attempt that was running while it was closed is not logged
        }
        loggedNanos = Math.max(loggedNanos, now - LINES_AT_ONCE * LOG_INTERVAL_NANOS) + LOG_INTERVAL_NANOS;
        loggedState = state;
        if (up) {
            log.info("highway: gateway " + name + " is up");
        } else {
            log.warn("highway: gateway " + name + " is down (" + problem + "), reconnecting");
        }
    }

    /** Periodic work. Does not block. */
    void tick() {
        if (wasUp && !loggedState.equals("up") && activeInvokers() != null) {
            logState(true);
        }
        if (address.kind() == TunnelKind.DUBBO) {
            connections.closeDrained(key);
        }
    }

    private boolean isDraining() {
        return address.kind() == TunnelKind.DUBBO && connections.isDraining(key);
    }

    /** Before a Triple connection only: Dubbo waits the whole connect timeout for one that is refused, and logs it. */
    private void probe() throws IOException {
        InetSocketAddress found = new InetSocketAddress(address.host(), address.port());
        if (found.isUnresolved()) {
            throw new UnknownHostException("unknown host \"" + found.getHostString() + "\"");
        }
        try (Socket socket = new Socket()) {
            socket.connect(found, connectMillis);
        } catch (IOException e) {
            throw new IOException(
                    reason(e) + " (" + found.getAddress().getHostAddress() + " port " + found.getPort() + ")", e);
        }
    }

    /** @param isFirst whether no attempt was accepted in vain before, and another one may follow at once */
    private void connect(boolean isFirst) throws IOException, RemotingException, UnusableTlsException {
        if (address.kind() == TunnelKind.TRIPLE) {
            drop();
            if (isFirst) {
                probe();
            }
        }
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

    /**
     * A Dubbo connection is renewed in place. A Triple connection is replaced with all its invokers: Dubbo would
     * reconnect it a second later and close the new connection with the calls in flight on it.
     */
    private void connect() throws RemotingException, UnusableTlsException {
        transport.refresh();
        boolean renew = invokers != null && !couldNotRenew;
        couldNotRenew = !isDraining(); // a draining connection must not be closed: its calls continue
        if (!couldNotRenew) {
            boolean unused = connections.renew(key);
        } else if (renew && connections.renew(key)) {
            couldNotRenew = activeInvokers() == null;
        } else {
            drop();
            SharedInvokers made = new SharedInvokers(refer());
            if (made.isConnected() && transport.isBypassed()) {
                closer.accept(made);
                throw new IllegalStateException("a reference of the application shares this address without TLS");
            }
            String wrong = address.kind() == TunnelKind.TRIPLE ? wrongWithTriple() : null;
            if (wrong != null) {
                closer.accept(made);
                couldNotRenew = false;
                throw new IllegalStateException(wrong);
            }
            invokers = made;
            if (closed) { // meanwhile
                drop();
            }
            couldNotRenew = false;
        }
        String refused = transport.problem() != null ? transport.problem() : transport.unanswered();
        problem = refused != null ? refused : isDraining() ? "the gateway drains" : "the connection did not come up";
    }

    /** Dubbo 3.2 does not wait for the handshake, nor for HTTP/2. */
    private @Nullable String wrongWithTriple() {
        String insecure = transport.awaitSecured();
        return insecure != null ? insecure : transport.awaitAnswer();
    }

    /**
     * Dubbo removes a closed Triple connection on Netty's global thread. Until then 3.3 creates another one, and 3.2
     * throws an error.
     */
    private Invoker<?> refer() {
        if (address.kind() == TunnelKind.TRIPLE) {
            boolean unused = GlobalEventExecutor.INSTANCE.submit(() -> {}).awaitUninterruptibly(connectMillis);
        }
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
        return address.kind() == TunnelKind.DUBBO ? connections.hasCallsInFlight(key) : transport.hasCallsInFlight();
    }

    /** Fails the calls in flight over it as maybe executed, including those of other applications of this JVM. */
    void endCalls() {
        if (address.kind() == TunnelKind.DUBBO) {
            connections.endCalls(key);
        } else {
            transport.abort();
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
        if (address.kind() == TunnelKind.DUBBO) {
            connections.forgetClosed(key);
        }
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
