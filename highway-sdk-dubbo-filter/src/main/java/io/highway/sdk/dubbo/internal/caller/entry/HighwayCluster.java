// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.caller.entry;

import io.highway.sdk.dubbo.internal.application.HighwayRuntime;
import org.apache.dubbo.common.extension.Wrapper;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.RpcException;
import org.apache.dubbo.rpc.cluster.Cluster;
import org.apache.dubbo.rpc.cluster.ClusterInvoker;
import org.apache.dubbo.rpc.cluster.Directory;

/**
 * Puts {@link HighwayClusterInvoker} in front of every reference, outside of Dubbo's choice of a provider in this JVM,
 * its mocks and its list of providers: a call for an island needs none of them.
 *
 * @param cluster what Dubbo lets it wrap
 */
@Wrapper(order = Integer.MIN_VALUE + 1000)
public record HighwayCluster(Cluster cluster) implements Cluster {

    @Override
    public <T> Invoker<T> join(Directory<T> directory, boolean buildFilterChain) throws RpcException {
        Invoker<T> home = cluster.join(directory, buildFilterChain);
        // A join without filters is a part of another cluster, not a reference.
        if (!buildFilterChain || !(home instanceof ClusterInvoker<T> homeCluster)) {
            return home;
        }
        HighwayRuntime runtime = HighwayRuntime.of(directory.getConsumerUrl().getOrDefaultApplicationModel());
        return before(homeCluster, runtime);
    }

    /** The invoker in front of a home cluster, which is the cluster itself if the highway is switched off. */
    static <T> ClusterInvoker<T> before(ClusterInvoker<T> home, HighwayRuntime runtime) {
        if (runtime.isUnconfigured()) {
            return new UnconfiguredClusterInvoker<>(home, runtime);
        }
        return runtime.policyIfEnabled() == null ? home : new HighwayClusterInvoker<>(home, runtime);
    }
}
