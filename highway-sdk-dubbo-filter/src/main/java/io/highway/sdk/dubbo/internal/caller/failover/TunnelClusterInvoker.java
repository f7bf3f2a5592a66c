// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.caller.failover;

import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.internal.application.HighwayRuntime;
import io.highway.sdk.dubbo.internal.call.DubboCall;
import io.highway.sdk.dubbo.internal.caller.endpoint.Destination;
import io.highway.sdk.dubbo.internal.caller.route.RouteDecision;
import io.highway.sdk.dubbo.internal.evidence.CallResults;
import io.highway.sdk.dubbo.internal.limits.LogLimit;
import io.highway.sdk.dubbo.internal.policy.IslandPolicy;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.common.constants.CommonConstants;
import org.apache.dubbo.common.logger.Logger;
import org.apache.dubbo.common.logger.LoggerFactory;
import org.apache.dubbo.rpc.AppResponse;
import org.apache.dubbo.rpc.AsyncRpcResult;
import org.apache.dubbo.rpc.Invocation;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.Result;
import org.apache.dubbo.rpc.RpcContext;
import org.apache.dubbo.rpc.RpcException;
import org.apache.dubbo.rpc.RpcInvocation;
import org.apache.dubbo.rpc.cluster.Directory;
import org.apache.dubbo.rpc.cluster.LoadBalance;
import org.apache.dubbo.rpc.cluster.support.AbstractClusterInvoker;
import org.apache.dubbo.rpc.support.RpcUtils;

/**
 * Sends the routed calls of one reference: the same invocation, serialised once, to the first endpoint that accepts it,
 * by {@link Failover} instead of Dubbo's retries. Refused calls end here too, so that the reference's filters and its
 * {@code mock} see them.
 */
final class TunnelClusterInvoker<T> extends AbstractClusterInvoker<T> {

    private static final Logger log = LoggerFactory.getLogger(TunnelClusterInvoker.class);

    private final Supplier<URL> reference;
    private final HighwayRuntime runtime;
    private final LogLimit logLimit = new LogLimit();
    private final ReferenceInvokers<T> invokers;
    private final BiFunction<Invoker<T>, Invocation, Result> invoke = this::invokeWithContext;

    TunnelClusterInvoker(
            Directory<T> directory, Supplier<URL> reference, HighwayRuntime runtime, ReferenceInvokers<T> invokers) {
        super(directory);
        this.reference = reference;
        this.runtime = runtime;
        this.invokers = invokers;
    }

    @Override
    public URL getUrl() {
        return reference.get();
    }

    @Override
    protected List<Invoker<T>> list(Invocation invocation) {
        return List.of();
    }

    @Override
    protected void checkInvokers(List<Invoker<T>> none, Invocation invocation) {
        // the decision names the gateways
    }

    @Override
    protected Result doInvoke(Invocation invocation, List<Invoker<T>> none, LoadBalance unused) throws RpcException {
        OutboundCall routed = Objects.requireNonNull(OutboundCall.of(invocation));
        DubboCall call = new DubboCall(invocation, reference.get()); // a filter may have replaced it
        try {
            if (routed.decision() instanceof RouteDecision.Tunnel tunnel) {
                return carry(call, routed, tunnel);
            }
            throw routed.refused(call);
        } catch (HighwayException e) {
            return CallResults.failed(e, call);
        }
    }

    private Result carry(DubboCall call, OutboundCall routed, RouteDecision.Tunnel tunnel) {
        if (routed.isRefusedByAudit()) {
            throw routed.notSent(call, Reason.BUSY, "the audit buffer is full, and highway.audit.overflow is refuse");
        }
        RpcInvocation invocation = (RpcInvocation) call.invocation();
        // before any wait, and whatever answers: the result of a filter needs it, too
        invocation.setInvokeMode(RpcUtils.getInvokeMode(call.consumerUrl(), invocation));
        String fallback = tunnel.fallback(call.interfaceName(), call.methodName());
        boolean mayGoElsewhere = fallback != null
                && !fallback.equals(IslandPolicy.HOME)
                && !routed.isAttempted(); // else a filter sends it again, whatever became of it
        TunnelledCall tunnelled = tunnelled(call, routed, tunnel);
        return mayGoElsewhere ? orElsewhere(tunnelled) : run(tunnelled);
    }

    private Result run(TunnelledCall call) {
        return new Failover<>(call, invokers, invoke).run();
    }

    private TunnelledCall tunnelled(DubboCall call, OutboundCall routed, RouteDecision.Tunnel tunnel) {
        RpcInvocation invocation = (RpcInvocation) call.invocation();
        runtime.headers(tunnel).write(invocation);
        if (tunnel.policy().calls().timeoutMillis() > 0) {
            invocation.setAttachmentIfAbsent(
                    CommonConstants.TIMEOUT_KEY,
                    String.valueOf(tunnel.policy().calls().timeoutMillis()));
        }
        Destination destination = routed.classified(TrafficClassifier.of(call, tunnel), tunnel);
        return new TunnelledCall(call, routed, tunnel, destination, runtime.clock());
    }

    /** Runs a call; the island of {@code fallback} takes it if it certainly did not run, now or later. */
    private Result orElsewhere(TunnelledCall call) {
        try {
            boolean isDown = !call.destination().mayBeConnected(call.decision().tunnels());
            if (isDown && !call.isTimeUsedUp() && !invokers.isClosed()) {
                throw call.noEndpoint();
            }
            Result result = run(call);
            if (call.isAsynchronous() && result instanceof AsyncRpcResult async) {
                RpcContext.RestoreContext context = new RpcContext.RestoreContext();
                CallResults.replace(
                        async,
                        async.getResponseFuture()
                                .exceptionallyCompose(thrown -> elsewhereLater(call, thrown, context)));
            }
            return result;
        } catch (HighwayException e) {
            return elsewhere(call, e);
        }
    }

    private CompletableFuture<AppResponse> elsewhereLater(
            TunnelledCall call, Throwable thrown, RpcContext.RestoreContext context) {
        return CallResults.unwrapped(thrown) instanceof HighwayException failure
                ? TunnelledCall.within(context, () -> ((AsyncRpcResult) elsewhere(call, failure)).getResponseFuture())
                : CompletableFuture.failedFuture(thrown);
    }

    /**
     * Runs a call that has failed in the island of {@code fallback}.
     *
     * @throws HighwayException the failure, if that island does not take the call
     */
    private Result elsewhere(TunnelledCall call, HighwayException failure) {
        RouteDecision.Tunnel tunnel =
                call.leaveRest() ? call.routed().fallBack(call.call(), call.decision(), failure) : null;
        if (tunnel == null) {
            throw failure;
        }
        logLimit.warn(
                log,
                "highway: " + call.call().name() + " asked for " + call.routed().intent() + " and goes to "
                        + tunnel.island() + ": " + failure.reason());
        return run(tunnelled(call.call(), call.routed(), tunnel));
    }
}
