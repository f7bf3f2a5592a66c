// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.tunnel;

import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.internal.connection.GatewayConnectionPool;
import io.highway.sdk.dubbo.internal.endpoint.Destination;
import io.highway.sdk.dubbo.internal.intent.DubboCall;
import io.highway.sdk.dubbo.internal.outcome.CallObservation;
import io.highway.sdk.dubbo.internal.outcome.ResultSupport;
import io.highway.sdk.dubbo.internal.route.RouteDecision;
import io.highway.sdk.dubbo.internal.route.Routed;
import io.highway.sdk.dubbo.internal.runtime.HighwayRuntime;
import java.util.function.Supplier;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.rpc.Invocation;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.Result;
import org.apache.dubbo.rpc.RpcException;
import org.apache.dubbo.rpc.cluster.Directory;
import org.apache.dubbo.rpc.model.ScopeModel;
import org.jspecify.annotations.Nullable;

/**
 * The tunnel of one reference: its cluster filters once, then a {@code TunnelClusterInvoker}, which carries or refuses
 * calls as their decision requires. Built at the first routed call. Thread-safe.
 */
public final class ReferenceTunnel<T> implements Invoker<T> {

    private final Directory<T> directory;
    private final Supplier<URL> reference;
    private final HighwayRuntime runtime;
    private final CallsInFlight inFlight = new CallsInFlight();
    private final Runnable callEnded = inFlight::ended;
    private volatile @Nullable Chain<T> chain;
    private boolean closed;

    private record Chain<T>(Invoker<T> filtered, ReferenceInvokers<T> invokers) {}

    /**
     * Builds nothing yet.
     *
     * @param reference the current URL of the reference, which rules replace
     */
    public ReferenceTunnel(Directory<T> directory, Supplier<URL> reference, HighwayRuntime runtime) {
        this.directory = directory;
        this.reference = reference;
        this.runtime = runtime;
    }

    /**
     * A call begins, which {@link #destroy} waits for.
     *
     * @return to be run once, when it has ended
     */
    public Runnable callBegins() {
        inFlight.began();
        return callEnded;
    }

    @Override
    public Result invoke(Invocation invocation) throws RpcException {
        Result result = chain().filtered.invoke(invocation);
        if (ResultSupport.failureOf(result) instanceof RpcException failure) {
            requireTimeLeft(invocation, failure);
        }
        return result;
    }

    /** Dubbo's filter answers a call that a service makes after the deadline of its own caller. */
    private void requireTimeLeft(Invocation invocation, RpcException failure) {
        Routed routed = Routed.of(invocation);
        CallObservation observation = CallObservation.of(invocation);
        if (observation == null || observation.isAttempted()) {
            return;
        }
        if (failure.getCode() == RpcException.TIMEOUT_TERMINATE
                && !(failure instanceof HighwayException)
                && routed != null
                && routed.decision() instanceof RouteDecision.Tunnel decision) {
            throw TunnelFailures.notSent(
                    new DubboCall(invocation, reference.get()),
                    routed,
                    decision,
                    Reason.NO_TIME_LEFT,
                    String.valueOf(failure.getMessage()));
        }
    }

    @Override
    public Class<T> getInterface() {
        return directory.getInterface();
    }

    @Override
    public URL getUrl() {
        return reference.get();
    }

    @Override
    public synchronized boolean isAvailable() {
        return !closed;
    }

    /** Whether any gateway for this decision is connected, or its first connection attempt has not ended. */
    public boolean isUp(Invocation invocation, RouteDecision.Tunnel decision) {
        return Destination.of(invocation).mayBeConnected(decision.tunnels());
    }

    private Chain<T> chain() {
        Chain<T> built = chain;
        return built != null ? built : build();
    }

    private synchronized Chain<T> build() {
        if (closed) {
            throw new RpcException("The reference " + reference.get().getServiceKey() + " is destroyed");
        }
        Chain<T> built = chain;
        if (built == null) {
            ReferenceInvokers<T> invokers = new ReferenceInvokers<>(
                    directory.getInterface(), reference, runtime.destinations().connections(), runtime::policy);
            Invoker<T> filtered = new TunnelFilterCluster(
                            any -> new TunnelClusterInvoker<>(directory, reference, runtime, invokers))
                    .join(directory, true);
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
    @Override
    public void destroy() {
        Chain<T> built;
        synchronized (this) {
            closed = true;
            built = chain;
            chain = null;
        }
        if (built != null) {
            GatewayConnectionPool connections = runtime.destinations().connections();
            ScopeModel module = directory.getConsumerUrl().getScopeModel();
            if (connections.isStopping(module)) {
                connections.drain(module, inFlight::awaitNone);
            }
            built.invokers.close();
        }
    }
}
