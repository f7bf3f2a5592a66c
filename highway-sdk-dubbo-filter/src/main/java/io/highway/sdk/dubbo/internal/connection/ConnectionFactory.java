// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.connection;

import io.highway.sdk.dubbo.TunnelKind;
import io.highway.sdk.dubbo.internal.connection.channel.ProtocolClients;
import java.util.function.Function;
import org.apache.dubbo.rpc.model.FrameworkModel;

/** What opens the connections to gateways of one framework model, by protocol. Thread-safe. */
public final class ConnectionFactory {

    private volatile Function<TunnelKind, ProtocolClients> clients;

    /** Called by Dubbo's bean factory; use {@link #of}. */
    public ConnectionFactory(FrameworkModel framework) {
        this.clients =
                kind -> framework.getExtensionLoader(ProtocolClients.class).getExtension(kind.dubboProtocol());
    }

    /** The factory of a framework model. */
    public static ConnectionFactory of(FrameworkModel framework) {
        return framework.getBeanFactory().getOrRegisterBean(ConnectionFactory.class);
    }

    /** Opens connections otherwise from now on. For tests. */
    public void open(Function<TunnelKind, ProtocolClients> other) {
        clients = other;
    }

    ProtocolClients clients(TunnelKind kind) {
        return clients.apply(kind);
    }
}
