// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.network.connection;

import io.highway.sdk.dubbo.GatewayAddress;
import io.highway.sdk.dubbo.TrafficClass;
import io.highway.sdk.dubbo.TunnelKind;
import io.highway.sdk.dubbo.internal.policy.GatewaySpec;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.apache.dubbo.common.resource.Disposable;
import org.apache.dubbo.rpc.Protocol;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.jspecify.annotations.Nullable;

/** The clients of one framework model, whose applications share those with the same gateway address and class. Thread-safe. */
public final class GatewayClients implements Disposable {

    private final FrameworkModel framework;
    private final Map<Address, Shared> byAddress = new ConcurrentHashMap<>();

    /** Outlives the addresses, so that the numbers never decrease. */
    private final Map<Carried, IslandTraffic> traffic = new ConcurrentHashMap<>();

    private volatile @Nullable Function<String, List<InetAddress>> resolver;
    private volatile Function<TunnelKind, String> protocols = kind -> "highway-" + kind.word();
    private volatile boolean isDestroyed;

    private record Carried(TunnelKind tunnel, TrafficClass calls) {}

    private record Address(TunnelKind tunnel, TrafficClass calls, String hostAndPort) {

        static Address of(GatewaySpec gateway) {
            GatewayAddress address = gateway.address();
            return new Address(address.kind(), gateway.trafficClass(), address.hostAndPort());
        }
    }

    private record Shared(GatewayClient client, int users) {}

    /** Called by Dubbo's bean factory. */
    public GatewayClients(FrameworkModel framework) {
        this.framework = framework;
    }

    /** Those of a framework model. */
    public static GatewayClients of(FrameworkModel framework) {
        return framework.getBeanFactory().getOrRegisterBean(GatewayClients.class);
    }

    /** Sets the extension of {@link Protocol} that opens all connections from now on. For tests. */
    public void protocol(String name) {
        protocols = any -> name;
    }

    /** The name of the extension of {@link Protocol} whose invokers use connections of this kind. */
    public String protocol(TunnelKind kind) {
        return protocols.apply(kind);
    }

    /** Sets how names are resolved from now on, to no address if they are unknown. For tests. */
    public void resolver(Function<String, List<InetAddress>> other) {
        resolver = other;
        byAddress.values().forEach(shared -> shared.client.opener().resolver(other));
    }

    /** The bytes of calls of one class over one kind of tunnel. */
    public IslandTraffic traffic(TunnelKind tunnel, TrafficClass calls) {
        return traffic.computeIfAbsent(new Carried(tunnel, calls), any -> new IslandTraffic());
    }

    /**
     * The client of a gateway, for one more user, which must {@link #release} it.
     *
     * @param mostHttp how many connections a client over HTTP/1.1 has at most
     * @throws IllegalStateException if another application uses other TLS settings, or another proxy, for the address
     */
    public GatewayClient use(GatewaySpec gateway, int mostHttp) {
        return Objects.requireNonNull(byAddress.compute(Address.of(gateway), (any, known) -> {
                    if (known == null) {
                        return new Shared(create(gateway, mostHttp), 1);
                    }
                    GatewaySpec before = known.client.opener().gateway();
                    if (!Objects.equals(before.tls(), gateway.tls())) {
                        throw unlike(gateway, "tls", "other TLS keys", "same TLS keys");
                    }
                    if (!Objects.equals(before.proxy(), gateway.proxy())) {
                        throw unlike(gateway, "proxy", "another proxy", "same proxy");
                    }
                    return new Shared(known.client, known.users + 1);
                }))
                .client;
    }

    private GatewayClient create(GatewaySpec gateway, int mostHttp) {
        TunnelKind kind = gateway.address().kind();
        TunnelProtocol tunnel =
                (TunnelProtocol) framework.getExtensionLoader(Protocol.class).getExtension(protocol(kind), false);
        ConnectionOpener opener =
                new ConnectionOpener(gateway, tunnel.greeting(), traffic(kind, gateway.trafficClass()));
        Function<String, List<InetAddress>> replaced = resolver;
        if (replaced != null) {
            opener.resolver(replaced);
        }
        GatewayClient client = tunnel.client(framework, opener, mostHttp);
        if (isDestroyed) { // it is closed by nobody else
            client.close();
        }
        return client;
    }

    private static IllegalStateException unlike(GatewaySpec gateway, String key, String other, String same) {
        return new IllegalStateException("highway.gateways." + key + ": another application of this JVM reaches "
                + gateway.address().hostAndPort() + " with " + other
                + ", and connections are shared by address. Use the " + same + " in both");
    }

    /** Whether other applications use the client of a gateway, too. */
    public boolean isShared(GatewaySpec gateway) {
        Shared shared = byAddress.get(Address.of(gateway));
        return shared != null && shared.users > 1;
    }

    /** Ends one use, and closes a client that has no other. */
    public void release(GatewaySpec gateway) {
        byAddress.computeIfPresent(Address.of(gateway), (any, known) -> {
            if (known.users > 1) {
                return new Shared(known.client, known.users - 1);
            }
            known.client.close();
            return null;
        });
    }

    /** Called by Dubbo at the end of the framework: no other object knows what an attempt in progress opens. */
    @Override
    public void destroy() {
        isDestroyed = true;
        byAddress.values().forEach(shared -> shared.client.close());
    }
}
