// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.network.connection;

import io.highway.sdk.dubbo.GatewayAddress;
import io.highway.sdk.dubbo.TrafficClass;
import io.highway.sdk.dubbo.internal.network.tls.UnusableTlsException;
import io.highway.sdk.dubbo.internal.policy.GatewaySpec;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the shared connections to one gateway address open, for the calls of one class, independently of services.
 *
 * <p>Dubbo alone reconnects 55 s after a gateway is back (measured with 3.3.6). While a connection is down, the SDK connects
 * again every 200 ms, without a log line per attempt; to a gateway that accepts connections and does not answer, or closes
 * them before they have carried a call, after longer and longer pauses. {@link #reconnect()} runs on threads of
 * {@link ConnectionPool}, never on a calling thread.
 */
public final class ReconnectingLink {

    /** How often certificates and addresses are looked at, unless set. */
    static final long LOOK_NANOS = TimeUnit.MINUTES.toNanos(1);

    private static final String NOT_CONNECTED = "not connected yet";

    private final String name;
    private final GatewaySpec gateway;
    private final FrameworkModel framework;
    private final GatewayClients clients; // kept, since Dubbo's beans may be destroyed before it is closed
    private final GatewayClient client;
    private final ConnectionOpener opener;

    /** The invokers of services over it, until it is closed. */
    private final Set<Invoker<?>> services = new LinkedHashSet<>();

    private volatile String problem = NOT_CONNECTED;
    /** Completes with the first connection attempt since the connection was last seen up. */
    private volatile CompletableFuture<@Nullable Void> attempt = new CompletableFuture<>();

    private final LongSupplier clock;
    private final ReconnectBackoff backoff;
    private volatile boolean closed;
    private volatile boolean wasUp;
    private volatile long lookedNanos;
    private volatile boolean isLooking;

    private final ConnectionLog log;

    /** Opens no connection yet. */
    ReconnectingLink(GatewaySpec gateway, ApplicationModel application, int mostHttp, LongSupplier clock) {
        this.clock = clock;
        this.backoff = new ReconnectBackoff(clock);
        this.lookedNanos = clock.getAsLong();
        this.gateway = gateway;
        this.name = gateway.toString();
        this.log = new ConnectionLog(name, clock);
        this.framework = application.getFrameworkModel();
        this.clients = GatewayClients.of(framework);
        this.client = clients.use(gateway, mostHttp);
        this.opener = client.opener();
    }

    /** The address, and the class of its calls unless it is interactive. */
    public String name() {
        return name;
    }

    /** The class of the calls that it carries. */
    public TrafficClass trafficClass() {
        return gateway.trafficClass();
    }

    /** The gateway address. */
    public GatewayAddress address() {
        return gateway.address();
    }

    /** What opens connections to the address. */
    public ConnectionOpener opener() {
        return opener;
    }

    /** Whether a call would have to wait, because the gateway allows no more streams on the connection. */
    public boolean isFull() {
        return client.isFull();
    }

    /** Whether nothing was received for so long that the answer to a heartbeat is overdue. */
    public boolean isOverdue() {
        return client.isOverdue();
    }

    /** Why it is down. */
    public String problem() {
        String known = problem;
        String awaited = known.equals(NOT_CONNECTED) ? opener.unansweredYet() : null;
        return awaited == null ? known : awaited;
    }

    /** Whether a call can be sent over it now. Does not block. */
    public boolean isUp() {
        return !closed && client.isConnected();
    }

    /** Whether it is down, and there was no attempt to connect since the start, or since it was last seen up. */
    public boolean awaitsFirstAttempt() {
        endBackoff(false);
        return !attempt.isDone() && !isUp();
    }

    /** Whether it is up, or will be if its first attempt to connect succeeds; see {@link #awaitsFirstAttempt}. */
    public boolean mayBeUp() {
        return isUp() || awaitsFirstAttempt() || isUp(); // the attempt may have succeeded between the first two
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
        if (!backoff.isActive() || !(isProven || opener.isUsed()) || opener.isUseless()) {
            return;
        }
        synchronized (this) { // of two new futures, callers would wait for one that is never completed
            if (backoff.isActive()) {
                backoff.end();
                attempt = new CompletableFuture<>(); // for the next disconnect
            }
        }
    }

    private boolean isSound() {
        return isUp() && !client.needsRenewal();
    }

    /** Reconnects if a connection is lost or unresponsive, and logs each change once. One thread at a time. */
    void reconnect() {
        CompletableFuture<@Nullable Void> made = attempt;
        Object before = opener.latestConnection();
        boolean wasUseless = opener.isUseless();
        boolean wasOutdated = opener.isOutdated();
        String failure = null;
        try {
            opener.begin();
            renewOrConnect(wasOutdated);
        } catch (IOException | UnusableTlsException | RuntimeException | LinkageError e) {
            failure = reason(e);
            problem = failure;
        }
        if (wasOutdated) {
            opener.renewed();
            log.renewal(failure);
        }
        boolean hasCarriedCalls = opener.latestConnection() != before && opener.isUsed(); // and may drain already
        ended(isUp() || (hasCarriedCalls && !closed), wasUseless);
        made.complete(null);
    }

    private void renewOrConnect(boolean wasOutdated) throws IOException, UnusableTlsException {
        if (!isUp()) {
            long begun = clock.getAsLong();
            boolean again = !backoff.isActive();
            connect(again);
            boolean closedSoon = opener.wasAccepted()
                    && clock.getAsLong() - begun < TimeUnit.MILLISECONDS.toNanos(gateway.connectMillis());
            if (again && closedSoon && !isUp()) { // a balancer may choose another gateway
                opener.begin();
                connect(false);
            }
        } else if (client.needsRenewal()) {
            problem = wasOutdated ? "the connection is outdated" : "the connection is unresponsive";
            opener.refresh();
            client.renew();
        }
    }

    /** An attempt to connect has ended. */
    private void ended(boolean up, boolean wasUseless) {
        boolean failed = !up || wasUseless || opener.problem() != null || opener.unanswered() != null;
        backoff.tried(failed && opener.wasAccepted());
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
            opener.look();
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
        if (wasUp && !closed && isUp()) {
            log.state(true, problem);
        }
        client.closeDrained();
    }

    /** @param isFirst whether no attempt was accepted in vain before, and another one may follow at once */
    private void connect(boolean isFirst) throws IOException, UnusableTlsException {
        try {
            connect();
        } catch (IOException | IllegalStateException e) {
            problem = reason(e);
            if (!isFirst) {
                throw e;
            }
        }
    }

    private void connect() throws IOException, UnusableTlsException {
        opener.refresh();
        client.renew();
        String refused = opener.problem() != null ? opener.problem() : opener.unanswered();
        problem = refused != null
                ? refused
                : client.isDraining() ? "the gateway drains" : "the connection did not come up";
    }

    /** Creates an invoker of a service over it, or returns null if it was closed meanwhile. */
    <T> @Nullable Invoker<T> add(Supplier<Invoker<T>> refer) {
        synchronized (services) {
            if (closed) {
                return null;
            }
            Invoker<T> invoker = refer.get();
            services.add(invoker);
            return invoker;
        }
    }

    void remove(Invoker<?> invoker) {
        synchronized (services) {
            services.remove(invoker);
        }
    }

    /** What its invokers find in their URL. */
    URL usedBy(URL invoker) {
        return client.usedBy(invoker);
    }

    /** Whether a call over it is in flight, of this application or of others of this JVM. */
    public boolean hasCallsInFlight() {
        return client.hasCallsInFlight();
    }

    /** Fails the calls in flight over it as maybe executed, unless other applications of this JVM use it, too. */
    void endCalls() {
        if (!clients.isShared(gateway)) {
            client.endCalls();
        }
    }

    /** Whether it is closed for good: no policy uses its address. */
    public boolean isClosed() {
        return closed;
    }

    /** @param destroyer destroys the invokers of services */
    void close(Consumer<Invoker<?>> destroyer) {
        List<Invoker<?>> all;
        synchronized (services) {
            if (closed) {
                return;
            }
            closed = true;
            all = List.copyOf(services);
            services.clear();
        }
        attempt.complete(null);
        all.forEach(destroyer);
        clients.release(gateway);
    }

    private static String reason(Throwable problem) {
        String message = problem.getMessage();
        return message == null
                ? problem.toString()
                : message.lines().findFirst().orElse(message);
    }
}
