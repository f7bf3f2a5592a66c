// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.caller.failover;

import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.TrafficClass;
import io.highway.sdk.dubbo.internal.call.DubboCall;
import io.highway.sdk.dubbo.internal.caller.endpoint.Destination;
import io.highway.sdk.dubbo.internal.caller.route.RouteDecision;
import io.highway.sdk.dubbo.internal.evidence.CallResults;
import io.highway.sdk.dubbo.internal.limits.Bulkhead;
import io.highway.sdk.dubbo.internal.limits.TimeBudget;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.dubbo.common.constants.CommonConstants;
import org.apache.dubbo.rpc.AppResponse;
import org.apache.dubbo.rpc.AsyncRpcResult;
import org.apache.dubbo.rpc.InvokeMode;
import org.apache.dubbo.rpc.Result;
import org.apache.dubbo.rpc.RpcContext;
import org.apache.dubbo.rpc.RpcContextAttachment;
import org.apache.dubbo.rpc.RpcInvocation;
import org.apache.dubbo.rpc.support.RpcUtils;
import org.jspecify.annotations.Nullable;

/**
 * A call in its tunnel, as the reference's filters have left it, with one deadline for all attempts: the timeout of the
 * first attempt, counted from its start.
 */
final class TunnelledCall {

    private final DubboCall call;
    private final OutboundCall routed;
    private final RouteDecision.Tunnel decision;
    private final Destination destination;
    private final LongSupplier clock;
    private final long start;
    private @Nullable TimeBudget time;

    /**
     * Begins now.
     *
     * @param destination that of the call's class
     * @param clock monotonic, in nanoseconds
     */
    TunnelledCall(
            DubboCall call,
            OutboundCall routed,
            RouteDecision.Tunnel decision,
            Destination destination,
            LongSupplier clock) {
        this.call = call;
        this.routed = routed;
        this.decision = decision;
        this.destination = destination;
        this.clock = clock;
        this.start = clock.getAsLong();
    }

    DubboCall call() {
        return call;
    }

    OutboundCall routed() {
        return routed;
    }

    RouteDecision.Tunnel decision() {
        return decision;
    }

    Destination destination() {
        return destination;
    }

    RpcInvocation invocation() {
        return (RpcInvocation) call.invocation();
    }

    /** Whether the call must not block its thread. */
    boolean isAsynchronous() {
        return !decision.streaming() && invocation().getInvokeMode() != InvokeMode.SYNC;
    }

    /** Whether the calling thread waits for the answer. */
    boolean isAwaitedByItsThread() {
        return !decision.streaming() && !isAsynchronous() && !RpcUtils.isOneway(call.consumerUrl(), invocation());
    }

    /** The time by its clock. */
    long now() {
        return clock.getAsLong();
    }

    /** Whether no time is left for the call. */
    boolean isTimeUsedUp() {
        Long timeout = timeout();
        return timeout != null && timeout <= 0;
    }

    /** The time for it. */
    TimeBudget time() {
        TimeBudget known = time;
        if (known == null) {
            Long written = timeout(); // by the first attempt, unless this is the first
            known = new TimeBudget(clock, start, written != null ? written : call.timeoutMillis());
            time = known;
        }
        return known;
    }

    /** Sets the remaining time for the next attempt or the fallback; false if there is none. */
    boolean leaveRest() {
        long left = time().left();
        String rest = String.valueOf(left);
        call.invocation().setAttachment(CommonConstants.TIMEOUT_KEY, rest);
        RpcContextAttachment context = RpcContext.getClientAttachment();
        if (context.getObjectAttachment(CommonConstants.TIMEOUT_KEY) != null) { // it would take precedence
            context.setAttachment(CommonConstants.TIMEOUT_KEY, rest);
        }
        return left > 0;
    }

    private @Nullable Long timeout() {
        Object written = call.invocation().getObjectAttachment(CommonConstants.TIMEOUT_KEY, null);
        return written == null ? null : RpcUtils.convertToNumber(written);
    }

    /**
     * Sets the remaining time for what follows a wait.
     *
     * @param awaited what the call has waited for, in words
     * @throws HighwayException if no time is left
     */
    void leaveRestAfter(String awaited) {
        if (!leaveRest()) {
            throw notSent(Reason.NO_TIME_LEFT, "the time for the call was used up by waiting for " + awaited);
        }
    }

    /**
     * The result of {@code go}, which runs once the future has ended, on neither the caller's nor the future's thread.
     */
    @SuppressWarnings("FutureReturnValueIgnored") // the inner future is composed at once
    Result resumeAfter(CompletableFuture<?> wait, Supplier<Result> go) {
        routed.awaiting(wait);
        RpcContext.RestoreContext caller = new RpcContext.RestoreContext();
        CompletableFuture<AppResponse> response = wait.handleAsync(
                        (value, thrown) -> within(caller, () -> ((AsyncRpcResult) go.get()).getResponseFuture()),
                        destination::resume)
                .thenCompose(whole -> whole);
        return CallResults.show(new AsyncRpcResult(response, invocation()));
    }

    /** The future that {@code go} returns, which runs in this context; failed if it throws. */
    static CompletableFuture<AppResponse> within(
            RpcContext.RestoreContext context, Supplier<CompletableFuture<AppResponse>> go) {
        RpcContext.RestoreContext own = new RpcContext.RestoreContext();
        try {
            context.restore();
            return go.get();
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        } finally {
            own.restore();
        }
    }

    /** The exception of a call that no endpoint has accepted. */
    HighwayException noEndpoint() {
        boolean refusing = destination.isRefusing(decision.tunnels());
        return notSent(
                refusing ? Reason.BREAKER_OPEN : Reason.GATEWAY_DOWN,
                (refusing ? "no gateway takes calls (" : "no gateway is connected (")
                        + destination.problems(decision.tunnels()) + ")");
    }

    /** The exception of a call whose time was used up while no endpoint was connected. */
    HighwayException notConnectedInTime() {
        return routed.notSent(
                call,
                Reason.NO_TIME_LEFT,
                "the time for the call was used up by waiting for a connection ("
                        + destination.problems(decision.tunnels()) + ")",
                FailureAdvice.on(Reason.GATEWAY_DOWN, decision));
    }

    /** The exception of a call that ends before an attempt, or between two. */
    HighwayException notSent(Reason reason, String what) {
        boolean unused = leaveRest(); // for the fallback
        return routed.notSent(call, reason, what);
    }

    /** The exception of a call whose thread was interrupted while it waited: its caller has given up. */
    HighwayException interrupted(String awaited) {
        return notSent(Reason.NO_TIME_LEFT, "its thread was interrupted while it waited for " + awaited);
    }

    /** The exception of a call that the limit of its class does not admit. */
    HighwayException refusedByLimit() {
        boolean unused = leaveRest(); // for the fallback
        Bulkhead limit = destination.bulkhead();
        String calls = limit.trafficClass() == TrafficClass.BULK ? "bulk calls" : "calls";
        return routed.notSent(
                call,
                Reason.BUSY,
                "the limit of " + calls + " in flight, " + limit.limit() + ", is reached",
                FailureAdvice.onBusy(decision.island(), limit.trafficClass()));
    }
}
