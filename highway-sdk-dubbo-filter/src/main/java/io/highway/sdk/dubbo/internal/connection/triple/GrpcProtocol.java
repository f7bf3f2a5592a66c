// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.connection.triple;

import io.highway.sdk.dubbo.internal.config.ConnectionCounts;
import io.highway.sdk.dubbo.internal.connection.call.TunnelProtocol;
import io.highway.sdk.dubbo.internal.connection.channel.GatewayClient;
import io.highway.sdk.dubbo.internal.connection.channel.GatewayTransport;
import io.highway.sdk.dubbo.internal.connection.channel.Greeting;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.model.FrameworkModel;

/** Tunnels over Triple. */
public final class GrpcProtocol extends TunnelProtocol {

    @Override
    public Greeting greeting() {
        return Greeting.HTTP2;
    }

    /** One connection, whatever the count: HTTP/2 multiplexes. */
    @Override
    public GatewayClient client(FrameworkModel framework, GatewayTransport transport, ConnectionCounts counts) {
        return new GrpcConnections(framework, transport);
    }

    @Override
    public <T> Invoker<T> refer(Class<T> type, URL url) {
        return new GrpcInvoker<>(type, url);
    }
}
