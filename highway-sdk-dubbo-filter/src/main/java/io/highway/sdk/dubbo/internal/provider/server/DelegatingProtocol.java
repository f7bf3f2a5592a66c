// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.provider.server;

import java.util.List;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.rpc.Exporter;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.Protocol;
import org.apache.dubbo.rpc.ProtocolServer;
import org.apache.dubbo.rpc.RpcException;

/** A wrapper of Dubbo's protocols; what a subclass does not override is as in the wrapped one. */
public abstract class DelegatingProtocol implements Protocol {

    /** The wrapped one. */
    protected final Protocol protocol;

    /** Called by Dubbo with the protocol to wrap, through the subclass. */
    protected DelegatingProtocol(Protocol protocol) {
        this.protocol = protocol;
    }

    @Override
    public <T> Exporter<T> export(Invoker<T> invoker) throws RpcException {
        return protocol.export(invoker);
    }

    @Override
    public <T> Invoker<T> refer(Class<T> type, URL url) throws RpcException {
        return protocol.refer(type, url);
    }

    @Override
    public int getDefaultPort() {
        return protocol.getDefaultPort();
    }

    @Override
    public List<ProtocolServer> getServers() {
        return protocol.getServers();
    }

    @Override
    public void destroy() {
        protocol.destroy();
    }
}
