// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.connection.triple;

import io.highway.sdk.dubbo.connection.channel.ConnectionUrls;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.remoting.ChannelHandler;
import org.apache.dubbo.remoting.api.connection.AbstractConnectionClient;
import org.apache.dubbo.remoting.api.connection.ConnectionManager;
import org.apache.dubbo.remoting.transport.netty4.NettyConnectionManager;

/**
 * Opens Triple connections to gateways with Dubbo's own client, which looks up the wire protocol by its URL and finds
 * {@link GatewayWireProtocol}.
 */
public final class GatewayConnectionManager implements ConnectionManager {

    /** The extension's name, as a URL's {@code transporter} parameter. */
    static final String NAME = "highway";

    private final ConnectionManager netty = new NettyConnectionManager();

    /**
     * The parameters that make Dubbo open a Triple connection with this class; {@code client} keeps Dubbo's other
     * look-up of a transporter unchanged.
     */
    public static Map<String, String> parameters() {
        return Map.of("transporter", NAME, "client", NettyConnectionManager.NAME);
    }

    @Override
    public AbstractConnectionClient connect(URL url, ChannelHandler handler) {
        return netty.connect(ConnectionUrls.toDial(url).setProtocol(GatewayWireProtocol.NAME), handler);
    }

    @Override
    public void forEachConnection(Consumer<AbstractConnectionClient> consumer) {
        // the code that shares connections tracks them
    }
}
