// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.test;

import io.highway.sdk.dubbo.internal.network.connection.ConnectionOpener;
import io.highway.sdk.dubbo.internal.network.connection.ConnectionPreface;
import io.highway.sdk.dubbo.internal.network.connection.GatewayClient;
import io.highway.sdk.dubbo.internal.network.connection.TunnelProtocol;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.rpc.Exporter;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.RpcException;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.apache.dubbo.rpc.protocol.AbstractExporter;

/**
 * Dubbo's extension for calls without sockets: services are exported into this process, and references call them there.
 * Used by Dubbo.
 */
public final class IslandProtocol extends TunnelProtocol {

    /** Called by Dubbo. */
    public IslandProtocol() {}

    @Override
    public int getDefaultPort() {
        return 1; // none is opened
    }

    @Override
    public <T> Exporter<T> export(Invoker<T> invoker) throws RpcException {
        Providers provider = Providers.of(invoker.getUrl().getOrDefaultApplicationModel());
        String service = invoker.getUrl().getServiceInterface();
        if (provider != null) {
            provider.exported(service, invoker);
        }
        return new AbstractExporter<>(invoker) {
            @Override
            public void afterUnExport() {
                if (provider != null) {
                    provider.unexported(service);
                }
            }
        };
    }

    @Override
    public <T> Invoker<T> refer(Class<T> type, URL url) throws RpcException {
        return new CopyingInvoker<>(type, url, Network.of(url.getOrDefaultFrameworkModel()));
    }

    @Override
    public ConnectionPreface greeting() {
        return ConnectionPreface.DUBBO;
    }

    @Override
    public GatewayClient client(FrameworkModel framework, ConnectionOpener opener, int most) {
        return new CopyingClient(opener, Network.of(framework));
    }
}
