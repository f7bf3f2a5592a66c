// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.connection.triple;

import io.highway.sdk.dubbo.TunnelKind;
import io.highway.sdk.dubbo.internal.config.ConnectionCounts;
import io.highway.sdk.dubbo.internal.connection.channel.ConnectionUrls;
import io.highway.sdk.dubbo.internal.connection.channel.Greeting;
import io.highway.sdk.dubbo.internal.connection.channel.ProtocolClients;
import java.util.Map;

/** Triple. */
public final class TripleClients implements ProtocolClients {

    /** One connection, whatever the count: HTTP/2 multiplexes. */
    @Override
    public Map<String, String> connectionParameters(boolean bulk, ConnectionCounts counts) {
        return Map.of(ConnectionUrls.CONNECTIONS, "1");
    }

    @Override
    public Greeting greeting() {
        return Greeting.HTTP2;
    }

    @Override
    public String extension(TunnelKind kind) {
        return GrpcProtocol.NAME;
    }
}
