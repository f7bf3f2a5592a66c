// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.calls;

import org.apache.dubbo.common.URL;
import org.apache.dubbo.rpc.Invocation;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.Result;
import org.apache.dubbo.rpc.cluster.Cluster;
import org.apache.dubbo.rpc.cluster.ClusterInvoker;
import org.apache.dubbo.rpc.cluster.Directory;

/**
 * A cluster without filters and network, whose calls do nothing and allocate nothing.
 *
 * @param answer to every call
 */
public record StubCluster(Result answer) implements Cluster {

    @Override
    public <T> Invoker<T> join(Directory<T> directory, boolean buildFilterChain) {
        return new StubClusterInvoker<>(directory, answer);
    }

    private record StubClusterInvoker<T>(Directory<T> directory, Result answer) implements ClusterInvoker<T> {

        @Override
        public Result invoke(Invocation invocation) {
            return answer;
        }

        @Override
        public URL getUrl() {
            return directory.getConsumerUrl();
        }

        @Override
        public URL getRegistryUrl() {
            return directory.getUrl();
        }

        @Override
        public Directory<T> getDirectory() {
            return directory;
        }

        @Override
        public boolean isDestroyed() {
            return directory.isDestroyed();
        }

        @Override
        public boolean isAvailable() {
            return directory.isAvailable();
        }

        @Override
        public Class<T> getInterface() {
            return directory.getInterface();
        }

        @Override
        public void destroy() {
            directory.destroy();
        }
    }
}
