// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.cluster;

import io.highway.sdk.dubbo.Intent;
import io.highway.sdk.dubbo.internal.intent.DubboCall;
import io.highway.sdk.dubbo.internal.intent.ReferenceIntents;
import io.highway.sdk.dubbo.internal.intent.ServiceInterfaces;
import io.highway.sdk.dubbo.internal.outcome.CallObservation;
import io.highway.sdk.dubbo.internal.route.RouteDecider;
import io.highway.sdk.dubbo.internal.route.RouteDecision.Refusal;
import io.highway.sdk.dubbo.internal.route.Routed;
import io.highway.sdk.dubbo.internal.runtime.HighwayRuntime;
import io.highway.sdk.dubbo.internal.tunnel.RefusedCalls;
import org.apache.dubbo.rpc.Invocation;
import org.apache.dubbo.rpc.Result;
import org.apache.dubbo.rpc.RpcException;
import org.apache.dubbo.rpc.cluster.ClusterInvoker;

/**
 * A reference of an application without any {@code highway.*} key. Home serves its calls. A call that asks for an
 * island is refused: home must not answer it because a profile is missing.
 */
final class UnconfiguredClusterInvoker<T> extends HomeDelegate<T> {

    private final HighwayRuntime runtime;
    private final ReferenceIntents intents;
    private final RefusedCalls<T> refused;

    UnconfiguredClusterInvoker(ClusterInvoker<T> home, HighwayRuntime runtime) {
        super(home);
        this.runtime = runtime;
        this.intents = ReferenceIntents.of(ServiceInterfaces.of(home), home.getUrl());
        this.refused = new RefusedCalls<>(home.getDirectory());
    }

    @Override
    public Result invoke(Invocation invocation) throws RpcException {
        Intent intent = intents.resolveUnconfigured(invocation);
        Refusal refusal = RouteDecider.unconfigured(intent);
        if (refusal == null) {
            return home.invoke(invocation);
        }
        Routed.mark(invocation, intent, refusal, null);
        DubboCall call = new DubboCall(invocation, getDirectory().getConsumerUrl());
        return CallObservation.begin(runtime.listeners(), call, runtime.clock(), home::isAvailable, () -> {}, null)
                .run(refused);
    }
}
