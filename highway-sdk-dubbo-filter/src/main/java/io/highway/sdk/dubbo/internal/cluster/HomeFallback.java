// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.cluster;

import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.internal.outcome.CallObservation;
import io.highway.sdk.dubbo.internal.outcome.ResultSupport;
import io.highway.sdk.dubbo.internal.route.RouteDecision;
import io.highway.sdk.dubbo.internal.route.Routed;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.apache.dubbo.common.constants.CommonConstants;
import org.apache.dubbo.rpc.AppResponse;
import org.apache.dubbo.rpc.AsyncRpcResult;
import org.apache.dubbo.rpc.InvokeMode;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.Result;
import org.apache.dubbo.rpc.RpcContext;
import org.apache.dubbo.rpc.RpcInvocation;
import org.jspecify.annotations.Nullable;

/**
 * Serves an island-bound call at home that was certainly not sent, within its remaining time. The invocation is
 * restored to what the caller made: changes of the tunnel to it and to the context are undone.
 */
final class HomeFallback {

    private final RpcInvocation invocation;
    private final Invoker<?> home;
    private final FallbackLog fallbackLog;
    private final Routed routed;
    private final @Nullable Object[] arguments;
    private final Map<String, Object> attachments;
    private final Map<Object, Object> attributes;
    private final RpcContext.RestoreContext context = new RpcContext.RestoreContext();

    /** Saves the call before it enters the tunnel. */
    HomeFallback(RpcInvocation invocation, Invoker<?> home, FallbackLog fallbackLog) {
        this.invocation = invocation;
        this.fallbackLog = fallbackLog;
        this.home = home;
        this.routed = Objects.requireNonNull(Routed.of(invocation));
        this.arguments = invocation.getArguments();
        this.attachments = new HashMap<>(invocation.getObjectAttachments());
        this.attributes = new HashMap<>(invocation.getAttributes());
    }

    /**
     * Whether home serves a call that ended like this: it may, and has a provider. Otherwise the caller gets the
     * failure.
     */
    boolean serves(HighwayException ended) {
        return CallObservation.mayBeServedAtHome(ended) && home.isAvailable();
    }

    /** Serves the call at home. */
    Result serve(String why) {
        fallbackLog.note(
                invocation.getServiceName() + "#" + invocation.getMethodName() + " asked for " + routed.intent()
                        + " and",
                why);
        Object timeLeft = invocation.getObjectAttachment(CommonConstants.TIMEOUT_KEY);
        invocation.setArguments(arguments); // the tunnel may have replaced a stream's observer
        CallObservation ended = CallObservation.of(invocation);
        invocation.getAttributes().clear();
        invocation.getAttributes().putAll(attributes);
        if (ended != null) { // for the span of home's answer
            ended.keepIn(invocation);
        }
        invocation.setObjectAttachments(new HashMap<>(attachments));
        context.restore();
        if (timeLeft != null && !timeLeft.equals(attachments.get(CommonConstants.TIMEOUT_KEY))) {
            invocation.setObjectAttachment(CommonConstants.TIMEOUT_KEY, timeLeft);
            RpcContext.getClientAttachment().removeAttachment(CommonConstants.TIMEOUT_KEY); // it would take precedence
        }
        Routed.mark(
                invocation,
                routed.intent(),
                new RouteDecision.Home(routed.decision().rule(), "fallback: " + why),
                routed.policy());
        return home.invoke(invocation);
    }

    /** Serves an asynchronous call at home if it fails, now or later, without having been sent. */
    @SuppressWarnings("FutureReturnValueIgnored") // the inner future is composed at once
    Result serveLater(Result result) {
        if (result instanceof AsyncRpcResult async && invocation.getInvokeMode() != InvokeMode.SYNC) {
            ResultSupport.replace(
                    async, async.getResponseFuture().handle(this::orHome).thenCompose(response -> response));
        }
        return result;
    }

    private CompletableFuture<AppResponse> orHome(AppResponse response, Throwable thrown) {
        Throwable cause = thrown == null ? null : ResultSupport.unwrapped(thrown);
        CallObservation call = CallObservation.of(invocation);
        boolean wanted = call == null || !call.isAbandoned();
        if (wanted && cause instanceof HighwayException ended && serves(ended)) {
            if (call != null) { // before home changes the invocation; listeners read it
                call.end(ended);
            }
            RpcContext.RestoreContext callback = new RpcContext.RestoreContext();
            try {
                return ((AsyncRpcResult) serve(ended.reason().word())).getResponseFuture();
            } finally {
                callback.restore();
            }
        }
        return thrown != null ? CompletableFuture.failedFuture(thrown) : CompletableFuture.completedFuture(response);
    }
}
