// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.test;

import org.apache.dubbo.common.URL;
import org.apache.dubbo.rpc.Exporter;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.Protocol;
import org.apache.dubbo.rpc.RpcException;
import org.apache.dubbo.rpc.protocol.AbstractExporter;

/**
 * Dubbo's extension for calls without sockets: services are exported into this process, and references call them there.
 * Used by Dubbo.
 */
public final class IslandProtocol implements Protocol {

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
        Network network = Network.of(url.getOrDefaultFrameworkModel());
        Invoker<T> invoker = new CopyingInvoker<>(type, url, network);
        if (Network.isGateway(url) && !invoker.isAvailable()) {
            throw new RpcException(RpcException.NETWORK_EXCEPTION, "Connection refused by the test");
        }
        return invoker;
    }

    @Override
    public void destroy() {
        // nothing is open
    }
}
