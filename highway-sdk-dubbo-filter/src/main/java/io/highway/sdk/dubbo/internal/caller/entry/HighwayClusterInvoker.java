// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.caller.entry;

import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.Intent;
import io.highway.sdk.dubbo.InternalCallRecorder;
import io.highway.sdk.dubbo.internal.application.HighwayRuntime;
import io.highway.sdk.dubbo.internal.application.PolicySnapshot;
import io.highway.sdk.dubbo.internal.application.RoutedReferences.RoutedReference;
import io.highway.sdk.dubbo.internal.call.CallAttributes;
import io.highway.sdk.dubbo.internal.call.DubboCall;
import io.highway.sdk.dubbo.internal.caller.failover.OutboundCall;
import io.highway.sdk.dubbo.internal.caller.failover.ReferenceTunnel;
import io.highway.sdk.dubbo.internal.caller.route.IntentResolver;
import io.highway.sdk.dubbo.internal.caller.route.RouteDecider;
import io.highway.sdk.dubbo.internal.caller.route.RouteDecision;
import io.highway.sdk.dubbo.internal.caller.route.ServiceInterfaceResolver;
import io.highway.sdk.dubbo.internal.evidence.CallResults;
import io.highway.sdk.dubbo.internal.limits.LogLimit;
import io.highway.sdk.dubbo.internal.policy.Policy;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.registry.integration.DynamicDirectory;
import org.apache.dubbo.rpc.AsyncRpcResult;
import org.apache.dubbo.rpc.Invocation;
import org.apache.dubbo.rpc.Result;
import org.apache.dubbo.rpc.RpcException;
import org.apache.dubbo.rpc.cluster.ClusterInvoker;
import org.apache.dubbo.rpc.cluster.Directory;
import org.apache.dubbo.rpc.cluster.directory.StaticDirectory;
import org.jspecify.annotations.Nullable;

/**
 * The entry point of every call of a reference. A call uses one {@link PolicySnapshot} of the policy, and has four stages:
 *
 * <ol>
 *   <li>the intent: the island that the call asks for
 *   <li>the decision: home, tunnel or refusal
 *   <li>the tunnel: carries or refuses the call
 *   <li>the outcome: recorded when the call has ended. If it was certainly not sent and the policy allows it, home
 *       serves the call instead; if it failed and the reference has a {@code mock}, the mock does
 * </ol>
 */
final class HighwayClusterInvoker<T> extends DelegatingClusterInvoker<T> implements RoutedReference<T> {

    private final BooleanSupplier homeHasProviders;

    /**
     * The first registry of a reference with several: Dubbo applies rules to each registry and not to the cluster above
     * them.
     */
    private final @Nullable ClusterInvoker<T> registry;

    private final HighwayRuntime runtime;
    private final IntentResolver intents;
    private final ReferenceTunnel<T> tunnel;
    private final MockOnFailure<T> mock;
    private final LogLimit logLimit = new LogLimit();

    HighwayClusterInvoker(ClusterInvoker<T> home, HighwayRuntime runtime) {
        super(home);
        this.homeHasProviders = home::isAvailable;
        this.runtime = runtime;
        this.registry = firstRegistry(home.getDirectory());
        this.intents = IntentResolver.of(ServiceInterfaceResolver.of(home), asWritten());
        this.tunnel = new ReferenceTunnel<>(home.getDirectory(), this::getUrl, runtime, homeHasProviders);
        this.mock = new MockOnFailure<>(home.getInterface(), this::getUrl);
        runtime.destinations();
        runtime.references().add(this);
    }

    @Override
    public IntentResolver intents() {
        return intents;
    }

    @Override
    public Result invoke(Invocation invocation) throws RpcException {
        PolicySnapshot snapshot = runtime.snapshot();
        Policy policy = snapshot.policy();
        Intent intent = intents.resolve(invocation, policy);
        if ((intent.isNone() && !intents.requiresIsland(policy)) || isDecidedOutside(invocation)) {
            return home.invoke(invocation);
        }
        InternalCallRecorder recorder = InternalCallRecorder.begin();
        try {
            return invoke(invocation, intent, snapshot, recorder);
        } finally {
            if (recorder != null) {
                recorder.end();
            }
        }
    }

    private Result invoke(
            Invocation invocation, Intent intent, PolicySnapshot snapshot, @Nullable InternalCallRecorder recorder) {
        DubboCall asked = new DubboCall(invocation, getUrl());
        RouteDecision decision = RouteDecider.decide(
                asked,
                intent,
                snapshot.policy(),
                HighwayRuntime.hopsSoFar(),
                homeHasProviders,
                HighwayClusterInvoker::random);
        if (decision instanceof RouteDecision.Home stays) {
            CallAttributes.put(invocation, RouteDecision.Home.class, stays);
            return home.invoke(invocation);
        }
        OutboundCall call = tunnel.begin(asked, intent, decision, snapshot);
        if (recorder != null) {
            recorder.routed(call::ended);
        }
        return untilAbandoned(outcome(call), call);
    }

    private static int random(int bound) {
        return ThreadLocalRandom.current().nextInt(bound);
    }

    /** Whether an outer invoker has decided that the call stays home. */
    private static boolean isDecidedOutside(Invocation invocation) {
        return CallAttributes.get(invocation, RouteDecision.Home.class) != null;
    }

    /** The outcome of the tunnel; home serves the call if it was not sent, and the reference's mock if it failed. */
    private Result outcome(OutboundCall call) {
        HomeFallback fallback = call.hasFallback() ? new HomeFallback(call, home, logLimit) : null;
        if (fallback != null && !call.isUp() && home.isAvailable()) {
            call.notTried();
            return fallback.serve("no gateway is connected");
        }
        try {
            Result result = tunnel.run(call);
            return mock.unlessFailed(fallback == null ? result : fallback.serveLater(result), call.invocation());
        } catch (RpcException e) {
            return fallback != null && e instanceof HighwayException ended && call.isServedAtHome(ended)
                    ? fallback.serve(ended.reason().word())
                    : mock.serveOrThrow(e, call.invocation());
        }
    }

    /** Ends the call with its caller's future, which the caller may cancel or complete. */
    private static Result untilAbandoned(Result result, OutboundCall call) {
        if (result instanceof AsyncRpcResult async && !async.getResponseFuture().isDone()) {
            CallResults.show(async, call::abandon);
        }
        return result;
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
