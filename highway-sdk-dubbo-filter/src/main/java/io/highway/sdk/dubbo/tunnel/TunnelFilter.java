// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.tunnel;

import io.highway.sdk.dubbo.outcome.NotForwardedException;
import org.apache.dubbo.common.constants.CommonConstants;
import org.apache.dubbo.common.extension.Activate;
import org.apache.dubbo.rpc.BaseFilter;
import org.apache.dubbo.rpc.Filter;
import org.apache.dubbo.rpc.Invocation;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.Result;
import org.apache.dubbo.rpc.RpcException;

/**
 * A filter on a tunnel's own invokers only, which reads the trailer by which a gateway says that it did not forward, before
 * Dubbo turns the answer into an exception without trailers.
 */
@Activate(group = CommonConstants.CONSUMER, value = TunnelFilter.MAX_REQUEST_BYTES, order = Integer.MAX_VALUE)
public final class TunnelFilter implements Filter, BaseFilter.Listener {

    /** The URL parameter that only a tunnel's invokers have. */
    static final String MAX_REQUEST_BYTES = "highway-max-request-bytes";

    private static final String NOT_FORWARDED_TRAILER = "highway-not-forwarded";

    @Override
    public Result invoke(Invoker<?> invoker, Invocation invocation) throws RpcException {
        return invoker.invoke(invocation);
    }

    @Override
    public void onResponse(Result response, Invoker<?> invoker, Invocation invocation) {
        String reason = response.hasException() ? response.getAttachment(NOT_FORWARDED_TRAILER) : null;
        if (reason != null) {
            response.setException(new NotForwardedException(reason));
        }
    }

    @Override
    public void onError(Throwable error, Invoker<?> invoker, Invocation invocation) {
        // nothing to read
    }
}
