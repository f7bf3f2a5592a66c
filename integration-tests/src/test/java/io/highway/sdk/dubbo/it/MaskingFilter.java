// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import java.util.HashMap;
import java.util.Map;
import org.apache.dubbo.common.constants.CommonConstants;
import org.apache.dubbo.common.extension.Activate;
import org.apache.dubbo.rpc.Filter;
import org.apache.dubbo.rpc.Invocation;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.Result;

/** Hides the first argument, in the invocation's own array; an object is replaced by an equal one, or changed in place. */
public class MaskingFilter implements Filter {

    static final String NAME = "masking";

    /** Where filters are ordered last of all, by its URL parameter. */
    @Activate(group = CommonConstants.CONSUMER, value = "masked-last", order = Integer.MAX_VALUE)
    public static final class Last extends MaskingFilter {}

    @Override
    public Result invoke(Invoker<?> invoker, Invocation invocation) {
        Object[] arguments = invocation.getArguments();
        if (arguments.length == 3 && arguments[2] instanceof Object[] inner) { // a generic call
            mask(inner);
        } else {
            mask(arguments);
        }
        return invoker.invoke(invocation);
    }

    @SuppressWarnings("unchecked")
    private static void mask(Object[] arguments) {
        if (arguments[0] instanceof Shop.Secret) {
            arguments[0] = new Shop.Secret("***");
        } else if (arguments[0] instanceof Shop.Order order) {
            order.setItem("***");
        } else if (arguments[0] instanceof Map<?, ?> fields && fields.containsKey("item")) {
            ((Map<String, Object>) fields).put("item", "***");
        } else if (arguments[0] instanceof Map) {
            arguments[0] = new HashMap<>(Map.of("code", "***"));
        } else {
            arguments[0] = "***";
        }
    }
}
