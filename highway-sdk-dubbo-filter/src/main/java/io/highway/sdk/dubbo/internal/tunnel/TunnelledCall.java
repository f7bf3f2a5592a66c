// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.tunnel;

import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.internal.endpoint.Destination;
import io.highway.sdk.dubbo.internal.evidence.AttemptEvidence;
import io.highway.sdk.dubbo.internal.intent.DubboCall;
import io.highway.sdk.dubbo.internal.outcome.CallObservation;
import io.highway.sdk.dubbo.internal.outcome.ResultSupport;
import io.highway.sdk.dubbo.internal.route.RouteDecision;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.apache.dubbo.rpc.AppResponse;
import org.apache.dubbo.rpc.AsyncRpcResult;
import org.apache.dubbo.rpc.InvokeMode;
import org.apache.dubbo.rpc.Result;
import org.apache.dubbo.rpc.RpcContext;
import org.apache.dubbo.rpc.RpcInvocation;

/** A call with what was decided about it, and the time that it has. */
record TunnelledCall(
        DubboCall call,
        CallObservation observation,
        RouteDecision.Tunnel decision,
        Destination destination,
        TimeBudget budget) {

    RpcInvocation invocation() {
        return (RpcInvocation) call.invocation();
    }

    /** Whether the call must not block its thread. */
    boolean isAsynchronous() {
        return !decision.streaming() && invocation().getInvokeMode() != InvokeMode.SYNC;
    }

    /** The size of the request of the last attempt; 0 or less if it is unknown. */
    long requestBytes() {
        return AttemptEvidence.bytesOf(invocation());
    }

    /**
     * Sets the remaining time for what follows a wait.
     *
     * @param awaited what the call has waited for, in words
     * @throws HighwayException if no time is left
     */
    void leaveRest(String awaited) {
        if (!budget.leaveRest()) {
            throw notSent(Reason.NO_TIME_LEFT, "the time for the call was used up by waiting for " + awaited);
        }
    }

    /**
     * The result of {@code go}, which runs once the future has ended, on neither the caller's nor the future's thread.
     */
    @SuppressWarnings("FutureReturnValueIgnored") // the inner future is composed at once
    Result resumeAfter(CompletableFuture<?> wait, Supplier<Result> go) {
        observation.awaiting(wait);
        RpcContext.RestoreContext caller = new RpcContext.RestoreContext();
        CompletableFuture<AppResponse> response = wait.handleAsync(
                        (value, thrown) -> within(caller, () -> ((AsyncRpcResult) go.get()).getResponseFuture()),
                        destination::resume)
                .thenCompose(whole -> whole);
        return ResultSupport.show(new AsyncRpcResult(response, invocation()));
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
        leaveRestForFallback();
        return TunnelFailures.noEndpoint(call, observation.routed(), decision, destination);
    }

    /** The exception of a call that ends before an attempt, or between two. */
    HighwayException notSent(Reason reason, String what) {
        leaveRestForFallback();
        return TunnelFailures.notSent(call, observation.routed(), decision, reason, what);
    }

    /** The exception of a call whose thread was interrupted while it waited: its caller has given up. */
    HighwayException interrupted(String awaited) {
        return notSent(Reason.NO_TIME_LEFT, "its thread was interrupted while it waited for " + awaited);
    }

    /** The exception of a call that the limit of its class does not admit. */
    HighwayException refusedByLimit() {
        leaveRestForFallback();
        return TunnelFailures.refusedByLimit(call, observation.routed(), decision, destination.bulkhead());
    }

    private void leaveRestForFallback() {
        boolean unused = budget.leaveRest();
    }
}
