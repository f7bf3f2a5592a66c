// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.tunnel;

import io.highway.sdk.dubbo.DubboCall;
import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.HighwayRouting;
import io.highway.sdk.dubbo.intent.Intent;
import io.highway.sdk.dubbo.outcome.Advice;
import io.highway.sdk.dubbo.outcome.CallWatch;
import io.highway.sdk.dubbo.outcome.ExplainingObserver;
import io.highway.sdk.dubbo.outcome.Failure;
import io.highway.sdk.dubbo.outcome.Outcomes;
import io.highway.sdk.dubbo.policy.GatewayAddress;
import io.highway.sdk.dubbo.policy.IslandPolicy;
import io.highway.sdk.dubbo.policy.TunnelKind;
import io.highway.sdk.dubbo.route.Reason;
import io.highway.sdk.dubbo.route.RouteDecision;
import io.highway.sdk.dubbo.route.Routed;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.apache.dubbo.common.constants.CommonConstants;
import org.apache.dubbo.rpc.Invocation;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.Result;
import org.apache.dubbo.rpc.RpcException;
import org.apache.dubbo.rpc.RpcInvocation;
import org.apache.dubbo.rpc.cluster.Directory;
import org.apache.dubbo.rpc.cluster.LoadBalance;
import org.apache.dubbo.rpc.cluster.support.AbstractClusterInvoker;
import org.jspecify.annotations.Nullable;

/**
 * Carries the routed calls of one reference: the same invocation, serialised once, to the first gateway address that takes
 * it. A refused call comes here too, so that the reference's filters and its {@code mock} see how it ends.
 *
 * <p>Not under Dubbo's retries. An address that turns out to be down is passed over. Beyond that a call is tried again on
 * the next address, at most {@code retries} times, if it was certainly not executed or its method is declared idempotent.
 */
final class GatewayTunnel<T> extends AbstractClusterInvoker<T> {

    private final HighwayRouting routing;
    private final TunnelInvokers<T> invokers;

    GatewayTunnel(Directory<T> directory, HighwayRouting routing, TunnelInvokers<T> invokers) {
        super(directory);
        this.routing = routing;
        this.invokers = invokers;
    }

    @Override
    protected List<Invoker<T>> list(Invocation invocation) {
        return List.of();
    }

    @Override
    protected void checkInvokers(List<Invoker<T>> none, Invocation invocation) {
        // the gateways stand in the decision
    }

    @Override
    protected Result doInvoke(Invocation invocation, List<Invoker<T>> none, LoadBalance unused) throws RpcException {
        Routed routed = Objects.requireNonNull(Routed.of(invocation));
        DubboCall call = new DubboCall(invocation, getDirectory().getConsumerUrl());
        try {
            if (routed.decision() instanceof RouteDecision.Tunnel tunnel) {
                return carry(call, routed.intent(), tunnel);
            }
            throw refused(call, routed.intent(), (RouteDecision.Refusal) routed.decision());
        } catch (HighwayException e) {
            return Outcomes.failed(e, call);
        }
    }

    private Result carry(DubboCall call, Intent intent, RouteDecision.Tunnel tunnel) {
        RpcInvocation invocation = (RpcInvocation) call.invocation();
        routing.headers(tunnel).write(invocation);
        if (tunnel.policy().timeoutMillis() > 0) {
            invocation.setAttachmentIfAbsent(
                    CommonConstants.TIMEOUT_KEY, String.valueOf(tunnel.policy().timeoutMillis()));
        }
        TimeBudget budget = new TimeBudget();
        if (budget.isUsedUp(invocation)) {
            throw noTimeLeft(call, intent, tunnel);
        }
        int retries = tunnel.policy().retries();
        boolean streaming = call.isStreaming();
        @Nullable Object[] arguments = invocation.getArguments();
        HighwayException ended = null;
        CallWatch watch = CallWatch.of(invocation);
        for (GatewayLink link : routing.links().usable(tunnel)) {
            LinkInvokers connection = link.live();
            Invoker<T> invoker = connection == null ? null : invokers.over(link, connection, tunnel.policy());
            if (invoker == null) {
                continue;
            }
            Function<Throwable, HighwayException> explain = answer -> {
                Failure failure = Failure.answered(answer, link.address().hostAndPort());
                return explain(call, intent, tunnel, link.address(), failure, answer);
            };
            if (watch != null) {
                watch.through(link.address());
            }
            if (streaming) {
                invocation.setArguments(ExplainingObserver.in(arguments, explain, watch));
            }
            try {
                return Outcomes.settle(invokeWithContext(invoker, invocation), invocation, explain);
            } catch (RpcException e) {
                Failure failure = TunnelFilter.takeSent(invocation)
                        ? Failure.afterwards(e)
                        : Failure.thrown(e, link.address().hostAndPort());
                ended = explain(call, intent, tunnel, link.address(), failure, e);
                boolean passedOver = !ended.sent() && ended.reason() == Reason.GATEWAY_DOWN;
                if (!passedOver && (retries-- == 0 || !mayRepeat(call, ended, tunnel.policy()))) {
                    throw ended;
                }
                if (!budget.leaveRest(invocation)) {
                    throw ended;
                }
            }
        }
        throw ended != null ? ended : down(call, intent, tunnel);
    }

    private static boolean mayRepeat(DubboCall call, HighwayException ended, IslandPolicy policy) {
        return ended.sent()
                ? policy.idempotent().matches(call.interfaceName(), call.methodName())
                : ended.reason() == Reason.NOT_FORWARDED;
    }

    private static HighwayException explain(
            DubboCall call,
            Intent intent,
            RouteDecision.Tunnel tunnel,
            GatewayAddress through,
            Failure failure,
            Throwable thrown) {
        if (thrown instanceof HighwayException explained && explained.isFromHere()) {
            return explained;
        }
        return new HighwayException(
                call.name(),
                failure.reason(),
                intent,
                failure.sent(),
                through.kind() + " tunnel to " + tunnel.island() + " through " + through.hostAndPort(),
                failure.what(),
                Advice.on(failure.reason(), tunnel.island()),
                thrown);
    }

    private static HighwayException refused(DubboCall call, Intent intent, RouteDecision.Refusal refusal) {
        return new HighwayException(
                call.name(), refusal.reason(), intent, false, "refused", refusal.what(), refusal.advice(), null);
    }

    private static HighwayException noTimeLeft(DubboCall call, Intent intent, RouteDecision.Tunnel tunnel) {
        return new HighwayException(
                call.name(),
                Reason.NO_TIME_LEFT,
                intent,
                false,
                "tunnel to " + tunnel.island(),
                "the time for the call is used up",
                Advice.on(Reason.NO_TIME_LEFT, tunnel.island()),
                null);
    }

    private HighwayException down(DubboCall call, Intent intent, RouteDecision.Tunnel tunnel) {
        List<String> problems = new ArrayList<>();
        for (TunnelKind kind : tunnel.tunnels()) {
            for (GatewayAddress address : tunnel.policy().gateways(kind)) {
                problems.add(address + ": " + routing.links().link(address).problem());
            }
        }
        return new HighwayException(
                call.name(),
                Reason.GATEWAY_DOWN,
                intent,
                false,
                "tunnel to " + tunnel.island(),
                "no gateway is connected (" + String.join("; ", problems) + ")",
                Advice.on(Reason.GATEWAY_DOWN, tunnel.island()),
                null);
    }
}
