// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.http.client;

import io.highway.sdk.dubbo.internal.network.connection.ConnectionOpener;
import io.highway.sdk.dubbo.internal.network.connection.ConnectionPreface;
import io.highway.sdk.dubbo.internal.network.connection.GatewayClient;
import io.highway.sdk.dubbo.internal.network.connection.TunnelProtocol;
import io.highway.sdk.dubbo.internal.network.frame.FrameInvoker;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.model.FrameworkModel;

/** The HTTP tunnel: calls of Dubbo's own protocol over {@link HttpConnections}. */
public final class HttpTunnelProtocol extends TunnelProtocol {

    @Override
    public ConnectionPreface greeting() {
        return ConnectionPreface.HTTP1;
    }

    @Override
    public GatewayClient client(FrameworkModel framework, ConnectionOpener opener, int most) {
        return new HttpConnections(framework, opener, most);
    }

    @Override
    public <T> Invoker<T> refer(Class<T> type, URL url) {
        return new FrameInvoker<>(type, url);
    }
}
