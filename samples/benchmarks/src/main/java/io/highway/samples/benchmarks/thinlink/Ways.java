// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.benchmarks.thinlink;

import io.highway.samples.benchmarks.calls.Protocol;
import io.highway.samples.benchmarks.calls.Way;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** All paths from zhejiang to the provider in shanghai. */
final class Ways implements AutoCloseable {

    private static final String MAX_WAIT = "10s";

    private final String entrance;
    private final List<Way> all = new ArrayList<>();

    private final Way plain;
    private final Way plainTriple;
    private final Way dubbo;
    private final Way triple;
    private final Way gzip;

    /**
     * Opens them; each has a separate connection to the provider or the gateway.
     *
     * @param dubboProvider {@code host:port}
     * @param tripleProvider {@code host:port}
     * @param entrance of home's gateway, {@code host:port}
     */
    Ways(String dubboProvider, String tripleProvider, String entrance) {
        this.entrance = entrance;
        this.plain = checked(Way.direct(Protocol.DUBBO, dubboProvider));
        this.plainTriple = checked(Way.direct(Protocol.TRIPLE, tripleProvider));
        this.dubbo = tunnel("dubbo tunnel", Protocol.DUBBO, Map.of());
        this.triple = tunnel("triple tunnel", Protocol.TRIPLE, Map.of());
        this.gzip = tunnel("triple tunnel, gzip", Protocol.TRIPLE, Map.of("compression", "gzip"));
    }

    private Way tunnel(String name, Protocol protocol, Map<String, String> policy) {
        return checked(Way.through(name, protocol, entrance, policy));
    }

    private Way checked(Way way) {
        all.add(way);
        way.check();
        return way;
    }

    /** Until now. */
    List<Way> all() {
        return List.copyOf(all);
    }

    /** Point-to-point by the Dubbo protocol: the baseline of the others. */
    Way plain() {
        return plain;
    }

    /** Point-to-point by Triple. */
    Way plainTriple() {
        return plainTriple;
    }

    Way dubbo() {
        return dubbo;
    }

    Way triple() {
        return triple;
    }

    /** The triple tunnel with compression. */
    Way gzip() {
        return gzip;
    }

    /** Another dubbo tunnel, the baseline of {@link #auto()}. */
    Way unlimited() {
        return tunnel("dubbo tunnel, unlimited", Protocol.DUBBO, Map.of());
    }

    /** Another dubbo tunnel, with a limit that adapts to the link; it has not learnt anything yet. */
    Way auto() {
        return tunnel("dubbo tunnel, auto", Protocol.DUBBO, Map.of("max-concurrent", "auto", "max-wait", MAX_WAIT));
    }

    @Override
    public void close() {
        all.forEach(Way::close);
    }
}
