// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.test;

import io.highway.sdk.dubbo.internal.provider.server.DelegatingProtocol;
import java.util.List;
import java.util.Map;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.common.constants.CommonConstants;
import org.apache.dubbo.common.constants.RegistryConstants;
import org.apache.dubbo.common.extension.Wrapper;
import org.apache.dubbo.common.utils.UrlUtils;
import org.apache.dubbo.registry.integration.RegistryProtocol;
import org.apache.dubbo.rpc.Exporter;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.Protocol;
import org.apache.dubbo.rpc.RpcException;
import org.apache.dubbo.rpc.cluster.Cluster;
import org.apache.dubbo.rpc.cluster.Constants;
import org.apache.dubbo.rpc.cluster.directory.StaticDirectory;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a tested application off the network: its services open no port, and its references reach home, by an address of a
 * provider or by the registry {@code highway-test}, which knows one provider of everything. Used by Dubbo.
 */
@Wrapper(order = Integer.MAX_VALUE - 1) // inside of the guard and of every filter
public final class IslandProtocolWrapper extends DelegatingProtocol {

    /**
     * Called by Dubbo.
     *
     * @param protocol what it wraps
     */
    public IslandProtocolWrapper(Protocol protocol) {
        super(protocol);
    }

    /** Null if the call or service stays as it is. */
    private @Nullable Network network(URL url) {
        boolean isLocal = UrlUtils.isRegistry(url)
                || url.getProtocol().equals(org.apache.dubbo.rpc.Constants.LOCAL_PROTOCOL)
                || url.getProtocol().equals(Network.NAME)
                || Network.isGateway(url);
        return isLocal
                ? null
                : url.getOrDefaultFrameworkModel().getBeanFactory().getBean(Network.class);
    }

    @Override
    public <T> Exporter<T> export(Invoker<T> invoker) throws RpcException {
        URL url = invoker.getUrl();
        if (isRegistry(url)) {
            URL provider = (URL) url.getAttribute(Constants.EXPORT_KEY);
            return adaptive(url).export(new RegistryProtocol.InvokerDelegate<>(invoker, provider));
        }
        return network(url) == null ? protocol.export(invoker) : new IslandProtocol().export(invoker);
    }

    @Override
    public <T> Invoker<T> refer(Class<T> type, URL url) throws RpcException {
        if (isRegistry(url)) {
            return found(type, url);
        }
        Network network = network(url);
        return network == null ? protocol.refer(type, url) : new IslandProtocol().refer(type, network.home(url));
    }

    private static boolean isRegistry(URL url) {
        return UrlUtils.isRegistry(url) && Network.NAME.equals(url.getParameter(RegistryConstants.REGISTRY_KEY));
    }

    private static Protocol adaptive(URL url) {
        return url.getOrDefaultFrameworkModel()
                .getExtensionLoader(Protocol.class)
                .getAdaptiveExtension();
    }

    /** The reference of a registry, whose only provider is home. */
    @SuppressWarnings("unchecked")
    private static <T> Invoker<T> found(Class<T> type, URL registry) {
        Map<String, String> reference = (Map<String, String>) registry.getAttribute(Constants.REFER_KEY);
        URL home = Network.of(registry.getOrDefaultFrameworkModel())
                .home(registry)
                .setPath(type.getName())
                .clearParameters()
                .addParameters(reference);
        Invoker<T> provider = adaptive(registry).refer(type, home);
        return Cluster.getCluster(registry.getScopeModel(), reference.get(CommonConstants.CLUSTER_KEY))
                .join(new Home<>(home, provider), true);
    }

    /** Always lists its provider: Dubbo's own directory leaves out one that has failed, for some time of the next test. */
    private static final class Home<T> extends StaticDirectory<T> {

        Home(URL url, Invoker<T> provider) {
            super(url, List.of(provider));
        }

        @Override
        public void addInvalidateInvoker(Invoker<T> provider) {
            // it is back as soon as a test serves there
        }
    }
}
