// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.network.connection;

import io.highway.sdk.dubbo.HighwayReport;
import io.highway.sdk.dubbo.internal.background.ApplicationClock;
import io.highway.sdk.dubbo.internal.background.BackgroundTasks;
import io.highway.sdk.dubbo.internal.limits.BytesInFlight;
import io.highway.sdk.dubbo.internal.network.tls.CertificateRole;
import io.highway.sdk.dubbo.internal.policy.GatewaySpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.LongPredicate;
import java.util.function.LongSupplier;
import org.apache.dubbo.common.deploy.ModuleDeployer;
import org.apache.dubbo.common.logger.Logger;
import org.apache.dubbo.common.logger.LoggerFactory;
import org.apache.dubbo.common.resource.Disposable;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.apache.dubbo.rpc.model.ModuleModel;
import org.apache.dubbo.rpc.model.ScopeModel;
import org.jspecify.annotations.Nullable;

/**
 * The connection pool of one application. A connection belongs to its gateway address and a class of calls, whichever
 * services and destinations use it. Thread-safe.
 */
public final class ConnectionPool implements Disposable {

    /** How long an address that no policy uses keeps its connection: calls that began before may still use it. */
    private static final Duration GRACE = Duration.ofSeconds(10);

    private static final Logger log = LoggerFactory.getLogger(ConnectionPool.class);

    /** The interval at which waiting calls look for another connection, such as one that another application has opened. */
    private static final int LOOK_AGAIN_MILLIS = 20;

    private final ApplicationModel application;
    private final LongSupplier clock;
    private final ConnectionExecutors tasks;
    private final InvokerDestroyer releases;
    private final Map<GatewaySpec, ReconnectingLink> connections = new ConcurrentHashMap<>();
    private final Set<ReconnectingLink> reconnecting = ConcurrentHashMap.newKeySet();

    /** The addresses that no policy uses any more, and since when. */
    private final Map<GatewaySpec, Long> unused = new ConcurrentHashMap<>();

    private volatile long graceNanos = GRACE.toNanos();
    private volatile long lookNanos = ReconnectingLink.LOOK_NANOS;
    private volatile int mostHttp = 1;
    private volatile long maxBytesInFlight = BytesInFlight.DEFAULT_LIMIT;
    private final AtomicBoolean closed = new AtomicBoolean();

    /** Creates an empty pool, which connects nothing until {@link #open}. */
    public ConnectionPool(ApplicationModel application) {
        this.application = application;
        this.clock = ApplicationClock.of(application);
        this.tasks = new ConnectionExecutors(application);
        this.releases = new InvokerDestroyer(application);
        tasks.everyTick(releases::releaseDestroyed);
        tasks.everyTick(this::checkConnections);
        tasks.everyTick(this::closeUnused);
        application.getInternalModule().addDestroyListener(module -> destroy()); // ends after all others
    }

    /** The time of the application. */
    public LongSupplier clock() {
        return clock;
    }

    /** Sets the limit of request bytes in flight for each connection that is opened from now on. */
    public void maxBytesInFlight(long bytes) {
        maxBytesInFlight = bytes;
    }

    /** Sets how many connections over HTTP/1.1 each address that is opened from now on has at most. */
    public void mostHttp(int connections) {
        mostHttp = connections;
    }

    /** The connection to an address, which is in use from now on; a new one is opened in the background. */
    public ReconnectingLink connection(GatewaySpec gateway) {
        return Objects.requireNonNull(connections.compute(gateway, (any, known) -> {
            unused.remove(gateway);
            return known != null ? known : open(gateway);
        }));
    }

    private ReconnectingLink open(GatewaySpec gateway) {
        if (closed.get()) {
            throw new IllegalStateException("the application has stopped");
        }
        ReconnectingLink connection = new ReconnectingLink(gateway, application, mostHttp, clock);
        connection.opener().bytesInFlight().limit(maxBytesInFlight);
        reconnectSoon(connection);
        return connection;
    }

    /**
     * Opens the connections to these addresses, and waits until the first attempt to connect each new one has ended.
     *
     * @param millis the longest wait
     */
    public void open(Collection<GatewaySpec> gateways, long millis) {
        CompletableFuture<?>[] attempts = gateways.stream()
                .filter(gateway -> !connections.containsKey(gateway))
                .map(gateway -> attempted(connection(gateway)))
                .toArray(CompletableFuture<?>[]::new);
        try {
            CompletableFuture.allOf(attempts).get(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            log.debug("highway: not all gateways of the new policy are connected yet: " + e);
        }
    }

    /** The first attempt of a new connection, which may have ended meanwhile: then the next one is not awaited. */
    private static CompletableFuture<?> attempted(ReconnectingLink connection) {
        CompletableFuture<?> attempt = connection.attempt();
        return connection.isUp() ? CompletableFuture.completedFuture(null) : attempt;
    }

    /**
     * Tells which addresses are in use from now on. Another address keeps its connection for ten seconds, in which it may
     * come back, and as long as calls over it are in flight; then it is closed.
     */
    public void retain(Set<GatewaySpec> gateways) {
        long now = clock.getAsLong();
        connections.keySet().stream()
                .filter(gateway -> !gateways.contains(gateway))
                .forEach(gateway -> unused.putIfAbsent(gateway, now));
    }

    /** Sets how long an address that is no longer in use keeps its connection; ten seconds unless set. For tests. */
    public void grace(Duration grace) {
        graceNanos = grace.toNanos();
    }

    /** Sets how often certificates and addresses are looked at; once a minute unless set. For tests. */
    public void look(Duration interval) {
        lookNanos = interval.toNanos();
    }

    private void closeUnused() {
        long now = clock.getAsLong();
        unused.forEach((gateway, since) -> {
            ReconnectingLink left = now - since < graceNanos ? null : connections.get(gateway);
            if (left != null && isTakenOut(gateway, since, left)) {
                log.info("highway: gateway " + gateway + " is not in the policy any more, its connection is closed");
                BackgroundTasks.runSafely(() -> left.close(releases::destroy));
            }
        });
    }

    /** Whether it is unused, and no caller gets it from now on. */
    private boolean isTakenOut(GatewaySpec gateway, Long since, ReconnectingLink connection) {
        return connections.computeIfPresent(
                        gateway,
                        (any, known) -> known.hasCallsInFlight() || !unused.remove(gateway, since) ? known : null)
                != connection;
    }

    /**
     * Completes when one of these connections is up, or when the first attempt of each after start-up or after a
     * disconnect has ended. Null if that is already the case, as for gateways that are known to be down.
     */
    public @Nullable CompletableFuture<?> attempted(Collection<ReconnectingLink> awaited) {
        ReconnectingLink pending = pending(awaited);
        return pending == null || tasks.isStopped() ? null : attempted(pending, awaited);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the result is composed at once
    private CompletableFuture<@Nullable Void> attempted(
            ReconnectingLink pending, Collection<ReconnectingLink> awaited) {
        reconnectSoon(pending);
        return pending.attempt()
                .copy()
                .completeOnTimeout(null, LOOK_AGAIN_MILLIS, TimeUnit.MILLISECONDS)
                .thenCompose(tried -> {
                    ReconnectingLink next = pending(awaited);
                    return next == null || tasks.isStopped()
                            ? CompletableFuture.<@Nullable Void>completedFuture(null)
                            : attempted(next, awaited);
                });
    }

    /** A connection whose first attempt has not ended, or null. */
    private static @Nullable ReconnectingLink pending(Collection<ReconnectingLink> connections) {
        ReconnectingLink pending = null;
        for (ReconnectingLink connection : connections) {
            if (connection.isUp()) {
                return null;
            }
            pending = connection.awaitsFirstAttempt() ? connection : pending;
        }
        return pending;
    }

    /** The state of the connection to an address. Opens none. */
    public ConnectionStatus state(GatewaySpec gateway) {
        ReconnectingLink connection = connections.get(gateway);
        if (connection == null) {
            return ConnectionStatus.unused(gateway.address());
        }
        return connection.isUp()
                ? new ConnectionStatus(gateway.address(), HighwayReport.Gateway.State.UP, null)
                : new ConnectionStatus(gateway.address(), HighwayReport.Gateway.State.DOWN, connection.problem());
    }

    /** When a certificate of the connection to an address ends, or null if that is unknown. */
    public @Nullable Instant certificateEnds(GatewaySpec gateway, CertificateRole kind) {
        ReconnectingLink connection = connections.get(gateway);
        return connection == null ? null : connection.opener().certificateEnds(kind);
    }

    private void checkConnections() {
        reconnect();
        connections.values().forEach(connection -> {
            connection.tick(reconnecting.contains(connection));
            if (connection.beginsLook(lookNanos)) {
                tasks.connect(connection::look);
            }
        });
    }

    /** Begins to connect wherever that is due, as every 200 ms in any case: tests do not wait for that. */
    public void reconnect() {
        connections.forEach((gateway, connection) -> {
            if (!unused.containsKey(gateway) && connection.needsReconnect()) {
                reconnectSoon(connection);
            }
        });
    }

    private void reconnectSoon(ReconnectingLink connection) {
        if (!tasks.isStopped() && reconnecting.add(connection)) {
            tasks.connect(() -> {
                try {
                    connection.reconnect();
                } finally {
                    reconnecting.remove(connection);
                }
            });
        }
    }

    /** Runs a non-blocking task periodically while the application runs. */
    public void everyTick(Runnable task) {
        tasks.everyTick(task);
    }

    /** Runs a short task on another thread, unless the application has stopped meanwhile: its references are gone then. */
    public void inBackground(Runnable task) {
        tasks.run(() -> {
            if (!tasks.isStopped()) {
                task.run();
            }
        });
    }

    /**
     * Continues a call that has waited. It may run filters of the reference, so it does not run on a connecting thread.
     */
    public void resume(Runnable rest) {
        tasks.runForCaller(rest);
    }

    /** Destroys an invoker in the background: listeners of the application may wait. */
    public void destroy(Invoker<?> invoker) {
        releases.destroy(invoker);
    }

    /** Releases something once its reference is destroyed; polls, since Dubbo has no event for that. */
    public void releaseWhen(BooleanSupplier destroyed, Runnable release) {
        releases.when(destroyed, release);
    }

    /** Stops reconnecting: the application is stopping. */
    public void stopConnecting() {
        tasks.stop();
    }

    /** Whether the application or this module of it is stopping; Spring stops the module first. */
    public boolean isStopping(ScopeModel module) {
        return tasks.isStopped()
                || module.isDestroyed()
                || (module instanceof ModuleModel owner
                        && owner.getDeployer() != null
                        && isEnding(owner.getDeployer()));
    }

    private static boolean isEnding(ModuleDeployer deployer) {
        return deployer.isStopping() || deployer.isStopped();
    }

    /**
     * Waits for the calls in flight of a stopping module, in total at most for Dubbo's shutdown timeout.
     *
     * @param awaitEnd waits until this {@link System#nanoTime()}, and returns false if calls were in flight then
     */
    public void drain(ScopeModel module, LongPredicate awaitEnd) {
        releases.drain(module, tasks.isStopped(), awaitEnd);
    }

    /**
     * Closes every connection. Called after the references of an application are destroyed and before Dubbo destroys
     * what closing a connection needs; by Dubbo if modules were not destroyed before.
     */
    @Override
    public void destroy() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        stopConnecting();
        releases.releaseAll();
        tasks.close();
        if (!releases.awaitAll()) {
            connections.values().forEach(ReconnectingLink::endCalls);
            releases.awaitEnded();
        }
        closeConnections();
    }

    /** Closes every connection of an application that failed to start; a second start opens them again. */
    public void closeConnections() {
        unused.clear();
        connections.values().removeIf(connection -> {
            BackgroundTasks.runSafely(() -> connection.close(releases::destroy));
            return true;
        });
    }
}
