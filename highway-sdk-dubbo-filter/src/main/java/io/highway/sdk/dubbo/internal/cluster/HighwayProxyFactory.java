// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.cluster;

import io.highway.sdk.dubbo.internal.runtime.HighwayRuntime;
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
 */
public final class HighwayProxyFactory implements ProxyFactory {

    private final ProxyFactory factory;

    /** Called by Dubbo with the factory to wrap. */
    public HighwayProxyFactory(ProxyFactory factory) {
        this.factory = factory;
    }

    @Override
    public <T> T getProxy(Invoker<T> invoker) throws RpcException {
        return factory.getProxy(withDoor(invoker));
    }

    @Override
    public <T> T getProxy(Invoker<T> invoker, boolean generic) throws RpcException {
        return factory.getProxy(withDoor(invoker), generic);
    }

    @Override
    public <T> Invoker<T> getInvoker(T service, Class<T> type, URL url) throws RpcException {
        return factory.getInvoker(service, type, url);
    }

    private static <T> Invoker<T> withDoor(Invoker<T> invoker) {
        boolean overRegistries = invoker instanceof ClusterInvoker<T> cluster
                && !(invoker instanceof HighwayClusterInvoker)
                && !(invoker instanceof UnconfiguredClusterInvoker)
                && !(invoker instanceof MigrationInvoker)
                && HighwayClusterInvoker.firstRegistry(cluster.getDirectory()) != null;
        if (!overRegistries) {
            return invoker;
        }
        HighwayRuntime runtime = HighwayRuntime.of(invoker.getUrl().getOrDefaultApplicationModel());
        if (runtime.isUnconfigured()) {
            return new UnconfiguredClusterInvoker<>((ClusterInvoker<T>) invoker, runtime);
        }
        if (runtime.policyIfEnabled() == null) {
            return invoker;
        }
        HighwayClusterInvoker<T> routed = new HighwayClusterInvoker<>((ClusterInvoker<T>) invoker, runtime);
        runtime.destinations().connections().releaseWhen(routed::isDestroyed, routed::release);
        return routed;
    }
}
