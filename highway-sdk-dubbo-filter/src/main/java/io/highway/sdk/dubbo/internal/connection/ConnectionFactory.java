// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.connection;

import io.highway.sdk.dubbo.TunnelKind;
import io.highway.sdk.dubbo.internal.connection.channel.ProtocolClients;
import io.highway.sdk.dubbo.internal.connection.dubbo.DubboClients;
import io.highway.sdk.dubbo.internal.connection.http.HttpClients;
import io.highway.sdk.dubbo.internal.connection.triple.TripleClients;
import java.util.function.Function;
import org.apache.dubbo.rpc.model.FrameworkModel;

/** What opens the connections to gateways of one framework model, by protocol. Thread-safe. */
public final class ConnectionFactory {

    private volatile Function<TunnelKind, ProtocolClients> clients = ConnectionFactory::real;

    /** Called by Dubbo's bean factory; use {@link #of}. */
    public ConnectionFactory() {}

    /** The factory of a framework model. */
    public static ConnectionFactory of(FrameworkModel framework) {
        return framework.getBeanFactory().getOrRegisterBean(ConnectionFactory.class);
    }

    private static ProtocolClients real(TunnelKind kind) {
        return switch (kind) {
            case DUBBO -> new DubboClients();
            case TRIPLE -> new TripleClients();
            case HTTP -> new HttpClients();
        };
    }

    /** Opens connections otherwise from now on. For tests. */
    public void open(Function<TunnelKind, ProtocolClients> other) {
        clients = other;
    }

    ProtocolClients clients(TunnelKind kind) {
        return clients.apply(kind);
    }
}
