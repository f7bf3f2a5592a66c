// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.connection.triple;

import io.highway.sdk.dubbo.internal.config.ConnectionCounts;
import io.highway.sdk.dubbo.internal.connection.channel.Greeting;
import io.highway.sdk.dubbo.internal.connection.channel.ProtocolClients;
import java.util.Map;
import org.apache.dubbo.remoting.transport.netty4.NettyConnectionManager;

/** Triple. */
public final class TripleClients implements ProtocolClients {

    /** One connection, whatever the count: HTTP/2 multiplexes. {@code client} keeps Dubbo's other look-up of a transporter unchanged. */
    @Override
    public Map<String, String> connectionParameters(boolean bulk, ConnectionCounts counts) {
        return Map.of(
                "transporter",
                GatewayConnectionManager.NAME,
                "client",
                bulk ? BulkTransporter.NAME : NettyConnectionManager.NAME);
    }

    @Override
    public Greeting greeting() {
        return Greeting.HTTP2;
    }
}
