// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.connection.channel;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The addresses that a gateway's name has. Thread-safe. */
final class HostAddresses {

    private final String host;
    private volatile Function<String, List<InetAddress>> resolver = HostAddresses::resolve;

    HostAddresses(String host) {
        this.host = host;
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

    /** All of them now; empty if the name is unknown. */
    List<InetAddress> all() {
        return resolver.apply(host);
    }

    /** The one to connect to, or null if the name is unknown. */
    @Nullable
    InetAddress next() {
        return all().stream().findFirst().orElse(null);
    }
}
