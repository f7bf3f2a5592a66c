// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.caller.entry;

import org.apache.dubbo.common.URL;
import org.apache.dubbo.rpc.cluster.ClusterInvoker;
import org.apache.dubbo.rpc.cluster.Directory;
import org.apache.dubbo.rpc.protocol.InvokerWrapper;

/**
 * A cluster invoker that looks like the home cluster to the rest of Dubbo. In particular, it is available if home is,
 * whatever the state of the islands.
 */
abstract class DelegatingClusterInvoker<T> extends InvokerWrapper<T> implements ClusterInvoker<T> {

    final ClusterInvoker<T> home;

    DelegatingClusterInvoker(ClusterInvoker<T> home) {
        super(home, home.getUrl());
        this.home = home;
    }

    @Override
    public URL getUrl() {
        return home.getUrl();
    }

    @Override
    public URL getRegistryUrl() {
        return home.getRegistryUrl();
    }

    @Override
    public Directory<T> getDirectory() {
        return home.getDirectory();
    }

    @Override
    public boolean isDestroyed() {
        return home.isDestroyed();
    }
}
