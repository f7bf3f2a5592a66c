// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.tunnel;

import io.highway.sdk.dubbo.HighwayRouting;
import io.highway.sdk.dubbo.route.RouteDecision;
import org.apache.dubbo.rpc.Invocation;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.Result;
import org.apache.dubbo.rpc.RpcException;
import org.apache.dubbo.rpc.cluster.Directory;
import org.apache.dubbo.rpc.cluster.support.wrapper.MockClusterInvoker;
import org.apache.dubbo.rpc.support.RpcUtils;
import org.jspecify.annotations.Nullable;

/**
 * The way out of one reference: its cluster filters once, its {@code mock} on failure, then a {@code GatewayTunnel}. Built
 * at the first routed call. Thread-safe.
 */
public final class IslandTunnel<T> {

    private final Directory<T> directory;
    private final HighwayRouting routing;
    private volatile @Nullable Chain<T> chain;
    private boolean closed;

    private record Chain<T>(Invoker<T> filtered, Invoker<T> mocked, TunnelInvokers<T> invokers) {}

    /** Builds nothing yet. */
    public IslandTunnel(Directory<T> directory, HighwayRouting routing) {
        this.directory = directory;
        this.routing = routing;
    }

    /** Carries or refuses a call as was decided. A forced mock does not hold here: who names an island wants its answer. */
    public Result invoke(Invocation invocation) throws RpcException {
        Chain<T> built = chain();
        String mock = directory.getConsumerUrl().getMethodParameter(RpcUtils.getMethodName(invocation), "mock", "");
        boolean forced = mock.trim().startsWith("force");
        return (mock.isEmpty() || forced ? built.filtered : built.mocked).invoke(invocation);
    }

    /** Whether any gateway for this decision is connected. */
    public boolean isUp(RouteDecision.Tunnel decision) {
        return !routing.links().usable(decision).isEmpty();
    }

    private Chain<T> chain() {
        Chain<T> built = chain;
        return built != null ? built : build();
    }

    private synchronized Chain<T> build() {
        if (closed) {
            throw new RpcException("The reference " + directory.getConsumerUrl().getServiceKey() + " is destroyed");
        }
        Chain<T> built = chain;
        if (built == null) {
            TunnelInvokers<T> invokers =
                    new TunnelInvokers<>(directory.getInterface(), directory.getConsumerUrl(), routing.links());
            Invoker<T> filtered =
                    new TunnelCluster(any -> new GatewayTunnel<>(directory, routing, invokers)).join(directory, true);
            built = new Chain<>(filtered, new MockClusterInvoker<>(directory, filtered), invokers);
            chain = built;
        }
        return built;
    }

    /** Releases what belongs to this reference; connections stay with their gateway. */
    public synchronized void close() {
        closed = true;
        Chain<T> built = chain;
        chain = null;
        if (built != null) {
            built.invokers.close();
        }
    }
}
