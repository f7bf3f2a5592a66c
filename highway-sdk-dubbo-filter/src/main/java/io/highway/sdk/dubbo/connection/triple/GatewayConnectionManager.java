// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.connection.triple;

import java.util.Map;
import java.util.function.Consumer;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.remoting.ChannelHandler;
import org.apache.dubbo.remoting.api.connection.AbstractConnectionClient;
import org.apache.dubbo.remoting.api.connection.ConnectionManager;
import org.apache.dubbo.remoting.transport.netty4.NettyConnectionManager;

/**
 * Opens Triple connections to gateways: Dubbo's own client, which looks up by its URL's protocol who sets up a connection,
 * and finds {@link GatewayWireProtocol}.
 */
public final class GatewayConnectionManager implements ConnectionManager {

    /** The extension's name, as a URL's {@code transporter} parameter. */
    static final String NAME = "highway";

    private final ConnectionManager netty = new NettyConnectionManager();

    /** What lets Dubbo open a Triple connection here; {@code client} only keeps its other look-up of a transporter as it is. */
    public static Map<String, String> parameters() {
        return Map.of("transporter", NAME, "client", NettyConnectionManager.NAME);
    }

    @Override
    public AbstractConnectionClient connect(URL url, ChannelHandler handler) {
        return netty.connect(url.setProtocol(GatewayWireProtocol.NAME), handler);
    }

    @Override
    public void forEachConnection(Consumer<AbstractConnectionClient> consumer) {
        // whoever shares connections knows them
    }
}
