// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.tunnel;

import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.connection.GatewayConnectionPool;
import io.highway.sdk.dubbo.intent.DubboCall;
import io.highway.sdk.dubbo.outcome.CallObservation;
import io.highway.sdk.dubbo.outcome.FallbackLog;
import io.highway.sdk.dubbo.outcome.ResultSupport;
import io.highway.sdk.dubbo.route.RouteDecision;
import io.highway.sdk.dubbo.runtime.HighwayRuntime;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.rpc.AsyncRpcResult;
import org.apache.dubbo.rpc.Invocation;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.Result;
import org.apache.dubbo.rpc.RpcException;
import org.apache.dubbo.rpc.cluster.Directory;
import org.apache.dubbo.rpc.support.MockInvoker;
import org.apache.dubbo.rpc.support.RpcUtils;
import org.jspecify.annotations.Nullable;

/**
 * The tunnel of one reference: its cluster filters once, its {@code mock} on failure, then a
 * {@code TunnelClusterInvoker}. Built at the first routed call. Thread-safe.
 */
public final class ReferenceTunnel<T> {

    private static final String MOCK = "mock";

    private final Directory<T> directory;
    private final Supplier<URL> reference;
    private final HighwayRuntime routing;
    private final BooleanSupplier homeHasProviders;
    private final FallbackLog mockLog = new FallbackLog("is answered by the reference's mock");
    private final CallsInFlight inFlight = new CallsInFlight();
    private final Runnable callEnded = inFlight::ended;
    private volatile @Nullable Mocks mocks;
    private volatile @Nullable Chain<T> chain;
    private boolean closed;

    private record Chain<T>(Invoker<T> filtered, ReferenceInvokers<T> invokers) {}

    /** Whether any method of a reference has a mock: most have none, and then no call looks for its own. */
    private record Mocks(URL url, boolean any) {

        static Mocks of(URL url) {
            return new Mocks(
                    url,
                    url.getParameters().keySet().stream()
                            .anyMatch(key -> key.equals(MOCK) || key.endsWith("." + MOCK)));
        }
    }

    /**
     * Builds nothing yet.
     *
     * @param reference the current URL of the reference, which rules replace
     */
    public ReferenceTunnel(
            Directory<T> directory, Supplier<URL> reference, HighwayRuntime routing, BooleanSupplier homeHasProviders) {
        this.directory = directory;
        this.reference = reference;
        this.routing = routing;
        this.homeHasProviders = homeHasProviders;
    }

    /**
     * Carries or refuses a call, as its decision requires. A forced mock does not apply, since a call that names an
     * island needs the island's answer. Any other mock serves a call that failed, as it does at home.
     */
    public Result invoke(Invocation invocation) throws RpcException {
        return hasMock(invocation) ? mockOnFailure(invocation) : carry(invocation);
    }

    @SuppressWarnings("ReferenceEquality") // comparing the contents would take longer than the look-up
    private boolean hasMock(Invocation invocation) {
        URL url = reference.get();
        Mocks known = mocks;
        if (known == null || known.url != url) { // the first call, or a rule has changed the reference
            known = Mocks.of(url);
            mocks = known;
        }
        if (!known.any) {
            return false;
        }
        String mock = url.getMethodParameter(RpcUtils.getMethodName(invocation), MOCK, "");
        return !mock.isEmpty() && !mock.equals("false") && !mock.startsWith("force");
    }

    private Result carry(Invocation invocation) {
        DubboCall call = new DubboCall(invocation, reference.get());
        inFlight.began();
        return CallObservation.begin(routing.listeners(), call, homeHasProviders, callEnded)
                .run(() -> chain().filtered);
    }

    /**
     * Dubbo's own {@code MockClusterInvoker} may use a home provider as a mock, which would give a wrong answer here.
     */
    private Result mockOnFailure(Invocation invocation) {
        try {
            Result result = carry(invocation);
            Throwable failure = result instanceof AsyncRpcResult async
                            && async.getResponseFuture().isCompletedExceptionally()
                    ? ResultSupport.failureOf(result)
                    : null;
            return failure == null ? result : mock(invocation, failure);
        } catch (RpcException e) {
            if (e.isBiz()) {
                throw e;
            }
            return mock(invocation, e);
        }
    }

    private Result mock(Invocation invocation, Throwable failure) {
        mockLog.note(
                new DubboCall(invocation, reference.get()).name(),
                failure instanceof HighwayException ended ? ended.reason().word() : failure.toString());
        try {
            return ResultSupport.show(new MockInvoker<>(reference.get(), directory.getInterface()).invoke(invocation));
        } catch (RpcException e) {
            Throwable thrown = e.getCause();
            if (e.isBiz() && thrown != null) { // an exception of the mock is its answer, as at home
                return ResultSupport.show(AsyncRpcResult.newDefaultAsyncResult(thrown, invocation));
            }
            e.addSuppressed(failure);
            throw e;
        }
    }

    /** Whether any gateway for this decision is connected, or its first connection attempt has not ended. */
    public boolean isUp(RouteDecision.Tunnel decision) {
        return routing.destinations().of(decision).mayBeConnected(decision.tunnels());
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
                    directory.getInterface(), reference, routing.destinations().connections());
            Invoker<T> filtered = new TunnelFilterCluster(
                            any -> new TunnelClusterInvoker<>(directory, reference, routing, invokers))
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
    public void close() {
        Chain<T> built;
        synchronized (this) {
            closed = true;
            built = chain;
            chain = null;
        }
        if (built != null) {
            GatewayConnectionPool connections = routing.destinations().connections();
            if (connections.isStopping(directory.getConsumerUrl().getScopeModel())) {
                connections.drain(inFlight::awaitNone);
            }
            built.invokers.close();
        }
    }
}
