// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import java.util.function.BiFunction;
import org.apache.dubbo.common.constants.CommonConstants;
import org.apache.dubbo.common.extension.Activate;
import org.apache.dubbo.rpc.Filter;
import org.apache.dubbo.rpc.Invocation;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.Result;

/** A filter of the caller that does what a test sets. */
@Activate(group = CommonConstants.CONSUMER, value = MisbehavingFilter.KEY)
public final class MisbehavingFilter implements Filter {

    static final String KEY = "misbehaving";

    static volatile BiFunction<Invoker<?>, Invocation, Result> act = Invoker::invoke;

    @Override
    public Result invoke(Invoker<?> invoker, Invocation invocation) {
        return act.apply(invoker, invocation);
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // the compiler shall not see what is thrown
    static <E extends Throwable> E unchecked(Throwable thrown) throws E {
        throw (E) thrown;
    }
}
