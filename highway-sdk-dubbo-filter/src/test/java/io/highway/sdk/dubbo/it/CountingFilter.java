// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.dubbo.common.constants.CommonConstants;
import org.apache.dubbo.common.extension.Activate;
import org.apache.dubbo.rpc.Filter;
import org.apache.dubbo.rpc.Invocation;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.Result;
import org.apache.dubbo.rpc.RpcException;

/** A user's consumer filter. */
@Activate(group = CommonConstants.CONSUMER, value = "counted")
public final class CountingFilter implements Filter {

    /** The addresses that calls went to. */
    static final Queue<String> SEEN = new ConcurrentLinkedQueue<>();

    @Override
    public Result invoke(Invoker<?> invoker, Invocation invocation) throws RpcException {
        SEEN.add(invoker.getUrl().getProtocol() + "://" + invoker.getUrl().getAddress());
        return invoker.invoke(invocation);
    }
}
