// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.connection;

import io.highway.sdk.dubbo.connection.channel.BytesInFlight;
import io.highway.sdk.dubbo.policy.Gateway;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.LongPredicate;
import org.apache.dubbo.common.config.ConfigurationUtils;
import org.apache.dubbo.common.deploy.ModuleDeployer;
import org.apache.dubbo.common.logger.Logger;
import org.apache.dubbo.common.logger.LoggerFactory;
import org.apache.dubbo.common.resource.Disposable;
import org.apache.dubbo.common.threadpool.manager.FrameworkExecutorRepository;
import org.apache.dubbo.common.utils.NamedThreadFactory;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.apache.dubbo.rpc.model.ModuleModel;
import org.apache.dubbo.rpc.model.ScopeModel;
import org.jspecify.annotations.Nullable;

/**
 * The connection pool of one application. A connection belongs to its gateway address, whichever services and
 * destinations use it. Thread-safe.
 */
public final class GatewayConnectionPool implements Disposable {

    private static final Logger log = LoggerFactory.getLogger(GatewayConnectionPool.class);

    /** The interval between probes of a connection that is down, milliseconds. */
    private static final int RECONNECT_INTERVAL = 200;

    private static final int CONNECT_THREADS = 4;

    private static final int CLOSE_THREADS = 4;

    /** How long the SDK waits for the end of a replaced connection; Dubbo returns the old one until it is closed. */
    private static final long DESTROY_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    /** The maximum duration of a connection attempt, name resolution and probe of the port included. */
    public static final int ATTEMPT_MILLIS = 2 * GatewayConnection.CONNECT_TIMEOUT;

    /** The interval at which waiting calls check whether Dubbo has reconnected by itself. */
    private static final int LOOK_AGAIN_MILLIS = 20;

    private final ApplicationModel application;
    private final Map<Gateway, GatewayConnection> connections = new ConcurrentHashMap<>();
    private final Set<GatewayConnection> reconnecting = ConcurrentHashMap.newKeySet();
    private final Set<Release> releases = ConcurrentHashMap.newKeySet();
    private volatile int perAddress = 1;
    private volatile long maxBytesInFlight = BytesInFlight.DEFAULT_LIMIT;
    private final ScheduledExecutorService clock;
    private final Future<?> tick;
    private volatile boolean stopped;
    private final ThreadPoolExecutor workers;
    private final ThreadPoolExecutor destroyers;
    private final Executor callers;
    private final AtomicBoolean closed = new AtomicBoolean();
    private long drainEnd; // 0 until the application stops
    private volatile boolean undrained;

    private final List<Runnable> onTick = new CopyOnWriteArrayList<>();

    private record Release(BooleanSupplier destroyed, Runnable action) {}

    /** Creates an empty pool; nothing runs until {@link #open}. */
    public GatewayConnectionPool(ApplicationModel application) {
        this.application = application;
        ScheduledThreadPoolExecutor clock =
                new ScheduledThreadPoolExecutor(1, new NamedThreadFactory("highway-gateway-clock", true));
        clock.setRemoveOnCancelPolicy(true);
        this.clock = clock;
        this.workers = threads("highway-gateway-connect", CONNECT_THREADS);
        this.callers = application
                .getFrameworkModel()
                .getBeanFactory()
                .getBean(FrameworkExecutorRepository.class)
                .getSharedExecutor();
        this.destroyers = threads("highway-gateway-close", CLOSE_THREADS);
        this.tick = clock.scheduleWithFixedDelay(
                () -> runSafely(this::checkAll), RECONNECT_INTERVAL, RECONNECT_INTERVAL, TimeUnit.MILLISECONDS);
        application.getInternalModule().addDestroyListener(module -> close()); // ends after all others
    }

    private static ThreadPoolExecutor threads(String name, int count) {
        ThreadPoolExecutor threads = new ThreadPoolExecutor(
                count, count, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), new NamedThreadFactory(name, true));
        threads.allowCoreThreadTimeOut(true);
        return threads;
    }

    /** Sets the limit of request bytes in flight for each connection that is opened from now on. */
    public void maxBytesInFlight(long bytes) {
        maxBytesInFlight = bytes;
    }

    /** Opens the connections to these addresses in the background. Returns at once. */
    public void open(Collection<Gateway> gateways, int perAddress) {
        this.perAddress = perAddress;
        gateways.forEach(this::connection);
    }

    /** The connection to an address; a new one is opened in the background. */
    public GatewayConnection connection(Gateway gateway) {
        return connections.computeIfAbsent(gateway, any -> {
            if (closed.get()) {
                throw new IllegalStateException("the application has stopped");
            }
            GatewayConnection connection = new GatewayConnection(gateway, application, perAddress, this::close);
            connection.maxBytesInFlight(maxBytesInFlight);
            reconnectSoon(connection);
            return connection;
        });
    }

    /**
     * Completes when one of these connections is up, or when the first attempt of each after start-up or after a
     * disconnect has ended. Null if that is already the case, as for gateways that are known to be down.
     */
    public @Nullable CompletableFuture<?> attempted(Collection<GatewayConnection> awaited) {
        GatewayConnection pending = pending(awaited);
        return pending == null || stopped ? null : attempted(pending, awaited);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the result is composed at once
    private CompletableFuture<@Nullable Void> attempted(
            GatewayConnection pending, Collection<GatewayConnection> awaited) {
        reconnectSoon(pending);
        return pending.attempt()
                .copy()
                .completeOnTimeout(null, LOOK_AGAIN_MILLIS, TimeUnit.MILLISECONDS)
                .thenCompose(tried -> {
                    GatewayConnection next = pending(awaited);
                    return next == null || stopped
                            ? CompletableFuture.<@Nullable Void>completedFuture(null)
                            : attempted(next, awaited);
                });
    }

    /** A connection whose first attempt has not ended, or null. */
    private static @Nullable GatewayConnection pending(Collection<GatewayConnection> connections) {
        GatewayConnection pending = null;
        for (GatewayConnection connection : connections) {
            if (connection.activeInvokers() != null) {
                return null;
            }
            pending = connection.awaitsFirstAttempt() ? connection : pending;
        }
        return pending;
    }

    /** The state of the connection to an address. Opens none. */
    public GatewayState state(Gateway gateway) {
        GatewayConnection connection = connections.get(gateway);
        if (connection == null) {
            return GatewayState.unused(gateway.address());
        }
        return connection.activeInvokers() != null
                ? GatewayState.up(gateway.address())
                : GatewayState.down(gateway.address(), connection.problem());
    }

    /** Runs a short task on another thread. */
    public void inBackground(Runnable task) {
        if (!stopped) {
            workers.execute(() -> runSafely(task));
        }
    }

    /**
     * Continues a call that has waited. It may run filters of the reference, so it does not run on a connecting thread.
     */
    public void resume(Runnable rest) {
        try {
            callers.execute(rest);
        } catch (RejectedExecutionException e) { // the process stops
            rest.run();
        }
    }

    /**
     * Destroys an invoker on a separate thread, since it may wait ten seconds for its calls in flight: neither on the
     * calling thread nor on those that connect and check health.
     */
    @SuppressWarnings("FutureReturnValueIgnored") // only its completion is used
    public void destroy(Invoker<?> invoker) {
        destroyLater(invoker);
    }

    private Future<?> destroyLater(Invoker<?> invoker) {
        FutureTask<?> destroyed = new FutureTask<>(() -> SharedInvokers.destroy(invoker), null);
        try {
            destroyers.execute(destroyed);
        } catch (RejectedExecutionException e) { // the application has stopped
            destroyed.run();
        }
        return destroyed;
    }

    /**
     * Destroys all invokers of a connection whose calls have ended, and waits for that for a limited time: a filter may
     * delay a call whose connection is lost.
     */
    void close(SharedInvokers connection) {
        List<Future<?>> destroyed = new ArrayList<>();
        connection.close(invoker -> destroyed.add(destroyLater(invoker)));
        long end = System.nanoTime() + DESTROY_WAIT_NANOS;
        for (Future<?> one : destroyed) {
            awaitDone(one, end);
        }
    }

    private static void awaitDone(Future<?> task, long end) {
        try {
            task.get(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            log.debug("highway: an invoker is not destroyed yet: " + e);
        }
    }

    /** Stops reconnecting: the application is stopping. */
    public void stopConnecting() {
        stopped = true;
        tick.cancel(false);
    }

    /** Whether the application or this module of it is stopping; Spring stops the module first. */
    public boolean isStopping(ScopeModel module) {
        return stopped
                || module.isDestroyed()
                || (module instanceof ModuleModel owner
                        && owner.getDeployer() != null
                        && isEnding(owner.getDeployer()));
    }

    private static boolean isEnding(ModuleDeployer deployer) {
        return deployer.isStopping() || deployer.isStopped();
    }

    /**
     * Waits for the calls in flight of a stopping application, in total at most for Dubbo's shutdown timeout.
     *
     * @param awaitEnd waits until this {@link System#nanoTime()}, and returns false if calls were in flight then
     */
    public void drain(LongPredicate awaitEnd) {
        if (!awaitEnd.test(drainEnd())) {
            undrained = true;
        }
    }

    private synchronized long drainEnd() {
        if (drainEnd == 0) {
            int millis = ConfigurationUtils.reCalShutdownTime(ConfigurationUtils.getServerShutdownTimeout(application));
            drainEnd = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        }
        return drainEnd;
    }

    /** Releases something once its reference is destroyed; polls, since Dubbo has no event for that. */
    public void releaseWhen(BooleanSupplier destroyed, Runnable release) {
        releases.add(new Release(destroyed, release));
    }

    /** Runs a non-blocking task periodically while the application runs. */
    public void everyTick(Runnable task) {
        onTick.add(task);
    }

    private void checkAll() {
        List<Release> due = releases.stream()
                .filter(release -> release.destroyed.getAsBoolean())
                .toList();
        for (Release release : due) {
            releases.remove(release);
            destroyers.execute(() -> runSafely(release.action));
        }
        onTick.forEach(GatewayConnectionPool::runSafely);
        connections.values().forEach(connection -> {
            connection.tick();
            if (connection.needsReconnect()) {
                reconnectSoon(connection);
            }
        });
    }

    /** A scheduler cancels a task that throws, and its exception would not be logged. */
    private static void runSafely(Runnable task) {
        try {
            task.run();
        } catch (Throwable e) {
            log.warn("highway: work in the background failed: " + e, e);
        }
    }

    private void reconnectSoon(GatewayConnection connection) {
        if (!stopped && reconnecting.add(connection)) {
            workers.execute(() -> {
                try {
                    connection.reconnect();
                } finally {
                    reconnecting.remove(connection);
                }
            });
        }
    }

    /**
     * Closes every connection. Called after the references of an application are destroyed and before Dubbo destroys
     * what closing a connection needs.
     */
    void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        stopConnecting();
        releases.forEach(release -> runSafely(release.action));
        clock.shutdownNow();
        workers.shutdownNow();
        destroyers.shutdown();
        drain(this::awaitDestroyed);
        if (undrained) {
            connections.values().forEach(GatewayConnection::endCalls);
            boolean unused = awaitDestroyed(System.nanoTime() + DESTROY_WAIT_NANOS);
        }
        closeConnections();
    }

    private boolean awaitDestroyed(long end) {
        try {
            return destroyers.awaitTermination(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Closes every connection of an application that failed to start; a second start opens them again. */
    public void closeConnections() {
        connections.values().removeIf(connection -> {
            runSafely(connection::close);
            return true;
        });
    }

    /** Called by Dubbo when the application is destroyed, if its modules were not destroyed before. */
    @Override
    public void destroy() {
        close();
    }
}
