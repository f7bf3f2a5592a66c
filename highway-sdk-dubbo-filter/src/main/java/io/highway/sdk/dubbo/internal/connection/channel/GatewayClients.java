// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.connection.channel;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.common.resource.Disposable;
import org.apache.dubbo.remoting.RemotingException;

/**
 * The clients of gateway addresses of one framework model. Dubbo shares connections per address and does not expose
 * them; this registry lets the SDK renew them. Thread-safe.
 */
public final class GatewayClients implements Disposable {

    private final Map<String, List<GatewayClient>> byAddress = new ConcurrentHashMap<>();
    private volatile boolean isDestroyed;

    /** Called by Dubbo's bean factory. */
    public GatewayClients() {}

    /** Those of the URL's framework model. */
    public static GatewayClients of(URL url) {
        return url.getOrDefaultFrameworkModel().getBeanFactory().getOrRegisterBean(GatewayClients.class);
    }

    /** Identifies the clients of a URL's protocol, address and class. */
    public static String key(URL url) {
        return url.getProtocol() + "://" + ConnectionUrls.key(url);
    }

    /** Registers a new client; it is closed if the framework has ended meanwhile. */
    public void opened(URL url, GatewayClient client) {
        byAddress.compute(key(url), (any, known) -> {
            List<GatewayClient> clients = known == null ? new CopyOnWriteArrayList<>() : known;
            clients.removeIf(GatewayClient::isClosed);
            clients.add(client);
            return clients;
        });
        if (isDestroyed) {
            client.close();
        }
    }

    /** Called by Dubbo at the end of the framework: no other object knows what an attempt in progress has opened. */
    @Override
    public void destroy() {
        isDestroyed = true;
        byAddress.values().forEach(clients -> clients.forEach(GatewayClient::close));
    }

    /** Removes closed clients; other applications may share the rest. */
    public void forgetClosed(String key) {
        byAddress.computeIfPresent(key, (any, clients) -> {
            clients.removeIf(GatewayClient::isClosed);
            return clients.isEmpty() ? null : clients;
        });
    }

    /**
     * Renews lost and draining connections on this thread, within the connect timeout each; false if there are none.
     */
    public boolean renew(String key) throws RemotingException {
        boolean any = false;
        for (GatewayClient client : clients(key)) {
            if (!client.isClosed()) {
                any = true;
                client.renew();
            }
        }
        return any;
    }

    /** The clients of an address; Dubbo's own protocol may have several. */
    public List<GatewayClient> clients(String key) {
        return byAddress.getOrDefault(key, List.of());
    }
}
