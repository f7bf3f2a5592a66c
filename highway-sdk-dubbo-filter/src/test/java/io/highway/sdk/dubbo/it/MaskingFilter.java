// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import java.util.HashMap;
import java.util.Map;
import org.apache.dubbo.rpc.Filter;
import org.apache.dubbo.rpc.Invocation;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.Result;

/** Hides the first argument, in the invocation's own array. */
public class MaskingFilter implements Filter {

    static final String NAME = "masking";

    @Override
    public Result invoke(Invoker<?> invoker, Invocation invocation) {
        Object[] arguments = invocation.getArguments();
        arguments[0] = arguments[0] instanceof Map ? new HashMap<>(Map.of("code", "***")) : "***";
        return invoker.invoke(invocation);
    }
}
