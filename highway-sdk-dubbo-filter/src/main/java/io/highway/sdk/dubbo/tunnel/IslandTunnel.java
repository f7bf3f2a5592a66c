// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.tunnel;

import io.highway.sdk.dubbo.DubboCall;
import io.highway.sdk.dubbo.HighwayRouting;
import io.highway.sdk.dubbo.outcome.CallWatch;
import io.highway.sdk.dubbo.outcome.Outcomes;
import io.highway.sdk.dubbo.route.RouteDecision;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.common.logger.Logger;
import org.apache.dubbo.common.logger.LoggerFactory;
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
 * The way out of one reference: its cluster filters once, its {@code mock} on failure, then a {@code GatewayTunnel}. Built
 * at the first routed call. Thread-safe.
 */
public final class IslandTunnel<T> {

    private static final Logger log = LoggerFactory.getLogger(IslandTunnel.class);
    private static final String MOCK = "mock";

    private final Directory<T> directory;
    private final HighwayRouting routing;
    private final BooleanSupplier homeHasProviders;
    private final Function<Invocation, Result> way;
    private volatile @Nullable Mocks mocks;
    private volatile @Nullable Chain<T> chain;
    private boolean closed;

    private record Chain<T>(Invoker<T> filtered, TunnelInvokers<T> invokers) {}

    /** Whether any method of a reference has a mock: most have none, and then no call need look for its own. */
    private record Mocks(URL reference, boolean any) {

        static Mocks of(URL reference) {
            return new Mocks(
                    reference,
                    reference.getParameters().keySet().stream()
                            .anyMatch(key -> key.equals(MOCK) || key.endsWith("." + MOCK)));
        }
    }

    /** Builds nothing yet. */
    public IslandTunnel(Directory<T> directory, HighwayRouting routing, BooleanSupplier homeHasProviders) {
        this.directory = directory;
        this.routing = routing;
        this.homeHasProviders = homeHasProviders;
        this.way = invocation -> chain().filtered.invoke(invocation);
    }

    /**
     * Carries or refuses a call as was decided. A forced mock does not hold here, for who names an island wants its
     * answer; any other mock serves a call that failed, as it does at home.
     */
    public Result invoke(Invocation invocation) throws RpcException {
        return hasMock(invocation) ? mockOnFailure(invocation) : carry(invocation);
    }

    @SuppressWarnings("ReferenceEquality") // comparing what they hold would take longer than asking
    private boolean hasMock(Invocation invocation) {
        URL reference = directory.getConsumerUrl();
        Mocks known = mocks;
        if (known == null || known.reference != reference) { // the first call, or somebody has configured it anew
            known = Mocks.of(reference);
            mocks = known;
        }
        if (!known.any) {
            return false;
        }
        String mock = reference.getMethodParameter(RpcUtils.getMethodName(invocation), MOCK, "");
        return !mock.isEmpty() && !mock.equals("false") && !mock.startsWith("force");
    }

    private Result carry(Invocation invocation) {
        return CallWatch.watch(
                routing.listeners(), new DubboCall(invocation, directory.getConsumerUrl()), homeHasProviders, way);
    }

    /** Dubbo's own {@code MockClusterInvoker} may take a home provider for a mock, which would be a wrong answer here. */
    private Result mockOnFailure(Invocation invocation) {
        try {
            Result result = carry(invocation);
            boolean failed = result instanceof AsyncRpcResult async
                    && async.getResponseFuture().isCompletedExceptionally();
            return failed ? mock(invocation) : result;
        } catch (RpcException e) {
            if (e.isBiz()) {
                throw e;
            }
            log.warn("highway: served by the reference's mock: " + e.getMessage());
            return mock(invocation);
        }
    }

    private Result mock(Invocation invocation) {
        Result mocked = new MockInvoker<>(directory.getConsumerUrl(), directory.getInterface()).invoke(invocation);
        return Outcomes.show(mocked);
    }

    /** Whether any gateway for this decision is connected, or may be in a moment. */
    public boolean isUp(RouteDecision.Tunnel decision) {
        return routing.destinations().of(decision).mayBeConnected(decision.tunnels());
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
            TunnelInvokers<T> invokers = new TunnelInvokers<>(
                    directory.getInterface(),
                    directory.getConsumerUrl(),
                    routing.destinations().links());
            Invoker<T> filtered =
                    new TunnelCluster(any -> new GatewayTunnel<>(directory, routing, invokers)).join(directory, true);
            built = new Chain<>(filtered, invokers);
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
