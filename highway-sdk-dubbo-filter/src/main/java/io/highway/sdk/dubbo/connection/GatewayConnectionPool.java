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
 * The gateway addresses of one application. A connection belongs to its address, whatever services and destinations use
 * it. Thread-safe.
 */
public final class GatewayConnectionPool implements Disposable {

    private static final Logger log = LoggerFactory.getLogger(GatewayConnectionPool.class);

    /** How often a connection that is down is tried again, milliseconds. */
    private static final int RECONNECT_INTERVAL = 200;

    private static final int CONNECT_THREADS = 4;

    private static final int CLOSE_THREADS = 4;

    /** How long a connection that is replaced is waited for; Dubbo gives out the old one until it is closed. */
    private static final long DESTROY_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    /** How long an attempt may take, a look-up of the name and a probe of the port included. */
    public static final int ATTEMPT_MILLIS = 2 * GatewayConnection.CONNECT_TIMEOUT;

    /** Dubbo may make a connection again by itself. */
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

    /** Starts with no connection; nothing runs until {@link #open}. */
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
        application.getInternalModule().addDestroyListener(module -> close()); // it ends after all others
    }

    private static ThreadPoolExecutor threads(String name, int count) {
        ThreadPoolExecutor threads = new ThreadPoolExecutor(
                count, count, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), new NamedThreadFactory(name, true));
        threads.allowCoreThreadTimeOut(true);
        return threads;
    }

    /** Sets how many bytes of requests may be on their way over each connection that is opened from now on. */
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
     * Ends when one of these connections is up, or all have been tried since the start or since a loss that nobody has noticed yet.
     * Null if that is so already, as for gateways that are known to be gone.
     */
    public @Nullable CompletableFuture<?> attempted(Collection<GatewayConnection> awaited) {
        GatewayConnection news = news(awaited);
        return news == null || stopped ? null : attempted(news, awaited);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the rest is composed at once
    private CompletableFuture<@Nullable Void> attempted(GatewayConnection news, Collection<GatewayConnection> awaited) {
        reconnectSoon(news);
        return news.attempt()
                .copy()
                .completeOnTimeout(null, LOOK_AGAIN_MILLIS, TimeUnit.MILLISECONDS)
                .thenCompose(tried -> {
                    GatewayConnection next = news(awaited);
                    return next == null || stopped
                            ? CompletableFuture.<@Nullable Void>completedFuture(null)
                            : attempted(next, awaited);
                });
    }

    /** A connection that is worth waiting for, or null. */
    private static @Nullable GatewayConnection news(Collection<GatewayConnection> connections) {
        GatewayConnection news = null;
        for (GatewayConnection connection : connections) {
            if (connection.activeInvokers() != null) {
                return null;
            }
            news = connection.awaitsFirstAttempt() ? connection : news;
        }
        return news;
    }

    /** How the connection to an address is, without opening one. */
    public GatewayState state(Gateway gateway) {
        GatewayConnection connection = connections.get(gateway);
        if (connection == null) {
            return GatewayState.unused(gateway.address());
        }
        return connection.activeInvokers() != null
                ? GatewayState.up(gateway.address())
                : GatewayState.down(gateway.address(), connection.problem());
    }

    /** Runs something short off the calling thread. */
    public void inBackground(Runnable task) {
        if (!stopped) {
            workers.execute(() -> runSafely(task));
        }
    }

    /** Runs the rest of a call that has waited: with the filters of its reference, so not on a thread that connects. */
    public void resume(Runnable rest) {
        try {
            callers.execute(rest);
        } catch (RejectedExecutionException e) { // the process ends
            rest.run();
        }
    }

    /**
     * Destroys an invoker, which may wait ten seconds for its calls in flight, on a thread that does nothing else: neither on
     * the calling one, nor on those that connect and check health.
     */
    @SuppressWarnings("FutureReturnValueIgnored") // it only says when
    public void destroy(Invoker<?> invoker) {
        destroyLater(invoker);
    }

    private Future<?> destroyLater(Invoker<?> invoker) {
        FutureTask<?> destroyed = new FutureTask<>(() -> SharedInvokers.destroy(invoker), null);
        try {
            destroyers.execute(destroyed);
        } catch (RejectedExecutionException e) { // the application has ended
            destroyed.run();
        }
        return destroyed;
    }

    /**
     * Destroys all invokers of a connection whose calls have ended, and waits for it a moment at most: a filter may keep a
     * call whose connection is lost.
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

    /** From now on a lost connection stays lost: the application is stopping. */
    public void stopConnecting() {
        stopped = true;
        tick.cancel(false);
    }

    /** Whether the application stops, or this module of it, which Spring ends first. */
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
     * Waits for calls in flight of an application that stops, all together as long as Dubbo may take to shut down.
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

    /** Releases something once its reference is destroyed, where Dubbo tells nobody. */
    public void releaseWhen(BooleanSupplier destroyed, Runnable release) {
        releases.add(new Release(destroyed, release));
    }

    /** Runs something again and again, without waiting in it, while the application runs. */
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

    /** A clock whose task throws stops for good, and a thread that ends so tells nobody of this application. */
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
     * Closes every connection. Called when the references of an application are destroyed, and Dubbo has not yet destroyed what
     * closing a connection needs.
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

    /** Closes every connection of an application that could not start; one that tries again opens them anew. */
    public void closeConnections() {
        connections.values().removeIf(connection -> {
            runSafely(connection::close);
            return true;
        });
    }

    /** Called by Dubbo when the application goes, if its modules have not gone before. */
    @Override
    public void destroy() {
        close();
    }
}
