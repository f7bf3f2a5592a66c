// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateways;

import java.util.Optional;

/**
 * A destination.
 *
 * @param id its id
 * @param dubbo where its provider takes Dubbo frames, {@code host:port}; for the reference gateway, also several with commas
 * @param triple where its provider takes Triple, {@code host:port}
 * @param http where its provider takes HTTP/1.1, {@code host:port}; empty if nowhere
 * @param guarded whether its provider has the SDK; without it the gateway in front of it removes headers that only the
 *     SDK may write
 */
public record Island(String id, String dubbo, String triple, Optional<String> http, boolean guarded) {

    /** Where nothing listens. */
    static final int CLOSED = 9;

    /** A destination whose provider has the SDK, and takes no HTTP/1.1. */
    public Island(String id, String dubbo, String triple) {
        this(id, dubbo, triple, Optional.empty(), true);
    }

    /** A destination whose provider has the SDK. */
    public Island(String id, String dubbo, String triple, String http) {
        this(id, dubbo, triple, Optional.of(http), true);
    }

    int dubboPort() {
        return port(dubbo);
    }

    int triplePort() {
        return port(triple);
    }

    /** Of a closed one if it takes no HTTP/1.1. */
    int httpPort() {
        return http.map(Island::port).orElse(CLOSED);
    }

    /** The port of {@code host:port}. */
    public static int port(String address) {
        return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
    }
}
