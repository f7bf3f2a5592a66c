// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.tunnel;

import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.internal.intent.DubboCall;
import io.highway.sdk.dubbo.internal.outcome.ResultSupport;
import io.highway.sdk.dubbo.internal.route.RouteDecision.Refusal;
import io.highway.sdk.dubbo.internal.route.Routed;
import java.util.List;
import java.util.Objects;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.rpc.Invocation;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.Result;
import org.apache.dubbo.rpc.RpcException;
import org.apache.dubbo.rpc.cluster.Directory;
import org.apache.dubbo.rpc.cluster.LoadBalance;
import org.apache.dubbo.rpc.cluster.support.AbstractClusterInvoker;
import org.jspecify.annotations.Nullable;

/**
 * Refuses the calls of one reference that ask for an island in an application without configuration. They pass the
 * reference's cluster filters, as refused calls of a configured application do. Built at the first refusal.
 * Thread-safe.
 */
public final class RefusedCalls<T> implements Invoker<T> {

    private final Directory<T> directory;
    private volatile @Nullable Invoker<T> filtered;

    /** Builds nothing yet. */
    public RefusedCalls(Directory<T> directory) {
        this.directory = directory;
    }

    /**
     * Ends a call that was marked with a refusal.
     *
     * @throws HighwayException if the call is synchronous; the future of any other fails with it
     */
    @Override
    public Result invoke(Invocation invocation) throws RpcException {
        Invoker<T> built = filtered;
        return (built != null ? built : build()).invoke(invocation);
    }

    @Override
    public Class<T> getInterface() {
        return directory.getInterface();
    }

    @Override
    public URL getUrl() {
        return directory.getConsumerUrl();
    }

    @Override
    public boolean isAvailable() {
        return true;
    }

    @Override
    public void destroy() {
        // holds nothing
    }

    private synchronized Invoker<T> build() {
        Invoker<T> built = filtered;
        if (built == null) {
            built = new TunnelFilterCluster(any -> new Refusing<>(directory)).join(directory, true);
            filtered = built;
        }
        return built;
    }

    private static final class Refusing<T> extends AbstractClusterInvoker<T> {

        Refusing(Directory<T> directory) {
            super(directory);
        }

        @Override
        protected List<Invoker<T>> list(Invocation invocation) {
            return List.of();
        }

        @Override
        protected void checkInvokers(List<Invoker<T>> none, Invocation invocation) {
            // none is needed
        }

        @Override
        protected Result doInvoke(Invocation invocation, List<Invoker<T>> none, LoadBalance unused) {
            Routed routed = Objects.requireNonNull(Routed.of(invocation));
            DubboCall call = new DubboCall(invocation, getDirectory().getConsumerUrl());
            return ResultSupport.failed(ResultSupport.refused(call, routed, (Refusal) routed.decision()), call);
        }
    }
}
