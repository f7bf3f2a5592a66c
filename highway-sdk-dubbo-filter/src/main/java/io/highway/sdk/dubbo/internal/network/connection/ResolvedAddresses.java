// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.network.connection;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The addresses that a gateway's name has, and the one to connect to next. Thread-safe. */
final class ResolvedAddresses {

    private final String host;
    private final int port;
    private volatile Function<String, List<InetAddress>> resolver = ResolvedAddresses::resolve;

    private @Nullable InetAddress latest;

    /** Why addresses could not be used since one could. */
    private final Map<InetAddress, String> failures = new HashMap<>();

    ResolvedAddresses(String host, int port) {
        this.host = host;
        this.port = port;
    }

    int port() {
        return port;
    }

    /** The problem of a name without an address. */
    String unknown() {
        return "unknown host \"" + host + "\"";
    }

    /** The addresses of a name; empty if it is unknown. */
    static List<InetAddress> resolve(String host) {
        try {
            return List.of(InetAddress.getAllByName(host));
        } catch (UnknownHostException e) {
            return List.of();
        }
    }

    void resolver(Function<String, List<InetAddress>> other) {
        resolver = other;
    }

    Function<String, List<InetAddress>> resolver() {
        return resolver;
    }

    /** All of them now; empty if the name is unknown. */
    List<InetAddress> all() {
        return resolver.apply(host);
    }

    /**
     * The address to connect to, or null if the name is unknown. First answer wins: the latest one unless it failed, the
     * first one that has not failed, the one after the latest.
     */
    @Nullable
    InetAddress next() {
        List<InetAddress> all = all();
        return all.isEmpty() ? null : next(all);
    }

    private synchronized InetAddress next(List<InetAddress> all) {
        failures.keySet().retainAll(all);
        int at = latest == null ? -1 : all.indexOf(latest);
        InetAddress next = at < 0 ? all.get(0) : all.get(at);
        if (failures.containsKey(next)) {
            next = all.stream()
                    .filter(address -> !failures.containsKey(address))
                    .findFirst()
                    .orElse(all.get((at + 1) % all.size()));
        }
        latest = next;
        return next;
    }

    /** Whether each of them has failed since one could be connected to. */
    synchronized boolean haveAllFailed() {
        return failures.keySet().containsAll(all());
    }

    /** An address could be connected to, and has answered. */
    synchronized void connected() {
        failures.clear();
    }

    /** An address could be connected to, and did not answer. Returns the cause, or as below if others have failed, too. */
    synchronized String unanswered(InetAddress address, String cause) {
        String causes = failed(address, cause);
        return failures.size() > 1 ? causes : cause;
    }

    /** An address could not be connected to. Returns the causes for all that have failed, always in the same order. */
    synchronized String failed(InetAddress address, String cause) {
        failures.put(address, cause);
        SortedMap<String, SortedSet<String>> byCause = new TreeMap<>();
        failures.forEach((failed, why) ->
                byCause.computeIfAbsent(why, any -> new TreeSet<>()).add(failed.getHostAddress()));
        return byCause.entrySet().stream()
                .map(failed -> failed.getKey() + " (" + String.join(", ", failed.getValue()) + " port " + port + ")")
                .collect(Collectors.joining(", "));
    }
}
