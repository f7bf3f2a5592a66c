// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.thinlink;

import io.highway.tools.benchmarks.calls.CallPath;
import io.highway.tools.benchmarks.calls.CallerApplication;
import io.highway.tools.benchmarks.calls.Protocol;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** All paths from zhejiang to the provider in shanghai. */
final class CallPaths implements AutoCloseable {

    private static final String MAX_WAIT = "10s";

    private final String entrance;
    private final List<CallPath> all = new ArrayList<>();
    private final List<CallerApplication> applications = new ArrayList<>();

    private final CallPath plain;
    private final CallPath plainTriple;
    private final CallPath dubbo;
    private final CallPath triple;
    private final CallPath gzip;
    private final CallPath zstd;
    private final CallPath dictionary;

    /**
     * Opens them; each has a separate connection to the provider or the gateway.
     *
     * @param dubboProvider {@code host:port}
     * @param tripleProvider {@code host:port}
     * @param entrance of home's gateway, {@code host:port}
     * @param dictionary as the key of an island takes it
     */
    CallPaths(String dubboProvider, String tripleProvider, String entrance, String dictionary) {
        this.entrance = entrance;
        this.plain = checked(CallPath.direct(Protocol.DUBBO, dubboProvider));
        this.plainTriple = checked(CallPath.direct(Protocol.TRIPLE, tripleProvider));
        this.dubbo = tunnel("dubbo tunnel", Protocol.DUBBO, Map.of());
        this.triple = tunnel("triple tunnel", Protocol.TRIPLE, Map.of());
        this.gzip = tunnel("triple tunnel, gzip", Protocol.TRIPLE, Map.of("compression", "gzip"));
        this.zstd = tunnel("triple tunnel, zstd", Protocol.TRIPLE, Map.of("compression", "zstd"));
        this.dictionary = tunnel(
                "triple tunnel, zstd, dictionary",
                Protocol.TRIPLE,
                Map.of("compression", "zstd", "highway.dictionaries.orders", dictionary, "dictionary", "orders"));
    }

    private CallPath tunnel(String name, Protocol protocol, Map<String, String> policy) {
        return checked(CallPath.through(name, protocol, entrance, policy));
    }

    private CallPath checked(CallPath path) {
        all.add(path);
        path.check();
        return path;
    }

    /** Until now. */
    List<CallPath> all() {
        return List.copyOf(all);
    }

    /** Those over which bodies travel as they are. */
    List<CallPath> uncompressed() {
        return List.of(plain, plainTriple, dubbo, triple);
    }

    /** Point-to-point by the Dubbo protocol: the baseline of the others. */
    CallPath plain() {
        return plain;
    }

    /** Point-to-point by Triple. */
    CallPath plainTriple() {
        return plainTriple;
    }

    CallPath dubbo() {
        return dubbo;
    }

    CallPath triple() {
        return triple;
    }

    /** The triple tunnel with gzip. */
    CallPath gzip() {
        return gzip;
    }

    /** The triple tunnel with zstd. */
    CallPath zstd() {
        return zstd;
    }

    /** The triple tunnel with zstd and a dictionary. */
    CallPath dictionary() {
        return dictionary;
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
        applications.add(application);
        return application.routed(OrderExchange.class);
    }

    /** Another dubbo tunnel, the baseline of {@link #auto()}. */
    CallPath unlimited() {
        return tunnel("dubbo tunnel, unlimited", Protocol.DUBBO, Map.of());
    }

    /** Another dubbo tunnel, with a limit that adapts to the link; it has not learnt anything yet. */
    CallPath auto() {
        return tunnel("dubbo tunnel, auto", Protocol.DUBBO, Map.of("max-concurrent", "auto", "max-wait", MAX_WAIT));
    }

    /** Another tunnel, in which calls of more than 16 KB are bulk. */
    CallPath classes(Protocol protocol) {
        return tunnel(protocol.key() + " tunnel, classes", protocol, Map.of("bulk.over", "16KB"));
    }

    @Override
    public void close() {
        all.forEach(CallPath::close);
        applications.forEach(CallerApplication::close);
    }
}
