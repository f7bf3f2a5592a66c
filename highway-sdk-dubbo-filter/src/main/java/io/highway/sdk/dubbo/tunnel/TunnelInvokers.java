// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.tunnel;

import io.highway.sdk.dubbo.link.GatewayLink;
import io.highway.sdk.dubbo.link.GatewayLinks;
import io.highway.sdk.dubbo.link.LinkInvokers;
import io.highway.sdk.dubbo.policy.IslandPolicy;
import io.highway.sdk.dubbo.transport.GzipRequests;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.common.config.ConfigurationUtils;
import org.apache.dubbo.common.url.component.ServiceConfigURL;
import org.apache.dubbo.rpc.Constants;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.Protocol;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.apache.dubbo.rpc.protocol.tri.compressor.Identity;
import org.jspecify.annotations.Nullable;

/**
 * The Dubbo invokers through which one reference calls over gateways, made at the first call over each. They do not depend
 * on the destination island, which is an attachment. Thread-safe.
 */
final class TunnelInvokers<T> {

    /** What belongs to the home cluster, or to a single provider, and must not shape a gateway's invoker. */
    private static final Set<String> HOME_ONLY = Set.of(
            "cluster",
            "mock",
            "check",
            "lazy",
            "connections",
            "registry",
            "loadbalance",
            "methods",
            "timestamp",
            "scope",
            "injvm",
            "stub",
            "local",
            "sticky",
            "token",
            "router",
            "highway-island",
            "highway-when");

    private final Class<T> type;
    private final URL consumerUrl;
    private final GatewayLinks links;
    private final Map<Key, Invoker<T>> invokers = new ConcurrentHashMap<>();

    /** What an invoker depends on. */
    private record Key(LinkInvokers connection, String serialization, int maxRequestBytes, boolean gzip) {

        /** Asked for every call; there are few others on the same connection. */
        @Override
        public int hashCode() {
            return connection.hashCode();
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Key key
                    && connection == key.connection
                    && maxRequestBytes == key.maxRequestBytes
                    && gzip == key.gzip
                    && serialization.equals(key.serialization);
        }
    }

    TunnelInvokers(Class<T> type, URL consumerUrl, GatewayLinks links) {
        this.type = type;
        this.consumerUrl = consumerUrl;
        this.links = links;
    }

    /** The invoker over this connection, or null if the connection was closed meanwhile. Never connects. */
    @Nullable
    Invoker<T> over(GatewayLink link, LinkInvokers connection, IslandPolicy policy) {
        Key key = new Key(connection, policy.serialization(), policy.maxRequestBytes(), policy.gzip());
        Invoker<T> known = invokers.get(key);
        if (known != null) {
            return known;
        }
        invokers.keySet().removeIf(old -> old.connection().isClosed());
        synchronized (this) {
            Invoker<T> made = invokers.get(key);
            if (made == null) {
                made = connection.add(() -> refer(link, policy));
                if (made != null) {
                    invokers.put(key, made);
                }
            }
            return made;
        }
    }

    private Invoker<T> refer(GatewayLink link, IslandPolicy policy) {
        Map<String, String> parameters = new HashMap<>(consumerUrl.getParameters());
        parameters.keySet().removeAll(HOME_ONLY);
        parameters.putAll(link.connectionParameters());
        parameters.put("prefer.serialization", policy.serialization());
        parameters.put("serialization", policy.serialization());
        parameters.put("payload", String.valueOf(policy.maxRequestBytes()));
        parameters.put(TunnelFilter.MAX_REQUEST_BYTES, String.valueOf(policy.maxRequestBytes()));
        if (policy.gzip() && link.isOwn() && !compressesAll()) {
            parameters.put(GzipRequests.KEY, GzipRequests.GZIP);
        }
        parameters.putIfAbsent("timeout", "1000"); // as Dubbo's own default; Triple alone would take 3000
        URL url = new ServiceConfigURL(
                        link.address().kind().dubboProtocol(),
                        link.address().host(),
                        link.address().port(),
                        consumerUrl.getServiceInterface(),
                        parameters)
                .setScopeModel(consumerUrl.getScopeModel())
                .setServiceModel(consumerUrl.getServiceModel());
        return consumerUrl
                .getOrDefaultFrameworkModel()
                .getExtensionLoader(Protocol.class)
                .getAdaptiveExtension()
                .refer(type, url);
    }

    /** Whether Dubbo's own compressor is on, which is one for the whole process. */
    private static boolean compressesAll() {
        ApplicationModel any = ApplicationModel.defaultModel(); // where TripleInvoker looks
        return !ConfigurationUtils.getEnvConfiguration(any)
                .getString(Constants.COMPRESSOR_KEY, Identity.MESSAGE_ENCODING)
                .equals(Identity.MESSAGE_ENCODING);
    }

    /** Releases this reference's share of the connections, in the background, since it waits for calls in flight. */
    void close() {
        invokers.forEach((key, invoker) -> {
            key.connection().remove(invoker);
            links.inBackground(invoker::destroy);
        });
        invokers.clear();
    }
}
