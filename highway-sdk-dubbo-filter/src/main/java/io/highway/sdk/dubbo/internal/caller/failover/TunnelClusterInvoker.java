// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.caller.failover;

import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.internal.application.HighwayRuntime;
import io.highway.sdk.dubbo.internal.call.DubboCall;
import io.highway.sdk.dubbo.internal.caller.endpoint.Destination;
import io.highway.sdk.dubbo.internal.caller.route.RouteDecision;
import io.highway.sdk.dubbo.internal.evidence.ResultSupport;
import java.util.List;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.common.constants.CommonConstants;
import org.apache.dubbo.rpc.Invocation;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.Result;
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

    private final Supplier<URL> reference;
    private final HighwayRuntime runtime;
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
        RoutedCall routed = Objects.requireNonNull(RoutedCall.of(invocation));
        DubboCall call = new DubboCall(invocation, reference.get()); // a filter may have replaced it
        try {
            if (routed.decision() instanceof RouteDecision.Tunnel tunnel) {
                return carry(call, routed, tunnel);
            }
            throw routed.refused(call);
        } catch (HighwayException e) {
            return ResultSupport.failed(e, call);
        }
    }

    private Result carry(DubboCall call, RoutedCall routed, RouteDecision.Tunnel tunnel) {
        if (routed.isRefusedByAudit()) {
            throw routed.notSent(call, Reason.BUSY, "the audit buffer is full, and highway.audit.overflow is refuse");
        }
        RpcInvocation invocation = (RpcInvocation) call.invocation();
        // before any wait, and whatever answers: the result of a filter needs it, too
        invocation.setInvokeMode(RpcUtils.getInvokeMode(call.consumerUrl(), invocation));
        runtime.headers(tunnel).write(invocation);
        if (tunnel.policy().calls().timeoutMillis() > 0) {
            invocation.setAttachmentIfAbsent(
                    CommonConstants.TIMEOUT_KEY,
                    String.valueOf(tunnel.policy().calls().timeoutMillis()));
        }
        Destination destination = routed.classified(RequestClass.of(call, tunnel), tunnel);
        TunnelledCall tunnelled = new TunnelledCall(call, routed, tunnel, destination, runtime.clock());
        return new Failover<>(tunnelled, invokers, invoke).run();
    }
}
