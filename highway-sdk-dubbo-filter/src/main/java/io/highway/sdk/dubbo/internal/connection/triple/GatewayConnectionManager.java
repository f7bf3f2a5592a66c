// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.connection.triple;

import io.highway.sdk.dubbo.internal.connection.channel.GatewayClients;
import java.util.function.Consumer;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.remoting.ChannelHandler;
import org.apache.dubbo.remoting.RemotingException;
import org.apache.dubbo.remoting.api.connection.AbstractConnectionClient;
import org.apache.dubbo.remoting.api.connection.ConnectionManager;

/** Makes the clients of gateways over Triple; Dubbo shares them by address. */
public final class GatewayConnectionManager implements ConnectionManager {

    /** The extension's name, as a URL's {@code transporter} parameter. */
    static final String NAME = "highway";

    @Override
    public AbstractConnectionClient connect(URL url, ChannelHandler handler) {
        try {
            GatewayClients clients = GatewayClients.of(url);
            GatewayConnectionClient client = new GatewayConnectionClient(url, handler);
            clients.opened(url, client);
            return client;
        } catch (RemotingException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void forEachConnection(Consumer<AbstractConnectionClient> consumer) {
        // the code that shares connections tracks them
    }
}
