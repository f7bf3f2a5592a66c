// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.Reason;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.dubbo.common.constants.CommonConstants;
import org.apache.dubbo.common.extension.Activate;
import org.apache.dubbo.rpc.Filter;
import org.apache.dubbo.rpc.Invocation;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.Result;
import org.apache.dubbo.rpc.RpcException;

/** A user's consumer filter, which may fail after the call, or before the second. */
@Activate(group = CommonConstants.CONSUMER, value = "counted")
public final class CountingFilter implements Filter {

    /** The addresses that calls went to. */
    static final Queue<String> SEEN = new ConcurrentLinkedQueue<>();

    @Override
    public Result invoke(Invoker<?> invoker, Invocation invocation) throws RpcException {
        SEEN.add(invoker.getUrl().getProtocol() + "://" + invoker.getUrl().getAddress());
        if (invoker.getUrl().hasParameter("fail-second") && SEEN.size() == 2) {
            throw new RpcException(RpcException.NO_INVOKER_AVAILABLE_AFTER_FILTER, "the audit service has no provider");
        }
        if (invoker.getUrl().hasParameter("fail-tunnel") && invoker.getUrl().hasParameter("ssl-enabled")) {
            throw new RpcException(RpcException.NO_INVOKER_AVAILABLE_AFTER_FILTER, "no tunnel for this one");
        }
        Result result = invoker.getUrl().hasParameter("try-twice")
                ? invokeAgain(invoker, invocation)
                : invoker.invoke(invocation);
        if (invoker.getUrl().hasParameter("fail-listener")) {
            return result.whenCompleteWithContext((answer, thrown) -> {
                throw HighwayException.of(Reason.GATEWAY_DOWN, "cloud", false); // of a call that the filter makes
            });
        }
        if (invoker.getUrl().hasParameter("fail-after")) {
            throw new RpcException(RpcException.NO_INVOKER_AVAILABLE_AFTER_FILTER, "the audit service has no provider");
        }
        return result;
    }

    private static Result invokeAgain(Invoker<?> invoker, Invocation invocation) {
        try {
            Result first = invoker.invoke(invocation);
            if (!first.hasException()) {
                return first;
            }
        } catch (RpcException e) {
            // as if it were in the result
        }
        return invoker.invoke(invocation);
    }
}
