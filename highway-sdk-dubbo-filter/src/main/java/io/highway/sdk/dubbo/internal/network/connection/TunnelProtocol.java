// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.network.connection;

import org.apache.dubbo.rpc.Exporter;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.Protocol;
import org.apache.dubbo.rpc.model.FrameworkModel;

/** One kind of tunnel: its connections, and its invokers over them. It serves nothing. */
public abstract class TunnelProtocol implements Protocol {

    /** What its connections begin with. */
    public abstract ConnectionPreface greeting();

    /**
     * Connections to a gateway address, none of which is open yet.
     *
     * @param most how many there are at most, if each carries one call
     */
    public abstract GatewayClient client(FrameworkModel framework, ConnectionOpener opener, int most);

    @Override
    public int getDefaultPort() {
        return 0;
    }

    @Override
    public <T> Exporter<T> export(Invoker<T> invoker) {
        throw new UnsupportedOperationException("tunnels serve nothing: " + invoker.getUrl());
    }

    @Override
    public final void destroy() {
        // GatewayClients closes the connections at the end of the framework
    }
}
