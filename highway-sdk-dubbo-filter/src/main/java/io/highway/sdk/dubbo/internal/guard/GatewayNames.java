// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.guard;

import io.highway.sdk.dubbo.internal.background.BackgroundTasks;
import io.highway.sdk.dubbo.internal.background.BackgroundTasks.RepeatedTask;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.apache.dubbo.common.logger.Logger;
import org.apache.dubbo.common.logger.LoggerFactory;
import org.jspecify.annotations.Nullable;

/**
 * Which peers are gateways that are configured by host name.
 *
 * <ol>
 *   <li>An address that a name had within the last hour is a gateway's.
 *   <li>Every other peer was asked for within the last 30 seconds, and is none then, or its call starts a resolution of
 *       all names and waits for it. One is in progress at a time, and calls wait for it for 200 ms from its start.
 *   <li>If that fails, peers that were none stay it for another 30 seconds, and nothing is known about others.
 * </ol>
 *
 * A task in the background resolves the names, also without a call every 30 seconds. Thread-safe.
 */
final class GatewayNames {

    private static final Logger log = LoggerFactory.getLogger(GatewayNames.class);

    private static final Duration INTERVAL = Duration.ofSeconds(30);
    private static final Duration RETRY = Duration.ofSeconds(2);
    private static final Duration WAIT = Duration.ofMillis(200);
    private static final long KEEP_GATEWAY_NANOS = TimeUnit.HOURS.toNanos(1);
    private static final long KEEP_OTHER_NANOS = TimeUnit.SECONDS.toNanos(30);

    /** Peers beyond these wait for each of their calls. */
    private static final int MAX_OTHERS = 10_000;

    /** Resolves a name, as {@link InetAddress#getAllByName}. */
    @FunctionalInterface
    interface Resolver {

        InetAddress[] resolve(String name) throws UnknownHostException;
    }

    /** One resolution of all names; the answer is whether each of them was resolved. */
    private record Resolution(long begun, CompletableFuture<Boolean> answer) {}

    private final List<String> names;
    private final Resolver resolver;
    private final LongSupplier nanos;
    private final RepeatedTask task;

    /** When a name last had the address. */
    private final Map<InetAddress, Long> gateways = new ConcurrentHashMap<>();

    /** Peers that are no gateways, and since when that is known. */
    private final Map<InetAddress, Long> others = new ConcurrentHashMap<>();

    private @Nullable Resolution latest;

    /** The last addresses of each name, and the names whose failure has been logged; used by the task only. */
    private final Map<String, Set<InetAddress>> resolved = new HashMap<>();

    private final Set<String> failing = new HashSet<>();

    private GatewayNames(List<String> names, Resolver resolver, LongSupplier nanos, BackgroundTasks tasks) {
        this.names = names;
        this.resolver = resolver;
        this.nanos = nanos;
        this.task = tasks.repeat(this::resolveOnce);
    }

    /** Starts to resolve. */
    static GatewayNames start(List<String> names, BackgroundTasks tasks) {
        return start(names, InetAddress::getAllByName, System::nanoTime, tasks);
    }

    /** With another resolver, and a monotonic clock in nanoseconds. */
    static GatewayNames start(List<String> names, Resolver resolver, LongSupplier nanos, BackgroundTasks tasks) {
        GatewayNames started = new GatewayNames(names, resolver, nanos, tasks);
        Resolution unused = started.requested();
        return started;
    }

    /** Whether a name has this address, or had it within the last hour. Never blocks. */
    boolean contain(InetAddress address) {
        Long seen = gateways.get(address);
        return seen != null && nanos.getAsLong() - seen < KEEP_GATEWAY_NANOS;
    }

    /** Whether it is known that a peer is no gateway. May block for 200 ms if the peer is new, or made no call lately. */
    boolean exclude(InetAddress peer) {
        if (contain(peer)) {
            return false;
        }
        Long known = others.get(peer);
        if (known != null && nanos.getAsLong() - known < KEEP_OTHER_NANOS) {
            return true;
        }
        boolean isAnswered = Boolean.TRUE.equals(answer(requested()));
        if ((!isAnswered && known == null) || contain(peer)) { // what is known holds on while DNS fails or is silent
            return false;
        }
        long now = nanos.getAsLong();
        if (others.size() >= MAX_OTHERS) {
            others.values().removeIf(since -> now - since >= KEEP_OTHER_NANOS);
        }
        if (known != null || others.size() < MAX_OTHERS) {
            others.put(peer, now);
        }
        return true;
    }

    /** The configured names, for messages. */
    @Override
    public String toString() {
        return String.join(", ", names);
    }

    /** As {@link #resolution}; a new one starts. */
    private synchronized Resolution requested() {
        Resolution before = latest;
        Resolution present = resolution();
        if (!present.equals(before)) {
            task.runSoon();
        }
        return present;
    }

    /** The resolution in progress, one that has just failed, or a new one. */
    private synchronized Resolution resolution() {
        Resolution known = latest;
        if (known != null) {
            Boolean isResolved = known.answer.getNow(null);
            boolean isRecent = nanos.getAsLong() - known.begun < RETRY.toNanos();
            if (isResolved == null || (!isResolved && isRecent)) {
                return known;
            }
        }
        Resolution next = new Resolution(nanos.getAsLong(), new CompletableFuture<>());
        latest = next;
        return next;
    }

    /** Null if it is open for too long. */
    private @Nullable Boolean answer(Resolution resolution) {
        try {
            long left = resolution.begun + WAIT.toNanos() - nanos.getAsLong();
            return resolution.answer.get(Math.max(0, left), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        } catch (ExecutionException | TimeoutException e) {
            return null;
        }
    }

    void close() {
        task.close();
    }

    private long resolveOnce() {
        Resolution next = resolution();
        if (!next.answer.isDone()) {
            next.answer.complete(resolve());
        }
        return (failing.isEmpty() ? INTERVAL : RETRY).toMillis();
    }

    /** Resolves every name once; false if one cannot be resolved. */
    private boolean resolve() {
        for (String name : names) {
            try {
                Set<InetAddress> now = new HashSet<>(List.of(resolver.resolve(name)));
                Set<InetAddress> before = resolved.put(name, now);
                now.forEach(address -> gateways.put(address, nanos.getAsLong()));
                if (failing.remove(name) || !now.equals(before)) {
                    log.info("highway: the gateway " + name + " of highway.guard.gateways has the addresses " + now);
                }
            } catch (UnknownHostException | RuntimeException | Error e) {
                if (failing.add(name)) {
                    log.warn("highway: the gateway " + name + " of highway.guard.gateways cannot be resolved (" + e
                            + "), "
                            + (resolved.containsKey(name)
                                    ? "so its last addresses stay in force: " + resolved.get(name)
                                    : "so calls without route headers are refused until it is; write addresses instead"
                                            + " to be independent of DNS"));
                }
            }
        }
        gateways.values().removeIf(seen -> nanos.getAsLong() - seen >= KEEP_GATEWAY_NANOS);
        return failing.isEmpty();
    }
}
