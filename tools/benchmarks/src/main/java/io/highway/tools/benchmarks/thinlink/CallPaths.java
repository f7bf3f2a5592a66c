// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.thinlink;

import io.highway.tools.benchmarks.calls.CallPath;
import io.highway.tools.benchmarks.calls.CallerApplication;
import io.highway.tools.gateways.Protocol;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * All paths from zhejiang to the provider in shanghai; each has a separate connection to the provider or the gateway.
 *
 * @param entrance of home's gateway, {@code host:port}
 * @param others the applications of further tunnels
 * @param plain point-to-point by the Dubbo protocol: the baseline of the others
 * @param plainTriple point-to-point by Triple
 * @param gzip the triple tunnel with gzip
 * @param zstd the triple tunnel with zstd
 * @param dictionary the triple tunnel with zstd and a dictionary
 */
record CallPaths(
        String entrance,
        List<CallerApplication> others,
        CallPath plain,
        CallPath plainTriple,
        CallPath dubbo,
        CallPath triple,
        CallPath gzip,
        CallPath zstd,
        CallPath dictionary)
        implements AutoCloseable {

    private static final String MAX_WAIT = "10s";

    /**
     * Opens them.
     *
     * @param dubboProvider {@code host:port}
     * @param tripleProvider {@code host:port}
     * @param dictionary as the key of an island takes it
     */
    static CallPaths open(String dubboProvider, String tripleProvider, String entrance, String dictionary) {
        return new CallPaths(
                entrance,
                new ArrayList<>(),
                checked(CallPath.direct(Protocol.DUBBO, dubboProvider)),
                checked(CallPath.direct(Protocol.TRIPLE, tripleProvider)),
                tunnel(entrance, "dubbo tunnel", Protocol.DUBBO, Map.of()),
                tunnel(entrance, "triple tunnel", Protocol.TRIPLE, Map.of()),
                tunnel(entrance, "triple tunnel, gzip", Protocol.TRIPLE, Map.of("compression", "gzip")),
                tunnel(entrance, "triple tunnel, zstd", Protocol.TRIPLE, Map.of("compression", "zstd")),
                tunnel(
                        entrance,
                        "triple tunnel, zstd, dictionary",
                        Protocol.TRIPLE,
                        Map.of(
                                "compression",
                                "zstd",
                                "highway.dictionaries.orders",
                                dictionary,
                                "dictionary",
                                "orders")));
    }

    private static CallPath tunnel(String entrance, String name, Protocol protocol, Map<String, String> policy) {
        return checked(CallPath.through(name, protocol, entrance, policy));
    }

    private static CallPath checked(CallPath path) {
        path.check();
        return path;
    }

    /** Without further tunnels. */
    List<CallPath> all() {
        return List.of(plain, plainTriple, dubbo, triple, gzip, zstd, dictionary);
    }

    /** Those over which bodies travel as they are. */
    List<CallPath> uncompressed() {
        return List.of(plain, plainTriple, dubbo, triple);
    }

    /** Another triple tunnel with zstd and a dictionary; the caller's island has its name, since a provider has one per island. */
    OrderExchange withDictionary(String name, String file) {
        CallerApplication application = CallerApplication.tunnelling(
                Protocol.TRIPLE,
                entrance,
                Map.of(
                        "highway.island",
                        name,
                        "compression",
                        "zstd",
                        "highway.dictionaries." + name,
                        file,
                        "dictionary",
                        name));
        others.add(application);
        return application.routed(OrderExchange.class);
    }

    private CallPath another(String name, Protocol protocol, Map<String, String> policy) {
        CallPath path = tunnel(entrance, name, protocol, policy);
        others.add(path.application());
        return path;
    }

    /** Another dubbo tunnel, the baseline of {@link #auto()}. */
    CallPath unlimited() {
        return another("dubbo tunnel, unlimited", Protocol.DUBBO, Map.of());
    }

    /** Another dubbo tunnel, with a limit that adapts to the link; it has not learnt anything yet. */
    CallPath auto() {
        return another("dubbo tunnel, auto", Protocol.DUBBO, Map.of("max-concurrent", "auto", "max-wait", MAX_WAIT));
    }

    /** Another tunnel, in which calls of more than 16 KB are bulk. */
    CallPath classes(Protocol protocol) {
        return another(protocol.word() + " tunnel, classes", protocol, Map.of("bulk.over", "16KB"));
    }

    @Override
    public void close() {
        all().forEach(CallPath::close);
        others.forEach(CallerApplication::close);
    }
}
