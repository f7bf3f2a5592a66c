// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.network.frame;

import io.highway.sdk.dubbo.TrafficClass;
import io.highway.sdk.dubbo.internal.network.connection.GatewayClient;
import io.highway.sdk.dubbo.internal.network.connection.GatewayTransport;
import io.highway.sdk.dubbo.internal.network.connection.Greeting;
import io.highway.sdk.dubbo.internal.network.connection.TunnelProtocol;
import io.highway.sdk.dubbo.internal.policy.ConnectionCounts;
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
