// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.connection.dubbo;

import io.highway.sdk.dubbo.TrafficClass;
import io.highway.sdk.dubbo.internal.config.ConnectionCounts;
import io.highway.sdk.dubbo.internal.connection.call.TunnelProtocol;
import io.highway.sdk.dubbo.internal.connection.channel.GatewayClient;
import io.highway.sdk.dubbo.internal.connection.channel.GatewayTransport;
import io.highway.sdk.dubbo.internal.connection.channel.Greeting;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.model.FrameworkModel;

/** Tunnels over the Dubbo protocol. */
public final class FrameProtocol extends TunnelProtocol {

    @Override
    public Greeting greeting() {
        return Greeting.DUBBO;
    }

    /** Bulk calls have one connection. */
    @Override
    public GatewayClient client(FrameworkModel framework, GatewayTransport transport, ConnectionCounts counts) {
        boolean isBulk = transport.gateway().trafficClass() == TrafficClass.BULK;
        return new FrameConnections(framework, transport, isBulk ? 1 : counts.dubbo());
    }

    @Override
    public <T> Invoker<T> refer(Class<T> type, URL url) {
        return new FrameInvoker<>(type, url);
    }
}
