// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.http.client;

import io.highway.sdk.dubbo.internal.network.connection.GatewayClient;
import io.highway.sdk.dubbo.internal.network.connection.GatewayTransport;
import io.highway.sdk.dubbo.internal.network.connection.Greeting;
import io.highway.sdk.dubbo.internal.network.connection.TunnelProtocol;
import io.highway.sdk.dubbo.internal.network.frame.FrameInvoker;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.model.FrameworkModel;

/** The HTTP tunnel: calls of Dubbo's own protocol over {@link HttpConnections}. */
public final class HttpProtocol extends TunnelProtocol {

    @Override
    public Greeting greeting() {
        return Greeting.HTTP1;
    }

    @Override
    public GatewayClient client(FrameworkModel framework, GatewayTransport transport, int most) {
        return new HttpConnections(framework, transport, most);
    }

    @Override
    public <T> Invoker<T> refer(Class<T> type, URL url) {
        return new FrameInvoker<>(type, url);
    }
}
