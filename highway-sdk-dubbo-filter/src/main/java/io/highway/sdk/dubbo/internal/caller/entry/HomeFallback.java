// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.caller.entry;

import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.internal.call.CallAttributes;
import io.highway.sdk.dubbo.internal.caller.failover.OutboundCall;
import io.highway.sdk.dubbo.internal.caller.route.RouteDecision;
import io.highway.sdk.dubbo.internal.evidence.CallResults;
import io.highway.sdk.dubbo.internal.limits.LogLimit;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.dubbo.common.constants.CommonConstants;
import org.apache.dubbo.common.logger.Logger;
import org.apache.dubbo.common.logger.LoggerFactory;
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

    private static final Logger log = LoggerFactory.getLogger(HomeFallback.class);

    private final OutboundCall call;
    private final RpcInvocation invocation;
    private final Invoker<?> home;
    private final LogLimit logLimit;
    private final @Nullable Object[] arguments;
    private final Map<String, Object> attachments;
    private final Map<Object, Object> attributes;
    private final RpcContext.RestoreContext context = new RpcContext.RestoreContext();

    /** Saves the call before it enters the tunnel. */
    HomeFallback(OutboundCall call, Invoker<?> home, LogLimit logLimit) {
        this.call = call;
        this.invocation = call.invocation();
        this.home = home;
        this.logLimit = logLimit;
        this.arguments = invocation.getArguments();
        this.attachments = new HashMap<>(invocation.getObjectAttachments());
        this.attributes = new HashMap<>(invocation.getAttributes());
    }

    /** Serves the call at home. */
    Result serve(String why) {
        logLimit.warn(
                log,
                "highway: " + invocation.getServiceName() + "#" + invocation.getMethodName() + " asked for "
                        + call.intent() + " and is served at home: " + why);
        Object timeLeft = invocation.getObjectAttachment(CommonConstants.TIMEOUT_KEY);
        invocation.setArguments(arguments); // the tunnel may have replaced a stream's observer
        invocation.getAttributes().clear();
        invocation.getAttributes().putAll(attributes);
        invocation.setObjectAttachments(new HashMap<>(attachments));
        context.restore();
        if (timeLeft != null && !timeLeft.equals(attachments.get(CommonConstants.TIMEOUT_KEY))) {
            invocation.setObjectAttachment(CommonConstants.TIMEOUT_KEY, timeLeft);
            RpcContext.getClientAttachment().removeAttachment(CommonConstants.TIMEOUT_KEY); // it would take precedence
        }
        RouteDecision.Home atHome = new RouteDecision.Home(call.decision().rule(), "fallback: " + why);
        CallAttributes.put(invocation, RouteDecision.Home.class, atHome);
        return home.invoke(invocation);
    }

    /** Serves an asynchronous call at home if it fails, now or later, without having been sent. */
    Result serveLater(Result result) {
        if (result instanceof AsyncRpcResult async && invocation.getInvokeMode() != InvokeMode.SYNC) {
            CallResults.replace(async, async.getResponseFuture().exceptionallyCompose(this::orHome));
        }
        return result;
    }

    private CompletableFuture<AppResponse> orHome(Throwable thrown) {
        if (call.isAbandoned()
                || !(CallResults.unwrapped(thrown) instanceof HighwayException ended)
                || !call.isServedAtHome(ended)) {
            return CompletableFuture.failedFuture(thrown);
        }
        call.end(ended); // before home changes the invocation; listeners read it
        RpcContext.RestoreContext callback = new RpcContext.RestoreContext();
        try {
            return ((AsyncRpcResult) serve(ended.reason().word())).getResponseFuture();
        } finally {
            callback.restore();
        }
    }
}
