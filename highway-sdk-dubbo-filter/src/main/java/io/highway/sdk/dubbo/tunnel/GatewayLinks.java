// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.tunnel;

import io.highway.sdk.dubbo.policy.GatewayAddress;
import io.highway.sdk.dubbo.policy.TunnelKind;
import io.highway.sdk.dubbo.route.RouteDecision;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.apache.dubbo.common.resource.Disposable;
import org.apache.dubbo.common.utils.NamedThreadFactory;
import org.apache.dubbo.rpc.model.ApplicationModel;

/**
 * The gateway addresses of one application. A connection belongs to its address, whatever services and destinations use
 * it. Thread-safe.
 */
public final class GatewayLinks implements Disposable {

    /** How often a link that is down is tried again, milliseconds. */
    private static final int TEND_INTERVAL = 200;

    private static final int CONNECT_THREADS = 4;

    private final ApplicationModel application;
    private final Map<GatewayAddress, GatewayLink> links = new ConcurrentHashMap<>();
    private final Set<GatewayLink> tending = ConcurrentHashMap.newKeySet();
    private final Set<Release> releases = ConcurrentHashMap.newKeySet();
    private final AtomicInteger nextTurn = new AtomicInteger();
    private final ScheduledExecutorService clock;
    private final Future<?> tick;
    private volatile boolean stopped;
    private final ThreadPoolExecutor workers;

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
        this.tick = clock.scheduleWithFixedDelay(this::tendAll, TEND_INTERVAL, TEND_INTERVAL, TimeUnit.MILLISECONDS);
    }

    /** Opens the links to these addresses in the background. Returns at once. */
    public void open(Collection<GatewayAddress> addresses) {
        for (GatewayAddress address : addresses) {
            tendSoon(links.computeIfAbsent(address, any -> new GatewayLink(address, application)));
        }
    }

    GatewayLink link(GatewayAddress address) {
        GatewayLink link = links.get(address);
        if (link == null) {
            open(Set.of(address));
            link = Objects.requireNonNull(links.get(address));
        }
        return link;
    }

    /**
     * The connected addresses for a decision, in the order to try: its tunnels in their order, and within a tunnel the
     * addresses in turn. Waits only while a link has never been tried yet.
     */
    List<GatewayLink> usable(RouteDecision.Tunnel decision) {
        return liveOrTried(decision, nextTurn.getAndIncrement() & Integer.MAX_VALUE);
    }

    /** Whether any address for a decision is connected; takes no turn. */
    boolean isUp(RouteDecision.Tunnel decision) {
        return !liveOrTried(decision, 0).isEmpty();
    }

    private List<GatewayLink> liveOrTried(RouteDecision.Tunnel decision, int turn) {
        List<GatewayLink> live = live(decision, turn);
        if (!live.isEmpty()) {
            return live;
        }
        try {
            for (TunnelKind kind : decision.tunnels()) {
                for (GatewayAddress address : decision.policy().gateways(kind)) {
                    link(address).awaitFirstAttempt();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return live(decision, turn);
    }

    private List<GatewayLink> live(RouteDecision.Tunnel decision, int turn) {
        List<GatewayLink> live = new ArrayList<>(2);
        for (TunnelKind kind : decision.tunnels()) {
            List<GatewayAddress> addresses = decision.policy().gateways(kind);
            for (int i = 0; i < addresses.size(); i++) {
                GatewayLink link = link(addresses.get((turn % addresses.size() + i) % addresses.size()));
                if (link.live() != null) {
                    live.add(link);
                }
            }
        }
        return live;
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
    void inBackground(Runnable task) {
        if (stopped) {
            task.run();
        } else {
            workers.execute(task);
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

    private void tendAll() {
        List<Release> due = releases.stream()
                .filter(release -> release.destroyed.getAsBoolean())
                .toList();
        for (Release release : due) {
            releases.remove(release);
            inBackground(release.action);
        }
        links.values().forEach(link -> {
            if (link.live() == null) {
                tendSoon(link);
            }
        });
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
        releases.forEach(release -> release.action.run());
        clock.shutdownNow();
        workers.shutdownNow();
        links.values().forEach(GatewayLink::close);
        links.clear();
    }
}
