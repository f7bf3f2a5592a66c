// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.caller.entry;

import io.highway.sdk.dubbo.Intent;
import io.highway.sdk.dubbo.internal.application.HighwayRuntime;
import io.highway.sdk.dubbo.internal.call.DubboCall;
import io.highway.sdk.dubbo.internal.caller.failover.ReferenceTunnel;
import io.highway.sdk.dubbo.internal.caller.route.IntentResolver;
import io.highway.sdk.dubbo.internal.caller.route.RouteDecider;
import io.highway.sdk.dubbo.internal.caller.route.RouteDecision.Refusal;
import io.highway.sdk.dubbo.internal.caller.route.ServiceInterfaceResolver;
import org.apache.dubbo.rpc.Invocation;
import org.apache.dubbo.rpc.Result;
import org.apache.dubbo.rpc.RpcException;
import org.apache.dubbo.rpc.cluster.ClusterInvoker;
import org.apache.dubbo.rpc.cluster.Directory;

/**
 * A reference of an application without any {@code highway.*} key. Home serves its calls. A call that asks for an
 * island is refused: home must not answer it because a profile is missing.
 */
final class UnconfiguredClusterInvoker<T> extends DelegatingClusterInvoker<T> {

    private final IntentResolver intents;
    private final ReferenceTunnel<T> tunnel;

    UnconfiguredClusterInvoker(ClusterInvoker<T> home, HighwayRuntime runtime) {
        super(home);
        this.intents = IntentResolver.of(ServiceInterfaceResolver.of(home), home.getUrl());
        Directory<T> directory = home.getDirectory();
        this.tunnel = new ReferenceTunnel<>(directory, directory::getConsumerUrl, runtime, home::isAvailable);
    }

    @Override
    public Result invoke(Invocation invocation) throws RpcException {
        Intent intent = intents.resolveUnconfigured(invocation);
        Refusal refusal = RouteDecider.unconfigured(intent);
        if (refusal == null) {
            return home.invoke(invocation);
        }
        DubboCall asked = new DubboCall(invocation, getDirectory().getConsumerUrl());
        return tunnel.run(tunnel.begin(asked, intent, refusal, null));
    }
}
