// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.network.frame;

import io.highway.sdk.dubbo.internal.network.connection.ConnectionOpener;
import io.highway.sdk.dubbo.internal.network.connection.ConnectionPreface;
import io.highway.sdk.dubbo.internal.network.connection.GatewayClient;
import io.highway.sdk.dubbo.internal.network.connection.TunnelProtocol;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.model.FrameworkModel;

/** Tunnels over the Dubbo protocol. */
public final class FrameTunnelProtocol extends TunnelProtocol {

    @Override
    public ConnectionPreface greeting() {
        return ConnectionPreface.DUBBO;
    }

    @Override
    public GatewayClient client(FrameworkModel framework, ConnectionOpener opener, int most) {
        return new FrameConnections(framework, opener);
    }

    @Override
    public <T> Invoker<T> refer(Class<T> type, URL url) {
        return new FrameInvoker<>(type, url);
    }
}
