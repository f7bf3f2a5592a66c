// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.cluster;

import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.Intent;
import io.highway.sdk.dubbo.internal.audit.AuditLog;
import io.highway.sdk.dubbo.internal.audit.LeavingCall;
import io.highway.sdk.dubbo.internal.config.Policy;
import io.highway.sdk.dubbo.internal.intent.DubboCall;
import io.highway.sdk.dubbo.internal.intent.ReferenceIntents;
import io.highway.sdk.dubbo.internal.intent.ServiceInterfaces;
import io.highway.sdk.dubbo.internal.outcome.CallObservation;
import io.highway.sdk.dubbo.internal.outcome.ResultSupport;
import io.highway.sdk.dubbo.internal.route.RouteDecider;
import io.highway.sdk.dubbo.internal.route.RouteDecision;
import io.highway.sdk.dubbo.internal.route.Routed;
import io.highway.sdk.dubbo.internal.runtime.HighwayRuntime;
import io.highway.sdk.dubbo.internal.runtime.RoutedReferences.RoutedReference;
import io.highway.sdk.dubbo.internal.runtime.Snapshot;
import io.highway.sdk.dubbo.internal.tunnel.ReferenceTunnel;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.registry.integration.DynamicDirectory;
import org.apache.dubbo.rpc.AsyncRpcResult;
import org.apache.dubbo.rpc.Invocation;
import org.apache.dubbo.rpc.Result;
import org.apache.dubbo.rpc.RpcException;
import org.apache.dubbo.rpc.RpcInvocation;
import org.apache.dubbo.rpc.cluster.ClusterInvoker;
import org.apache.dubbo.rpc.cluster.Directory;
import org.apache.dubbo.rpc.cluster.directory.StaticDirectory;
import org.jspecify.annotations.Nullable;

/**
 * The entry point of every call of a reference. A call uses one {@link Snapshot} of the policy, and has four stages:
 *
 * <ol>
 *   <li>the intent: the island that the call asks for
 *   <li>the decision: home, tunnel or refusal
 *   <li>the tunnel: carries or refuses the call
 *   <li>the outcome: recorded when the call has ended. If it was certainly not sent and the policy allows it, home
 *       serves the call instead; if it failed and the reference has a {@code mock}, the mock does
 * </ol>
 */
final class HighwayClusterInvoker<T> extends HomeDelegate<T> implements RoutedReference<T> {

    private final BooleanSupplier homeHasProviders;

    /**
     * The first registry of a reference with several: Dubbo applies rules to each registry and not to the cluster above
     * them.
     */
    private final @Nullable ClusterInvoker<T> registry;

    private final HighwayRuntime runtime;
    private final ReferenceIntents intents;
    private final ReferenceTunnel<T> tunnel;
    private final MockOnFailure<T> mock;
    private final FallbackLog fallbackLog = new FallbackLog("is served at home");

    HighwayClusterInvoker(ClusterInvoker<T> home, HighwayRuntime runtime) {
        super(home);
        this.homeHasProviders = home::isAvailable;
        this.runtime = runtime;
        this.registry = firstRegistry(home.getDirectory());
        this.intents = ReferenceIntents.of(ServiceInterfaces.of(home), asWritten());
        this.tunnel = new ReferenceTunnel<>(home.getDirectory(), this::getUrl, runtime);
        this.mock = new MockOnFailure<>(home.getInterface(), this::getUrl);
        runtime.destinations();
        runtime.references().add(this);
    }

    @Override
    public ReferenceIntents intents() {
        return intents;
    }

    @Override
    public Result invoke(Invocation invocation) throws RpcException {
        Snapshot snapshot = runtime.snapshot();
        Policy policy = snapshot.policy();
        Intent intent = intents.resolve(invocation, policy);
        if ((intent.isNone() && !intents.requiresIsland(policy)) || Routed.isHome(invocation)) {
            return home.invoke(invocation);
        }
        RouteDecision decision = decide(invocation, intent, policy);
        if (decision instanceof RouteDecision.Home) {
            return home.invoke(invocation);
        }
        if (decision instanceof RouteDecision.Tunnel out) {
            snapshot.destination(out).mark(invocation);
            if (out.policy().fallbackHome()) {
                return untilAbandoned(outcomeOrHome((RpcInvocation) invocation, out, policy), invocation);
            }
        }
        return untilAbandoned(outcomeOrMock(invocation, policy), invocation);
    }

    private RouteDecision decide(Invocation invocation, Intent intent, Policy policy) {
        RouteDecision decision = RouteDecider.decide(
                new DubboCall(invocation, getUrl()), intent, policy, HighwayRuntime.hopsSoFar(), homeHasProviders);
        Routed.mark(invocation, intent, decision, policy.version());
        return decision;
    }

    /** Ends the call with its caller's future, which the caller may cancel or complete. */
    private static Result untilAbandoned(Result result, Invocation invocation) {
        CallObservation outcome = CallObservation.of(invocation);
        if (outcome != null
                && result instanceof AsyncRpcResult async
                && !async.getResponseFuture().isDone()) {
            ResultSupport.show(async, outcome::abandon);
        }
        return result;
    }

    /** The outcome of the tunnel; home serves the call if it was not sent. */
    private Result outcomeOrHome(RpcInvocation invocation, RouteDecision.Tunnel decision, Policy policy) {
        HomeFallback fallback = new HomeFallback(invocation, home, fallbackLog);
        if (!tunnel.isUp(invocation, decision) && home.isAvailable()) {
            DubboCall call = new DubboCall(invocation, getUrl());
            CallObservation.notTried(runtime.listeners(), call, runtime.clock(), audited(call, policy));
            return fallback.serve("no gateway is connected");
        }
        try {
            return mock.unlessFailed(fallback.serveLater(outcomeOfTunnel(invocation, policy)), invocation);
        } catch (HighwayException e) {
            return fallback.serves(e) ? fallback.serve(e.reason().word()) : mock.serveOrThrow(e, invocation);
        } catch (RpcException e) {
            return mock.serveOrThrow(e, invocation);
        }
    }

    /** The outcome of the tunnel; the reference's mock, if it has one, serves the call if it failed. */
    private Result outcomeOrMock(Invocation invocation, Policy policy) {
        try {
            return mock.unlessFailed(outcomeOfTunnel(invocation, policy), invocation);
        } catch (RpcException e) {
            return mock.serveOrThrow(e, invocation);
        }
    }

    /** The tunnel carries or refuses the call, and its outcome is recorded. */
    private Result outcomeOfTunnel(Invocation invocation, Policy policy) {
        DubboCall call = new DubboCall(invocation, getUrl());
        CallObservation outcome = CallObservation.begin(
                runtime.listeners(),
                call,
                runtime.clock(),
                homeHasProviders,
                tunnel.callBegins(),
                audited(call, policy));
        return outcome.run(tunnel);
    }

    private @Nullable LeavingCall audited(DubboCall call, Policy policy) {
        AuditLog audit = runtime.audit();
        return audit == null
                ? null
                : LeavingCall.begin(audit, call, Objects.requireNonNull(Routed.of(call.invocation())), policy);
    }

    /** The current URL of the reference: rules of the registry or the config centre replace it. */
    @Override
    public URL getUrl() {
        return registry != null ? registry.getUrl() : home.getUrl();
    }

    /** The URL of the reference without rules, which do not determine the island of a call. */
    private URL asWritten() {
        ClusterInvoker<T> nearest = registry != null ? registry : home;
        return nearest.getDirectory() instanceof DynamicDirectory<T> dynamic
                ? dynamic.getOriginalConsumerUrl()
                : nearest.getUrl();
    }

    /** The first of several registries, or null where there is one or none. */
    static <T> @Nullable ClusterInvoker<T> firstRegistry(Directory<T> directory) {
        return directory instanceof StaticDirectory<T>
                ? directory.getAllInvokers().stream()
                        .filter(ClusterInvoker.class::isInstance)
                        .map(invoker -> (ClusterInvoker<T>) invoker)
                        .findFirst()
                        .orElse(null)
                : null;
    }

    @Override
    public void destroy() {
        release();
        super.destroy();
    }

    /** Releases the reference's share of gateway connections. */
    void release() {
        tunnel.destroy();
    }
}
