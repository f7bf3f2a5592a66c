// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateways;

/**
 * A destination.
 *
 * @param id its id
 * @param dubbo where its provider takes Dubbo frames, {@code host:port}
 * @param triple where its provider takes Triple, {@code host:port}
 * @param guarded whether its provider has the SDK; without it the gateway in front of it removes headers that only the
 *     SDK may write
 */
public record Island(String id, String dubbo, String triple, boolean guarded) {

    /** A destination whose provider has the SDK. */
    public Island(String id, String dubbo, String triple) {
        this(id, dubbo, triple, true);
    }

    int dubboPort() {
        return port(dubbo);
    }

    int triplePort() {
        return port(triple);
    }

    /** The port of {@code host:port}. */
    public static int port(String address) {
        return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
    }
}
