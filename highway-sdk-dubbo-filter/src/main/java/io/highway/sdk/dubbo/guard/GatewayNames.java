// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.guard;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.dubbo.common.logger.Logger;
import org.apache.dubbo.common.logger.LoggerFactory;
import org.jspecify.annotations.Nullable;

/**
 * The addresses of gateways that are configured by host name. A daemon thread of its own resolves the names, every 30
 * seconds, or every 2 seconds while a name has no result; the last result of a name stays if it cannot be resolved.
 * Thread-safe; look-ups by calls never block.
 */
final class GatewayNames {

    private static final Logger log = LoggerFactory.getLogger(GatewayNames.class);

    private static final Duration INTERVAL = Duration.ofSeconds(30);
    private static final Duration RETRY = Duration.ofSeconds(2);

    /** Resolves a name, as {@link InetAddress#getAllByName}. */
    @FunctionalInterface
    interface Resolver {

        InetAddress[] resolve(String name) throws UnknownHostException;
    }

    private final List<String> names;
    private final Resolver resolver;
    private final Duration interval;
    private final Duration retry;
    private final Thread thread;
    private volatile Map<String, Set<InetAddress>> resolved = Map.of();

    /** The names whose failure has been logged, until they are resolved again; used by the thread only. */
    private final Set<String> failing = new HashSet<>();

    private GatewayNames(List<String> names, Resolver resolver, Duration interval, Duration retry) {
        this.names = names;
        this.resolver = resolver;
        this.interval = interval;
        this.retry = retry;
        this.thread = new Thread(this::resolveUntilClosed, "highway-guard-names");
        this.thread.setDaemon(true);
    }

    /** Starts to resolve. */
    static GatewayNames start(List<String> names) {
        return start(names, InetAddress::getAllByName, INTERVAL, RETRY);
    }

    /**
     * With another resolver and other pauses.
     *
     * @param interval the pause if every name has a result
     * @param retry the pause if one has none
     */
    static GatewayNames start(List<String> names, Resolver resolver, Duration interval, Duration retry) {
        GatewayNames started = new GatewayNames(names, resolver, interval, retry);
        started.thread.start();
        return started;
    }

    /** Whether a name has this address. */
    boolean contain(InetAddress address) {
        for (Set<InetAddress> addresses : resolved.values()) {
            if (addresses.contains(address)) {
                return true;
            }
        }
        return false;
    }

    /** A name that has never been resolved, or null. */
    @Nullable
    String unresolved() {
        Map<String, Set<InetAddress>> known = resolved;
        if (known.size() == names.size()) {
            return null;
        }
        return names.stream()
                .filter(name -> !known.containsKey(name))
                .findFirst()
                .orElse(null);
    }

    void close() {
        thread.interrupt();
    }

    private void resolveUntilClosed() {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                resolve();
                Thread.sleep((unresolved() == null ? interval : retry).toMillis());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Resolves every name once. */
    private void resolve() {
        Map<String, Set<InetAddress>> next = new LinkedHashMap<>(resolved);
        for (String name : names) {
            try {
                Set<InetAddress> now = new HashSet<>(List.of(resolver.resolve(name)));
                Set<InetAddress> before = next.put(name, now);
                if (failing.remove(name) || !now.equals(before)) {
                    log.info("highway: the gateway " + name + " of highway.guard.gateways has the addresses " + now);
                }
            } catch (UnknownHostException | RuntimeException e) {
                if (failing.add(name)) {
                    log.warn("highway: the gateway " + name + " of highway.guard.gateways cannot be resolved (" + e
                            + "), "
                            + (next.containsKey(name)
                                    ? "so its last addresses stay in force: " + next.get(name)
                                    : "so calls without route headers are refused until it is; write addresses instead"
                                            + " to be independent of DNS"));
                }
            }
        }
        resolved = next;
    }
}
