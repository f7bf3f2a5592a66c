// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.link;

import io.highway.sdk.dubbo.policy.GatewayAddress;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.dubbo.common.logger.Logger;
import org.apache.dubbo.common.logger.LoggerFactory;
import org.apache.dubbo.common.resource.Disposable;
import org.apache.dubbo.common.utils.NamedThreadFactory;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.jspecify.annotations.Nullable;

/**
 * The gateway addresses of one application. A connection belongs to its address, whatever services and destinations use
 * it. Thread-safe.
 */
public final class GatewayLinks implements Disposable {

    private static final Logger log = LoggerFactory.getLogger(GatewayLinks.class);

    /** How often a link that is down is tried again, milliseconds. */
    private static final int TEND_INTERVAL = 200;

    private static final int CONNECT_THREADS = 4;

    /** How long an attempt may take, a look-up of the name and a knock included. */
    private static final int ATTEMPT_MILLIS = 2 * GatewayLink.CONNECT_TIMEOUT;

    private static final long LOOK_AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final ApplicationModel application;
    private final Map<GatewayAddress, GatewayLink> links = new ConcurrentHashMap<>();
    private final Set<GatewayLink> tending = ConcurrentHashMap.newKeySet();
    private final Set<Release> releases = ConcurrentHashMap.newKeySet();
    private volatile int connections = 1;
    private final ScheduledExecutorService clock;
    private final Future<?> tick;
    private volatile boolean stopped;
    private final ThreadPoolExecutor workers;

    private final List<Runnable> onTick = new CopyOnWriteArrayList<>();

    private record Release(BooleanSupplier destroyed, Runnable action) {}

    /** Starts with no link; nothing runs until {@link #open}. */
    public GatewayLinks(ApplicationModel application) {
        this.application = application;
        ScheduledThreadPoolExecutor clock =
                new ScheduledThreadPoolExecutor(1, new NamedThreadFactory("highway-gateway-clock", true));
        clock.setRemoveOnCancelPolicy(true);
        this.clock = clock;
        this.workers = new ThreadPoolExecutor(
                CONNECT_THREADS,
                CONNECT_THREADS,
                1,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                new NamedThreadFactory("highway-gateway-connect", true));
        workers.allowCoreThreadTimeOut(true);
        this.tick = clock.scheduleWithFixedDelay(
                () -> runSafely(this::tendAll), TEND_INTERVAL, TEND_INTERVAL, TimeUnit.MILLISECONDS);
    }

    /** Opens the links to these addresses in the background. Returns at once. */
    public void open(Collection<GatewayAddress> addresses, int connections) {
        this.connections = connections;
        addresses.forEach(this::link);
    }

    /** The link to an address; a new one is opened in the background. */
    public GatewayLink link(GatewayAddress address) {
        return links.computeIfAbsent(address, any -> {
            GatewayLink link = new GatewayLink(address, application, connections);
            tendSoon(link);
            return link;
        });
    }

    /**
     * Waits until one of these links is up, or all have been tried since the start or since a loss that nobody has noticed
     * yet. Returns at once for gateways that are known to be gone.
     *
     * @param millis how long it may take at most
     */
    public void awaitAttempts(Collection<GatewayLink> awaited, long millis) {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(Math.min(millis, ATTEMPT_MILLIS));
        try {
            GatewayLink news = news(awaited);
            while (news != null && !stopped && end - System.nanoTime() > 0) {
                tendSoon(news);
                news.awaitAttempt(Math.min(LOOK_AGAIN_NANOS, end - System.nanoTime()));
                news = news(awaited);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** A link that is worth waiting for, or null. */
    private static @Nullable GatewayLink news(Collection<GatewayLink> links) {
        GatewayLink news = null;
        for (GatewayLink link : links) {
            if (link.live() != null) {
                return null;
            }
            news = link.isLossNews() ? link : news;
        }
        return news;
    }

    /** How the connection to an address is, without opening one. */
    public GatewayState state(GatewayAddress address) {
        GatewayLink link = links.get(address);
        if (link == null) {
            return GatewayState.unused(address);
        }
        return link.live() != null ? GatewayState.up(address) : GatewayState.down(address, link.problem());
    }

    /** Runs something that may wait for calls in flight, such as destroying an invoker, off the calling thread. */
    public void inBackground(Runnable task) {
        if (stopped) {
            task.run();
        } else {
            workers.execute(() -> runSafely(task));
        }
    }

    /** From now on a lost connection stays lost: the application is stopping. */
    public void stopConnecting() {
        stopped = true;
        tick.cancel(false);
    }

    /** Releases something once its reference is destroyed, where Dubbo tells nobody. */
    public void releaseWhen(BooleanSupplier destroyed, Runnable release) {
        releases.add(new Release(destroyed, release));
    }

    /** Runs something again and again, without waiting in it, while the application runs. */
    public void everyTick(Runnable task) {
        onTick.add(task);
    }

    private void tendAll() {
        List<Release> due = releases.stream()
                .filter(release -> release.destroyed.getAsBoolean())
                .toList();
        for (Release release : due) {
            releases.remove(release);
            inBackground(release.action);
        }
        onTick.forEach(GatewayLinks::runSafely);
        links.values().forEach(link -> {
            if (link.needsTending()) {
                tendSoon(link);
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

    private void tendSoon(GatewayLink link) {
        if (!stopped && tending.add(link)) {
            workers.execute(() -> {
                try {
                    link.tend();
                } finally {
                    tending.remove(link);
                }
            });
        }
    }

    /** Closes every link; called by Dubbo when the application goes. */
    @Override
    public void destroy() {
        stopConnecting();
        releases.forEach(release -> runSafely(release.action));
        clock.shutdownNow();
        workers.shutdownNow();
        links.values().forEach(GatewayLink::close);
        links.clear();
    }
}
