// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.provider.guard;

import io.highway.sdk.dubbo.internal.background.BackgroundTasks;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.apache.dubbo.common.logger.Logger;
import org.apache.dubbo.common.logger.LoggerFactory;

/**
 * The addresses of gateways that are configured by host name. A task in the background resolves the names every 10
 * seconds; no call waits for it. An address stays a gateway's for an hour after its name has left it, since DNS may answer
 * with some of the addresses only; if a name cannot be resolved, its last addresses stay. Thread-safe.
 */
final class ResolvedGateways {

    private static final Logger log = LoggerFactory.getLogger(ResolvedGateways.class);

    private static final Duration INTERVAL = Duration.ofSeconds(10);
    private static final Duration KEEP = Duration.ofHours(1);

    /** Resolves a name, as {@link InetAddress#getAllByName}. */
    @FunctionalInterface
    interface Resolver {

        InetAddress[] resolve(String name) throws UnknownHostException;
    }

    private final List<String> names;
    private final Resolver resolver;
    private final LongSupplier nanos;

    /** When a name last had the address. */
    private final Map<InetAddress, Long> gateways = new ConcurrentHashMap<>();

    /** The last addresses of each name, and the names whose failure has been logged; used by the task only. */
    private final Map<String, Set<InetAddress>> resolved = new HashMap<>();

    private final Set<String> failing = new HashSet<>();

    /**
     * Knows no address yet.
     *
     * @param nanos a monotonic clock in nanoseconds
     */
    ResolvedGateways(List<String> names, Resolver resolver, LongSupplier nanos) {
        this.names = names;
        this.resolver = resolver;
        this.nanos = nanos;
    }

    /** Starts to resolve, until the tasks end. */
    static ResolvedGateways start(List<String> names, BackgroundTasks tasks) {
        ResolvedGateways started = new ResolvedGateways(names, InetAddress::getAllByName, System::nanoTime);
        tasks.repeat(started::resolve).runSoon();
        return started;
    }

    /** Whether a name has this address, or had it within the last hour. */
    boolean contain(InetAddress address) {
        return gateways.containsKey(address);
    }

    /** Resolves every name once, and returns the delay before the next time, milliseconds. */
    long resolve() {
        long now = nanos.getAsLong();
        for (String name : names) {
            try {
                Set<InetAddress> addresses = Set.copyOf(List.of(resolver.resolve(name)));
                resolved.put(name, addresses);
                if (failing.remove(name) || !gateways.keySet().containsAll(addresses)) {
                    log.info("highway: the gateway " + name + " of highway.guard.gateways has the addresses "
                            + addresses);
                }
            } catch (UnknownHostException | RuntimeException | Error e) {
                if (failing.add(name)) {
                    log.warn("highway: the gateway " + name + " of highway.guard.gateways cannot be resolved (" + e
                            + "), "
                            + (resolved.containsKey(name)
                                    ? "so its last addresses stay active: " + resolved.get(name)
                                    : "so it is not known as a gateway until it is; write addresses instead to be"
                                            + " independent of DNS"));
                }
            }
            resolved.getOrDefault(name, Set.of()).forEach(address -> gateways.put(address, now));
        }
        gateways.values().removeIf(seen -> now - seen >= KEEP.toNanos());
        return INTERVAL.toMillis();
    }
}
