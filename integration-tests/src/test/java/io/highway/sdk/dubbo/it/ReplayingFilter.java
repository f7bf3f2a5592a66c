// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import java.util.Map;
import org.apache.dubbo.rpc.Filter;
import org.apache.dubbo.rpc.Invocation;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.Result;

/** At an attacker: adds recorded headers to its calls. */
public final class ReplayingFilter implements Filter {

    static volatile Map<String, String> headers = Map.of();

    @Override
    public Result invoke(Invoker<?> invoker, Invocation invocation) {
        headers.forEach(invocation::setAttachment);
        return invoker.invoke(invocation);
    }
}
