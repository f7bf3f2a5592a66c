// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.connection.channel;

import io.highway.sdk.dubbo.TrafficClass;
import io.highway.sdk.dubbo.TunnelKind;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.jspecify.annotations.Nullable;

/**
 * The transports of one framework model, by gateway address and traffic class; invokers look them up by their URL.
 * Applications share connections by address, so they share transports, too. Thread-safe.
 */
public final class GatewayTransports {

    private final Map<String, Shared> byAddress = new ConcurrentHashMap<>();

    /** Outlives the addresses, so that the numbers never decrease. */
    private final Map<Carried, IslandTraffic> traffic = new ConcurrentHashMap<>();

    private volatile Function<String, List<InetAddress>> resolver = HostAddresses::resolve;

    private record Carried(TunnelKind tunnel, TrafficClass calls) {}

    private record Shared(GatewayTransport transport, int users) {}

    /** Called by Dubbo's bean factory. */
    public GatewayTransports() {}

    /** The transports of the URL's framework model. */
    public static GatewayTransports of(URL url) {
        return of(url.getOrDefaultFrameworkModel());
    }

    /** The transports of a framework model. */
    public static GatewayTransports of(FrameworkModel framework) {
        return framework.getBeanFactory().getOrRegisterBean(GatewayTransports.class);
    }

    /**
     * Returns the shared transport of an address; registers {@code wanted} if there is none yet.
     *
     * @param protocol Dubbo's name of the protocol
     * @param address the address and class, by which connections are shared: {@link ConnectionUrls#key}
     * @throws IllegalStateException if another application of this model uses other TLS settings, or another proxy, for the
     *     address
     */
    public GatewayTransport use(String protocol, String address, GatewayTransport wanted) {
        return Objects.requireNonNull(byAddress.compute(key(protocol, address), (any, known) -> {
                    if (known == null) {
                        wanted.resolver(resolver);
                        return new Shared(wanted, 1);
                    }
                    if (!known.transport.isSecuredAs(wanted)) {
                        throw unlike(address, "tls", "other TLS keys", "same TLS keys");
                    }
                    if (!known.transport.isProxiedAs(wanted)) {
                        throw unlike(address, "proxy", "another proxy", "same proxy");
                    }
                    return new Shared(known.transport, known.users + 1);
                }))
                .transport;
    }

    private static IllegalStateException unlike(String address, String key, String other, String same) {
        return new IllegalStateException("highway.gateways." + key + ": another application of this JVM reaches "
                + address + " with " + other + ", and connections are shared by address. Use the " + same + " in both");
    }

    /** Sets how names are resolved from now on, to no address if they are unknown. For tests. */
    public void resolver(Function<String, List<InetAddress>> other) {
        resolver = other;
        byAddress.values().forEach(shared -> shared.transport.resolver(other));
    }

    /** The bytes of calls of one class over one protocol. */
    public IslandTraffic traffic(TunnelKind tunnel, TrafficClass calls) {
        return traffic.computeIfAbsent(new Carried(tunnel, calls), any -> new IslandTraffic());
    }

    /** Whether there is more than one use. */
    public boolean isShared(String protocol, String address) {
        Shared shared = byAddress.get(key(protocol, address));
        return shared != null && shared.users > 1;
    }

    /** Ends one use. */
    public void release(String protocol, String address) {
        byAddress.computeIfPresent(
                key(protocol, address),
                (any, known) -> known.users == 1 ? null : new Shared(known.transport, known.users - 1));
    }

    /** The transport of a URL's address, or null if it is not in use. */
    public @Nullable GatewayTransport get(String protocol, URL url) {
        Shared shared = byAddress.get(key(protocol, ConnectionUrls.key(url)));
        return shared == null ? null : shared.transport;
    }

    private static String key(String protocol, String address) {
        return protocol + "://" + address;
    }
}
