// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.caller.failover;

import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.Intent;
import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.internal.application.HighwayRuntime;
import io.highway.sdk.dubbo.internal.application.PolicySnapshot;
import io.highway.sdk.dubbo.internal.call.DubboCall;
import io.highway.sdk.dubbo.internal.caller.route.RouteDecision;
import io.highway.sdk.dubbo.internal.evidence.CallResults;
import io.highway.sdk.dubbo.internal.network.connection.ConnectionPool;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.Result;
import org.apache.dubbo.rpc.RpcException;
import org.apache.dubbo.rpc.cluster.Directory;
import org.apache.dubbo.rpc.cluster.support.AbstractClusterInvoker;
import org.apache.dubbo.rpc.cluster.support.wrapper.AbstractCluster;
import org.apache.dubbo.rpc.model.ScopeModel;
import org.jspecify.annotations.Nullable;

/**
 * The tunnel of one reference: its cluster filters once, then a {@code TunnelClusterInvoker}, which carries or refuses
 * calls as their decision requires. Built at the first routed call. Thread-safe.
 */
public final class ReferenceTunnel<T> {

    private final Directory<T> directory;
    private final Supplier<URL> reference;
    private final HighwayRuntime runtime;
    private final BooleanSupplier homeHasProviders;
    private final InFlightCounter inFlight = new InFlightCounter();
    private volatile @Nullable Chain<T> chain;
    private boolean closed;

    private record Chain<T>(Invoker<T> filtered, ReferenceInvokers<T> invokers) {}

    /**
     * Builds nothing yet.
     *
     * @param reference the current URL of the reference, which rules replace
     */
    public ReferenceTunnel(
            Directory<T> directory, Supplier<URL> reference, HighwayRuntime runtime, BooleanSupplier homeHasProviders) {
        this.directory = directory;
        this.reference = reference;
        this.runtime = runtime;
        this.homeHasProviders = homeHasProviders;
    }

    /**
     * Begins a call that leaves home or is refused, which {@link #destroy} waits for.
     *
     * @param call as decided on
     * @param snapshot what decided; null if no {@code highway.*} key is set
     */
    public OutboundCall begin(
            DubboCall call, Intent intent, RouteDecision decision, @Nullable PolicySnapshot snapshot) {
        return new OutboundCall(runtime, call, intent, decision, snapshot, homeHasProviders, inFlight);
    }

    /**
     * Carries or refuses a call and records its outcome, now or when it completes.
     *
     * @throws RpcException if the call is synchronous and has failed
     */
    public Result run(OutboundCall call) {
        try {
            Chain<T> open = chain();
            Result result = open == null ? stopped(call) : open.filtered.invoke(call.invocation());
            if (CallResults.failureOf(result) instanceof RpcException failure) {
                requireTimeLeft(call, failure);
            }
            call.endWith(result);
            return result;
        } catch (Throwable e) { // filters can throw undeclared checked exceptions
            call.end(e);
            throw e;
        } finally {
            call.publishLast();
        }
    }

    /** The reference is destroyed, and that by which home would serve the call. */
    private Result stopped(OutboundCall call) {
        DubboCall sent = new DubboCall(call.invocation(), reference.get());
        return CallResults.failed(call.stopped(sent), sent);
    }

    /** Dubbo's filter answers a call that a service makes after the deadline of its own caller. */
    private void requireTimeLeft(OutboundCall call, RpcException failure) {
        if (!call.isAttempted()
                && call.decision() instanceof RouteDecision.Tunnel
                && failure.getCode() == RpcException.TIMEOUT_TERMINATE
                && !(failure instanceof HighwayException)) {
            DubboCall sent = new DubboCall(call.invocation(), reference.get());
            throw call.notSent(sent, Reason.NO_TIME_LEFT, String.valueOf(failure.getMessage()));
        }
    }

    /** Null once the reference is destroyed. */
    private @Nullable Chain<T> chain() {
        Chain<T> built = chain;
        return built != null ? built : build();
    }

    private synchronized @Nullable Chain<T> build() {
        Chain<T> built = chain;
        if (built == null && !closed) {
            ReferenceInvokers<T> invokers = new ReferenceInvokers<>(directory.getInterface(), reference, runtime);
            Invoker<T> filtered = new AbstractCluster() { // no extension: only its join is used
                @Override
                @SuppressWarnings("unchecked") // the directory that is joined
                protected <D> AbstractClusterInvoker<D> doJoin(Directory<D> joined) {
                    return (AbstractClusterInvoker<D>)
                            new TunnelClusterInvoker<>(directory, reference, runtime, invokers);
                }
            }.join(directory, true);
            built = new Chain<>(filtered, invokers);
            chain = built;
        }
        return built;
    }

    /**
     * Releases the invokers of this reference; connections belong to their gateway and stay open. While the application
     * or its module stops, this waits for the calls in flight, within Dubbo's shutdown time: Dubbo destroys what
     * answers need right after.
     */
    public void destroy() {
        Chain<T> built;
        synchronized (this) {
            closed = true;
            built = chain;
            chain = null;
        }
        if (built != null) {
            ConnectionPool connections = runtime.destinations().connections();
            ScopeModel module = directory.getConsumerUrl().getScopeModel();
            if (connections.isStopping(module)) {
                connections.drain(module, inFlight::awaitNone);
            }
            built.invokers.close();
        }
    }
}
