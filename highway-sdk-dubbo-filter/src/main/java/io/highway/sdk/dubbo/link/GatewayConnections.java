// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.link;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.dubbo.remoting.RemotingException;
import org.jspecify.annotations.Nullable;

/**
 * The Dubbo connections to gateways of one framework model, by {@code URL#getAddress}. Dubbo shares them per address and
 * keeps them to itself; whoever wants to renew one finds it here. Thread-safe.
 */
public final class GatewayConnections {

    private final Map<String, List<GatewayClient>> byAddress = new ConcurrentHashMap<>();

    /** Made by Dubbo's bean factory. */
    public GatewayConnections() {}

    void opened(String address, GatewayClient client) {
        byAddress.compute(address, (any, known) -> {
            List<GatewayClient> clients = known == null ? new CopyOnWriteArrayList<>() : known;
            clients.removeIf(GatewayClient::isClosed);
            clients.add(client);
            return clients;
        });
    }

    /** Forgets connections that nobody uses any more; other applications may share the rest. */
    void forgetClosed(String address) {
        byAddress.computeIfPresent(address, (any, clients) -> {
            clients.removeIf(GatewayClient::isClosed);
            return clients.isEmpty() ? null : clients;
        });
    }

    /** Whether a connection is lost, hears nothing any more, or drains. */
    boolean needRenewal(String address) {
        for (GatewayClient client : clients(address)) {
            if (client.needsRenewal()) {
                return true;
            }
        }
        return false;
    }

    /** Closes connections that drained, have been replaced, and whose calls have ended. */
    void closeDrained(String address) {
        for (GatewayClient client : clients(address)) {
            client.closeDrained();
        }
    }

    /** Whether a gateway has asked to send nothing new, and takes the answers under way yet. */
    boolean isDraining(String address) {
        return clients(address).stream().anyMatch(client -> client.isConnected() && client.isDraining());
    }

    /** Connects again what is lost, or drains, on this thread, within the connect timeout each; false if there is nothing to renew. */
    boolean renew(String address) throws RemotingException {
        boolean any = false;
        for (GatewayClient client : clients(address)) {
            if (!client.isClosed()) {
                any = true;
                client.renew();
            }
        }
        return any;
    }

    /** Ends the calls in flight over the connections to an address, as maybe executed. */
    void endCalls(String address) {
        clients(address).forEach(GatewayClient::endCalls);
    }

    /** Another connection to the same address that can take a call, or null. */
    @Nullable
    GatewayClient beside(GatewayClient lost, String address) {
        for (GatewayClient client : clients(address)) {
            if (client != lost && client.isConnected() && !client.isDraining()) {
                return client;
            }
        }
        return null;
    }

    private List<GatewayClient> clients(String address) {
        return byAddress.getOrDefault(address, List.of());
    }
}
