// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.connection.channel;

import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.dubbo.common.URL;
import org.jspecify.annotations.Nullable;

/**
 * How each gateway address of one framework model is reached; Dubbo's clients ask for it by their URL. Dubbo shares connections
 * by address, so applications share this, too. Thread-safe.
 */
public final class GatewayTransports {

    private final Map<String, Shared> byAddress = new ConcurrentHashMap<>();

    private record Shared(GatewayTransport transport, int users) {}

    /** Made by Dubbo's bean factory. */
    public GatewayTransports() {}

    /** Where this model's transports are. */
    public static GatewayTransports of(URL url) {
        return url.getOrDefaultFrameworkModel().getBeanFactory().getOrRegisterBean(GatewayTransports.class);
    }

    /**
     * Shares the transport of an address; a new one if nobody uses it yet.
     *
     * @param protocol as Dubbo calls it
     * @param address as Dubbo knows connections by
     * @throws IllegalStateException if another application of this model secures the address in another way
     */
    public GatewayTransport use(String protocol, String address, GatewayTransport wanted) {
        return Objects.requireNonNull(byAddress.compute(key(protocol, address), (any, known) -> {
                    if (known == null) {
                        return new Shared(wanted, 1);
                    }
                    if (!known.transport.isSecuredAs(wanted)) {
                        throw new IllegalStateException("highway.gateways.tls: another application of this JVM reaches "
                                + address
                                + " with other TLS keys, and connections are shared by address. Secure it in one"
                                + " way");
                    }
                    return new Shared(known.transport, known.users + 1);
                }))
                .transport;
    }

    /** Ends one use. */
    public void release(String protocol, String address) {
        byAddress.computeIfPresent(
                key(protocol, address),
                (any, known) -> known.users == 1 ? null : new Shared(known.transport, known.users - 1));
    }

    /** The transport of a URL's address, or null if nobody uses it. */
    public @Nullable GatewayTransport get(String protocol, URL url) {
        Shared shared = byAddress.get(key(protocol, url.getAddress()));
        return shared == null ? null : shared.transport;
    }

    private static String key(String protocol, String address) {
        return protocol + "://" + address;
    }
}
