// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.network.connection;

import io.highway.sdk.dubbo.internal.background.BackgroundTasks;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongPredicate;
import org.apache.dubbo.common.config.ConfigurationUtils;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.apache.dubbo.rpc.model.ScopeModel;

/**
 * Destroys invokers on separate threads, since listeners of the application may wait: neither on calling threads nor on those
 * that connect and check health. When the application stops, it waits for the calls in flight within Dubbo's shutdown
 * time. Thread-safe.
 */
final class InvokerDestroyer {

    private static final int THREADS = 4;
    private static final long ENDED_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private final ApplicationModel application;
    private final ThreadPoolExecutor destroyers = ConnectionExecutors.threads("highway-gateway-close", THREADS);
    private final Set<Release> releases = ConcurrentHashMap.newKeySet();
    private final Map<ScopeModel, Long> drainEnds = new WeakHashMap<>(); // by what stops
    private final Queue<LongPredicate> undrained = new ConcurrentLinkedQueue<>();

    private record Release(BooleanSupplier destroyed, Runnable action) {}

    InvokerDestroyer(ApplicationModel application) {
        this.application = application;
    }

    /** Destroys an invoker in the background, or at once if the application has stopped. */
    void destroy(Invoker<?> invoker) {
        Runnable destroying = () -> BackgroundTasks.runSafely(invoker::destroy);
        try {
            destroyers.execute(destroying);
        } catch (RejectedExecutionException e) { // the application has stopped
            destroying.run();
        }
    }

    /** Runs an action once something is destroyed, at {@link #releaseDestroyed}; Dubbo has no event for that. */
    void when(BooleanSupplier destroyed, Runnable action) {
        releases.add(new Release(destroyed, action));
    }

    /** Starts the actions whose object has been destroyed. Does not block. */
    void releaseDestroyed() {
        List<Release> due = releases.stream()
                .filter(release -> release.destroyed.getAsBoolean())
                .toList();
        for (Release release : due) {
            releases.remove(release);
            destroyers.execute(() -> BackgroundTasks.runSafely(release.action));
        }
    }

    /** Runs all remaining actions: the application stops. */
    void releaseAll() {
        releases.forEach(release -> BackgroundTasks.runSafely(release.action));
    }

    /**
     * Waits for the calls in flight of a stopping module, in total at most for Dubbo's shutdown timeout.
     *
     * @param module the module
     * @param isLast whether its application stops, which has one timeout for all of its modules
     * @param awaitEnd waits until this {@link System#nanoTime()}, and returns false if calls were in flight then
     */
    void drain(ScopeModel module, boolean isLast, LongPredicate awaitEnd) {
        if (!awaitEnd.test(drainEnd(module, isLast))) {
            undrained.add(awaitEnd);
        }
    }

    private synchronized long drainEnd(ScopeModel module, boolean isLast) {
        ScopeModel stopping = isLast ? application : module;
        Long known = drainEnds.get(stopping);
        if (known != null) {
            return known;
        }
        int millis = ConfigurationUtils.reCalShutdownTime(ConfigurationUtils.getServerShutdownTimeout(application));
        long now = System.nanoTime();
        long timeout = TimeUnit.MILLISECONDS.toNanos(millis);
        long end = now + timeout;
        if (isLast) { // Spring stops the module just before
            for (long before : drainEnds.values()) {
                end = now - before < timeout ? Math.min(end, before) : end;
            }
        }
        drainEnds.put(stopping, end);
        return end;
    }

    /**
     * Waits until all invokers are destroyed, as {@link #drain} does; later ones are destroyed by the thread that asks.
     *
     * @return whether no call was in flight at the end, of these and of what was drained before
     */
    boolean awaitAll() {
        destroyers.shutdown();
        drain(application, true, this::awaitDestroyed);
        return undrained.isEmpty();
    }

    /** Waits a short time for the callers of calls that were just ended. */
    void awaitEnded() {
        long end = System.nanoTime() + ENDED_NANOS;
        boolean unused = undrained.stream().allMatch(awaitEnd -> awaitEnd.test(end));
    }

    private boolean awaitDestroyed(long end) {
        try {
            return destroyers.awaitTermination(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
