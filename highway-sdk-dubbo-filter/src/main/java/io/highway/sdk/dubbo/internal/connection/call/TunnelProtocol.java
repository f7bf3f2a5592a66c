// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.connection.call;

import org.apache.dubbo.rpc.Exporter;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.Protocol;

/** The invokers of one kind of tunnel; it serves nothing. */
public abstract class TunnelProtocol implements Protocol {

    @Override
    public final int getDefaultPort() {
        return 0;
    }

    @Override
    public final <T> Exporter<T> export(Invoker<T> invoker) {
        throw new UnsupportedOperationException("tunnels serve nothing: " + invoker.getUrl());
    }

    @Override
    public final void destroy() {
        // GatewayClients closes the connections at the end of the framework
    }
}
