// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.quickstart;

import io.highway.sdk.dubbo.internal.route.Routed;
import java.util.Objects;
import org.apache.dubbo.common.constants.CommonConstants;
import org.apache.dubbo.common.extension.Activate;
import org.apache.dubbo.rpc.Invocation;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.Result;
import org.apache.dubbo.rpc.RpcException;
import org.apache.dubbo.rpc.cluster.filter.ClusterFilter;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.jspecify.annotations.Nullable;

/** Observes the SDK's decision on each call: an ordinary Dubbo filter of the consumer. */
@Activate(group = CommonConstants.CONSUMER)
public final class RouteObserver implements ClusterFilter {

    private final LastCall lastCall;

    /** Called by Dubbo; {@code Home} has registered the bean. */
    public RouteObserver(ApplicationModel application) {
        this.lastCall = Objects.requireNonNull(application.getBeanFactory().getBean(LastCall.class));
    }

    @Override
    public Result invoke(Invoker<?> invoker, Invocation invocation) throws RpcException {
        lastCall.routed = Routed.of(invocation);
        return invoker.invoke(invocation);
    }

    /** The last call of one application. The tour makes one call at a time; a fallback ends on another thread. */
    static final class LastCall {

        private volatile @Nullable Routed routed;

        /** The intent and decision, or null if the call asked for no island. */
        @Nullable
        Routed routed() {
            return routed;
        }

        void forget() {
            routed = null;
        }
    }
}
