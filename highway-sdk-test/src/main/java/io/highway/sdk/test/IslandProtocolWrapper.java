// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.test;

import java.util.List;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.common.extension.Wrapper;
import org.apache.dubbo.common.utils.UrlUtils;
import org.apache.dubbo.rpc.Constants;
import org.apache.dubbo.rpc.Exporter;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.Protocol;
import org.apache.dubbo.rpc.ProtocolServer;
import org.apache.dubbo.rpc.RpcException;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a tested application off the network: its services open no port, and its references to an address of a provider reach
 * home. Used by Dubbo.
 */
@Wrapper(order = Integer.MAX_VALUE - 1) // inside of the guard and of every filter
public final class IslandProtocolWrapper implements Protocol {

    private final Protocol protocol;

    /**
     * Called by Dubbo.
     *
     * @param protocol what it wraps
     */
    public IslandProtocolWrapper(Protocol protocol) {
        this.protocol = protocol;
    }

    /** Null if the call or service stays as it is. */
    private @Nullable Network network(URL url) {
        boolean isLocal = UrlUtils.isRegistry(url)
                || url.getProtocol().equals(Constants.LOCAL_PROTOCOL)
                || url.getProtocol().equals(IslandProtocol.NAME)
                || Network.isGateway(url);
        return isLocal
                ? null
                : url.getOrDefaultFrameworkModel().getBeanFactory().getBean(Network.class);
    }

    @Override
    public <T> Exporter<T> export(Invoker<T> invoker) throws RpcException {
        return network(invoker.getUrl()) == null ? protocol.export(invoker) : new IslandProtocol().export(invoker);
    }

    @Override
    public <T> Invoker<T> refer(Class<T> type, URL url) throws RpcException {
        Network network = network(url);
        return network == null ? protocol.refer(type, url) : new IslandProtocol().refer(type, network.home(url));
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
