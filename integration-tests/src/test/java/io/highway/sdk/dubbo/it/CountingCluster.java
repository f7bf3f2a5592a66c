// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.common.extension.Wrapper;
import org.apache.dubbo.rpc.Invocation;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.Result;
import org.apache.dubbo.rpc.RpcException;
import org.apache.dubbo.rpc.cluster.Cluster;
import org.apache.dubbo.rpc.cluster.ClusterInvoker;
import org.apache.dubbo.rpc.cluster.Directory;

/** A user's Cluster wrapper, on references with the parameter {@code counted-cluster}. */
public class CountingCluster implements Cluster {

    /** Which wrappers saw a call, from the outermost. */
    static final Queue<String> SEEN = new ConcurrentLinkedQueue<>();

    private final Cluster cluster;

    public CountingCluster(Cluster cluster) {
        this.cluster = cluster;
    }

    /** What it wraps. */
    public Cluster inner() {
        return cluster;
    }

    String place() {
        return "default order";
    }

    @Override
    public <T> Invoker<T> join(Directory<T> directory, boolean buildFilterChain) throws RpcException {
        Invoker<T> inner = cluster.join(directory, buildFilterChain);
        return directory.getConsumerUrl().hasParameter("counted-cluster") && inner instanceof ClusterInvoker<T> joined
                ? new Counting<>(joined, place())
                : inner;
    }

    /** Outside of everything. */
    @Wrapper(order = Integer.MIN_VALUE)
    public static final class Outermost extends CountingCluster {

        public Outermost(Cluster cluster) {
            super(cluster);
        }

        @Override
        String place() {
            return "outermost";
        }
    }

    private record Counting<T>(ClusterInvoker<T> inner, String place) implements ClusterInvoker<T> {

        @Override
        public Result invoke(Invocation invocation) throws RpcException {
            SEEN.add(place);
            return inner.invoke(invocation);
        }

        @Override
        public URL getUrl() {
            return inner.getUrl();
        }

        @Override
        public URL getRegistryUrl() {
            return inner.getRegistryUrl();
        }

        @Override
        public Directory<T> getDirectory() {
            return inner.getDirectory();
        }

        @Override
        public boolean isDestroyed() {
            return inner.isDestroyed();
        }

        @Override
        public boolean isAvailable() {
            return inner.isAvailable();
        }

        @Override
        public Class<T> getInterface() {
            return inner.getInterface();
        }

        @Override
        public void destroy() {
            inner.destroy();
        }
    }
}
