// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.network.http2;

import io.highway.sdk.dubbo.internal.network.connection.ConnectionOpener;
import io.highway.sdk.dubbo.internal.network.connection.ConnectionPreface;
import io.highway.sdk.dubbo.internal.network.connection.GatewayClient;
import io.highway.sdk.dubbo.internal.network.connection.TunnelProtocol;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.model.FrameworkModel;

/** Tunnels over Triple. */
public final class GrpcTunnelProtocol extends TunnelProtocol {

    @Override
    public ConnectionPreface greeting() {
        return ConnectionPreface.HTTP2;
    }

    /** One connection: HTTP/2 multiplexes. */
    @Override
    public GatewayClient client(FrameworkModel framework, ConnectionOpener opener, int most) {
        return new GrpcConnections(framework, opener);
    }

    @Override
    public <T> Invoker<T> refer(Class<T> type, URL url) {
        return new GrpcInvoker<>(type, url);
    }
}
