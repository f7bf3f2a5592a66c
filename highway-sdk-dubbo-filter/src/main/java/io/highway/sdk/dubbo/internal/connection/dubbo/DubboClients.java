// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.connection.dubbo;

import io.highway.sdk.dubbo.TunnelKind;
import io.highway.sdk.dubbo.internal.config.ConnectionCounts;
import io.highway.sdk.dubbo.internal.connection.channel.ConnectionUrls;
import io.highway.sdk.dubbo.internal.connection.channel.Greeting;
import io.highway.sdk.dubbo.internal.connection.channel.ProtocolClients;
import java.util.Map;

/** The Dubbo protocol. */
public class DubboClients implements ProtocolClients {

    @Override
    public Map<String, String> connectionParameters(boolean bulk, ConnectionCounts counts) {
        return Map.of(ConnectionUrls.CONNECTIONS, String.valueOf(bulk ? 1 : counts.dubbo()));
    }

    @Override
    public Greeting greeting() {
        return Greeting.DUBBO;
    }

    @Override
    public String extension(TunnelKind kind) {
        return FrameProtocol.NAME;
    }
}
