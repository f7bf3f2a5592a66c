// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.calls;

import org.apache.dubbo.rpc.Invocation;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.Result;
import org.apache.dubbo.rpc.cluster.Cluster;
import org.apache.dubbo.rpc.cluster.Directory;
import org.apache.dubbo.rpc.cluster.support.FailfastClusterInvoker;

/**
 * A cluster without filters and network, whose calls do nothing and allocate nothing.
 *
 * @param answer to every call
 */
public record StubCluster(Result answer) implements Cluster {

    @Override
    public <T> Invoker<T> join(Directory<T> directory, boolean buildFilterChain) {
        return new FailfastClusterInvoker<>(directory) {
            @Override
            public Result invoke(Invocation invocation) {
                return answer;
            }
        };
    }
}
