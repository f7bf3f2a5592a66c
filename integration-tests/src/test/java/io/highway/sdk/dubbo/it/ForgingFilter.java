// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import java.util.List;
import org.apache.dubbo.rpc.Filter;
import org.apache.dubbo.rpc.Invocation;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.Result;
import org.apache.dubbo.rpc.RpcContext;

/** An application's filter that writes keys of the SDK, on the call and in the context. */
public final class ForgingFilter implements Filter {

    static final List<String> KEYS =
            List.of("highway-sign", "highway-from", "highway-later", "Highway-Sign", "Highway-Island", "HIGHWAY-FROM");

    @Override
    public Result invoke(Invoker<?> invoker, Invocation invocation) {
        for (String key : KEYS) {
            invocation.setAttachment(key, "forged");
            RpcContext.getClientAttachment().setAttachment(key, "forged");
        }
        invocation.setAttachment("highway-island", "beijing");
        return invoker.invoke(invocation);
    }
}
