// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.caller.entry;

import io.highway.sdk.dubbo.internal.application.HighwayRuntime;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.registry.client.migration.MigrationInvoker;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.ProxyFactory;
import org.apache.dubbo.rpc.RpcException;
import org.apache.dubbo.rpc.cluster.ClusterInvoker;

/**
 * Puts {@link HighwayClusterInvoker} in front of a reference with several registries, too. Dubbo chooses a registry
 * before it calls any cluster wrapper, and permanently drops a registry whose providers failed once. A call for an
 * island must not depend on that.
 *
 * @param factory what Dubbo lets it wrap
 */
public record MultiRegistryProxyFactory(ProxyFactory factory) implements ProxyFactory {

    @Override
    public <T> T getProxy(Invoker<T> invoker) throws RpcException {
        return factory.getProxy(withEntry(invoker));
    }

    @Override
    public <T> T getProxy(Invoker<T> invoker, boolean generic) throws RpcException {
        return factory.getProxy(withEntry(invoker), generic);
    }

    @Override
    public <T> Invoker<T> getInvoker(T service, Class<T> type, URL url) throws RpcException {
        return factory.getInvoker(service, type, url);
    }

    private static <T> Invoker<T> withEntry(Invoker<T> invoker) {
        if (!(invoker instanceof ClusterInvoker<T> home)
                || invoker instanceof DelegatingClusterInvoker
                || invoker instanceof MigrationInvoker
                || HighwayClusterInvoker.firstRegistry(home.getDirectory()) == null) {
            return invoker;
        }
        HighwayRuntime runtime = HighwayRuntime.of(invoker.getUrl().getOrDefaultApplicationModel());
        ClusterInvoker<T> entry = HighwayCluster.before(home, runtime);
        if (entry instanceof HighwayClusterInvoker<T> routed) {
            runtime.destinations().connections().releaseWhen(routed::isDestroyed, routed::release);
        }
        return entry;
    }
}
