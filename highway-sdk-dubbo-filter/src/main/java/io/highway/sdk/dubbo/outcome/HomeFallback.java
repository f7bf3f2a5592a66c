// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.outcome;

import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.route.RouteDecision;
import io.highway.sdk.dubbo.route.Routed;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
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
 * Serves a call at home that was meant for an island and was certainly not sent. It goes home as the caller made it, in the
 * time that is left: what else the tunnel wrote on the invocation and took from the context is undone.
 */
public final class HomeFallback {

    private static final Set<Reason> SERVED = EnumSet.of(
            Reason.GATEWAY_DOWN, Reason.NOT_FORWARDED, Reason.NO_SUCH_SERVICE, Reason.BREAKER_OPEN, Reason.BUSY);

    private final RpcInvocation invocation;
    private final Invoker<?> home;
    private final FallbackLog fallbackLog;
    private final Routed routed;
    private final @Nullable Object[] arguments;
    private final Map<String, Object> attachments;
    private final Map<Object, Object> attributes;
    private final RpcContext.RestoreContext context = new RpcContext.RestoreContext();

    /** Remembers how the call looks before it enters the tunnel. */
    public HomeFallback(RpcInvocation invocation, Invoker<?> home, FallbackLog fallbackLog) {
        this.invocation = invocation;
        this.fallbackLog = fallbackLog;
        this.home = home;
        this.routed = Objects.requireNonNull(Routed.of(invocation));
        this.arguments = invocation.getArguments();
        this.attachments = new HashMap<>(invocation.getObjectAttachments());
        this.attributes = new HashMap<>(invocation.getAttributes());
    }

    /** Whether home may serve a call that ended so. */
    static boolean mayServe(HighwayException ended) {
        return !ended.sent() && SERVED.contains(ended.reason());
    }

    /** Whether home serves a call that ended so: it may, and has a provider. Else the caller is told how it ended. */
    public boolean serves(HighwayException ended) {
        return mayServe(ended) && home.isAvailable();
    }

    /** Serves the call at home, whatever its way out would have been. */
    public Result serve(String why) {
        fallbackLog.note(
                invocation.getServiceName() + "#" + invocation.getMethodName() + " asked for " + routed.intent()
                        + " and",
                why);
        Object timeLeft = invocation.getObjectAttachment(CommonConstants.TIMEOUT_KEY);
        invocation.setArguments(arguments); // a stream's observer stands in others for the tunnel
        invocation.getAttributes().clear();
        invocation.getAttributes().putAll(attributes);
        invocation.setObjectAttachments(new HashMap<>(attachments));
        context.restore();
        if (timeLeft != null && !timeLeft.equals(attachments.get(CommonConstants.TIMEOUT_KEY))) {
            invocation.setObjectAttachment(CommonConstants.TIMEOUT_KEY, timeLeft);
            RpcContext.getClientAttachment().removeAttachment(CommonConstants.TIMEOUT_KEY); // it would be stronger
        }
        Routed.mark(invocation, routed.intent(), new RouteDecision.Home("fallback: " + why));
        return home.invoke(invocation);
    }

    /** Serves an asynchronous call at home if it turns out, now or later, that it was not sent. */
    @SuppressWarnings("FutureReturnValueIgnored") // the inner future is composed at once
    public Result serveLater(Result result) {
        if (result instanceof AsyncRpcResult async && invocation.getInvokeMode() != InvokeMode.SYNC) {
            ResultSupport.replace(
                    async, async.getResponseFuture().handle(this::orHome).thenCompose(response -> response));
        }
        return result;
    }

    private CompletableFuture<AppResponse> orHome(AppResponse response, Throwable thrown) {
        Throwable cause = thrown == null ? null : ResultSupport.unwrapped(thrown);
        if (cause instanceof HighwayException ended && serves(ended)) {
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
