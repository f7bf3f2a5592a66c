// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.connection.dubbo;

import io.highway.sdk.dubbo.connection.channel.ConnectionUrls;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.dubbo.remoting.RemotingException;
import org.jspecify.annotations.Nullable;

/**
 * The Dubbo connections to gateways of one framework model, by {@link ConnectionUrls#key}. Dubbo shares connections per
 * address and does not expose them; this registry lets the SDK renew them. Thread-safe.
 */
public final class ExchangeClientRegistry {

    private final Map<String, List<GatewayExchangeClient>> byAddress = new ConcurrentHashMap<>();

    /** Called by Dubbo's bean factory. */
    public ExchangeClientRegistry() {}

    void opened(String address, GatewayExchangeClient client) {
        byAddress.compute(address, (any, known) -> {
            List<GatewayExchangeClient> clients = known == null ? new CopyOnWriteArrayList<>() : known;
            clients.removeIf(GatewayExchangeClient::isClosed);
            clients.add(client);
            return clients;
        });
    }

    /** Removes closed connections; other applications may share the rest. */
    public void forgetClosed(String address) {
        byAddress.computeIfPresent(address, (any, clients) -> {
            clients.removeIf(GatewayExchangeClient::isClosed);
            return clients.isEmpty() ? null : clients;
        });
    }

    /** Whether a connection is lost, unresponsive, or draining. */
    public boolean needRenewal(String address) {
        for (GatewayExchangeClient client : clients(address)) {
            if (client.needsRenewal()) {
                return true;
            }
        }
        return false;
    }

    /** Closes connections that drained, have been replaced, and whose calls have ended. */
    public void closeDrained(String address) {
        for (GatewayExchangeClient client : clients(address)) {
            client.closeDrained();
        }
    }

    /** Whether a gateway has asked for no new calls and still answers those in flight. */
    public boolean isDraining(String address) {
        return clients(address).stream().anyMatch(client -> client.isConnected() && client.isDraining());
    }

    /**
     * Reconnects lost and draining connections on this thread, within the connect timeout each; false if there are
     * none.
     */
    public boolean renew(String address) throws RemotingException {
        boolean any = false;
        for (GatewayExchangeClient client : clients(address)) {
            if (!client.isClosed()) {
                any = true;
                client.renew();
            }
        }
        return any;
    }

    /** Whether a call is in flight over the connections to an address, those that drain among them. */
    public boolean hasCallsInFlight(String address) {
        return clients(address).stream().anyMatch(GatewayExchangeClient::hasCallsInFlight);
    }

    /** Fails the calls in flight over the connections to an address as maybe executed. */
    public void endCalls(String address) {
        clients(address).forEach(GatewayExchangeClient::endCalls);
    }

    /** Another connection to the same address that can carry a call, or null. */
    @Nullable
    GatewayExchangeClient beside(GatewayExchangeClient lost, String address) {
        for (GatewayExchangeClient client : clients(address)) {
            if (client != lost && client.isConnected() && !client.isDraining()) {
                return client;
            }
        }
        return null;
    }

    private List<GatewayExchangeClient> clients(String address) {
        return byAddress.getOrDefault(address, List.of());
    }
}
