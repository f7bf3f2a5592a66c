// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.conformance.provider;

import org.apache.dubbo.common.constants.CommonConstants;
import org.apache.dubbo.common.extension.Activate;
import org.apache.dubbo.rpc.Filter;
import org.apache.dubbo.rpc.Invocation;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.Result;
import org.apache.dubbo.rpc.RpcException;

/**
 * With the attachment {@code kit-filter} it lets the call run and then fails with that text, as a filter of an
 * application may.
 */
@Activate(group = CommonConstants.PROVIDER, order = Integer.MIN_VALUE)
public final class ClaimingFilter implements Filter {

    /** Called by Dubbo. */
    public ClaimingFilter() {}

    @Override
    public Result invoke(Invoker<?> invoker, Invocation invocation) {
        String text = invocation.getAttachment("kit-filter");
        Result ran = invoker.invoke(invocation);
        if (text == null) {
            return ran;
        }
        throw new RpcException(RpcException.NETWORK_EXCEPTION, text);
    }
}
