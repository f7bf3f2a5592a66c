// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.http.client;

import io.highway.sdk.dubbo.TunnelKind;
import io.highway.sdk.dubbo.internal.config.ConnectionCounts;
import io.highway.sdk.dubbo.internal.connection.channel.ConnectionUrls;
import io.highway.sdk.dubbo.internal.connection.channel.Greeting;
import io.highway.sdk.dubbo.internal.connection.dubbo.DubboClients;
import java.util.Map;

/** The HTTP tunnel: calls of Dubbo's own protocol over {@link HttpConnections}. */
public final class HttpClients extends DubboClients {

    @Override
    public Map<String, String> connectionParameters(boolean bulk, ConnectionCounts counts) {
        return Map.of(ConnectionUrls.CONNECTIONS, String.valueOf(counts.http()));
    }

    @Override
    public Greeting greeting() {
        return Greeting.HTTP1;
    }

    @Override
    public String extension(TunnelKind kind) {
        return kind.dubboProtocol();
    }
}
