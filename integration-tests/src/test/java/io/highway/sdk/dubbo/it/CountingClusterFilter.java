// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.dubbo.common.constants.CommonConstants;
import org.apache.dubbo.common.extension.Activate;
import org.apache.dubbo.rpc.BaseFilter;
import org.apache.dubbo.rpc.Invocation;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.Result;
import org.apache.dubbo.rpc.RpcException;
import org.apache.dubbo.rpc.cluster.filter.ClusterFilter;

/** A user's cluster filter, such as one that traces. */
@Activate(group = CommonConstants.CONSUMER, value = "counted")
public final class CountingClusterFilter implements ClusterFilter, BaseFilter.Listener {

    /** What happened, in order. */
    static final Queue<String> SEEN = new ConcurrentLinkedQueue<>();

    @Override
    public Result invoke(Invoker<?> invoker, Invocation invocation) throws RpcException {
        SEEN.add("invoke");
        return invoker.invoke(invocation);
    }

    @Override
    public void onResponse(Result response, Invoker<?> invoker, Invocation invocation) {
        SEEN.add(response.hasException() ? "response with exception" : "response");
    }

    @Override
    public void onError(Throwable error, Invoker<?> invoker, Invocation invocation) {
        SEEN.add("error " + error.getClass().getSimpleName());
    }
}
