// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.tunnel;

import java.util.function.Function;
import org.apache.dubbo.rpc.RpcException;
import org.apache.dubbo.rpc.cluster.Directory;
import org.apache.dubbo.rpc.cluster.support.AbstractClusterInvoker;
import org.apache.dubbo.rpc.cluster.support.wrapper.AbstractCluster;

/**
 * Adds to a tunnel the cluster filters that Dubbo adds to a cluster of providers, each once. Not registered as an
 * extension: only {@code join} is used.
 */
final class TunnelFilterCluster extends AbstractCluster {

    private final Function<Directory<?>, AbstractClusterInvoker<?>> tunnel;

    TunnelFilterCluster(Function<Directory<?>, AbstractClusterInvoker<?>> tunnel) {
        this.tunnel = tunnel;
    }

    @Override
    @SuppressWarnings("unchecked") // the tunnel is created for the directory that is joined
    protected <T> AbstractClusterInvoker<T> doJoin(Directory<T> directory) throws RpcException {
        return (AbstractClusterInvoker<T>) tunnel.apply(directory);
    }
}
