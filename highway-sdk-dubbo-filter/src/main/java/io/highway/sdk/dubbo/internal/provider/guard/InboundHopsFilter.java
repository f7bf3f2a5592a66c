// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.provider.guard;

import io.highway.sdk.dubbo.internal.call.InboundHops;
import org.apache.dubbo.common.constants.CommonConstants;
import org.apache.dubbo.common.extension.Activate;
import org.apache.dubbo.rpc.Filter;
import org.apache.dubbo.rpc.Invocation;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.Result;
import org.apache.dubbo.rpc.RpcException;

/**
 * Stores the hops of a call from another island in Dubbo's context, which carries them to other threads of the service.
 * Runs right after Dubbo's {@code ContextFilter}, which fills that context. Without this filter only code that continues
 * on another thread loses the hops; the {@link ProviderGuard} needs no filter.
 */
@Activate(group = CommonConstants.PROVIDER, order = Integer.MIN_VALUE + 1)
public final class InboundHopsFilter implements Filter {

    /** Called by Dubbo once per module. */
    public InboundHopsFilter() {}

    @Override
    public Result invoke(Invoker<?> invoker, Invocation invocation) throws RpcException {
        int hops = ProviderGuard.hops(invocation);
        if (hops > 0) {
            InboundHops.keep(hops);
        }
        return invoker.invoke(invocation);
    }
}
