// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.chaos.audit;

import org.apache.dubbo.common.constants.CommonConstants;
import org.apache.dubbo.common.extension.Activate;
import org.apache.dubbo.rpc.Filter;
import org.apache.dubbo.rpc.Invocation;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.Result;

/** A provider's filter with a mistake: after some calls ran it throws an {@code Error}. For services with this parameter. */
@Activate(group = CommonConstants.PROVIDER, value = FaultyFilter.PARAMETER)
public final class FaultyFilter implements Filter {

    static final String PARAMETER = "faulty";

    /** Called by Dubbo. */
    public FaultyFilter() {}

    @Override
    public Result invoke(Invoker<?> invoker, Invocation invocation) {
        Result result = invoker.invoke(invocation);
        if (invocation.getMethodName().equals("error")) {
            throw new AssertionError("after the service ran");
        }
        return result;
    }
}
