// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.tunnel;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.dubbo.remoting.RemotingException;
import org.apache.dubbo.remoting.exchange.ExchangeClient;

/**
 * The Dubbo connections to gateways of one framework model, by {@code URL#getAddress}. Dubbo shares one connection per address
 * and keeps it to itself; whoever wants to renew it finds it here.
 */
public final class GatewayConnections {

    private final Map<String, ExchangeClient> byAddress = new ConcurrentHashMap<>();

    /** Made by Dubbo's bean factory. */
    public GatewayConnections() {}

    void opened(String address, ExchangeClient client) {
        byAddress.put(address, client);
    }

    /** Forgets a connection that nobody uses any more; other applications may share it. */
    void forgetClosed(String address) {
        byAddress.computeIfPresent(address, (any, client) -> client.isClosed() ? null : client);
    }

    /** Connects again, on this thread, within the connect timeout; false if there is nothing to renew. */
    boolean reconnect(String address) throws RemotingException {
        ExchangeClient client = byAddress.get(address);
        if (client == null || client.isClosed()) {
            return false;
        }
        client.reconnect();
        return true;
    }
}
