// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.test;

import java.util.Arrays;
import org.apache.dubbo.rpc.Filter;
import org.apache.dubbo.rpc.Invocation;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.Result;

/** A provider's filter, which throws an exception if the argument is {@code refused}. */
public class RefusingFilter implements Filter {

    @Override
    public Result invoke(Invoker<?> invoker, Invocation invocation) {
        if (Arrays.asList(invocation.getArguments()).contains("refused")) {
            throw new IllegalStateException("by the filter");
        }
        return invoker.invoke(invocation);
    }
}
