// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.guard;

import io.highway.sdk.dubbo.connection.channel.Statements;
import io.highway.sdk.dubbo.connection.triple.RefusedCall;
import java.util.HashMap;
import java.util.Map;
import org.apache.dubbo.common.constants.CommonConstants;
import org.apache.dubbo.common.extension.Activate;
import org.apache.dubbo.rpc.BaseFilter;
import org.apache.dubbo.rpc.Filter;
import org.apache.dubbo.rpc.Invocation;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.Result;
import org.apache.dubbo.rpc.RpcException;

/**
 * Takes every {@code highway-*} attachment off what a service answers: one that it wrote, or that Dubbo copied from the answer
 * to a call of its own, says nothing about this call. Only the guard's refusal is put there.
 *
 * <p>Sees answers after every other filter: Dubbo's {@code ContextFilter} adds the attachments.
 */
@Activate(group = CommonConstants.PROVIDER, order = Integer.MIN_VALUE, before = "context")
@SuppressWarnings("deprecation") // nothing else comes before a filter with the smallest order
public final class ResponseHeadersFilter implements Filter, BaseFilter.Listener {

    private static final String PREFIX = "highway-";

    /** Dubbo makes one per module. */
    public ResponseHeadersFilter() {}

    @Override
    public Result invoke(Invoker<?> invoker, Invocation invocation) throws RpcException {
        return invoker.invoke(invocation);
    }

    @Override
    public void onResponse(Result response, Invoker<?> invoker, Invocation invocation) {
        Map<String, Object> attachments = response.getObjectAttachments();
        if (attachments != null && attachments.keySet().stream().anyMatch(ResponseHeadersFilter::isOurs)) {
            Map<String, Object> others = new HashMap<>(attachments);
            others.keySet().removeIf(ResponseHeadersFilter::isOurs);
            response.setObjectAttachments(others);
        }
        RefusedCall refused = RefusedCall.of(invocation);
        if (refused != null) {
            response.setException(refused.exception()); // Dubbo wraps the exceptions of generic calls
            response.setAttachment(Statements.REFUSED, refused.statement());
        }
    }

    /** Triple makes names lower case. */
    private static boolean isOurs(String key) {
        return key.regionMatches(true, 0, PREFIX, 0, PREFIX.length());
    }

    @Override
    public void onError(Throwable error, Invoker<?> invoker, Invocation invocation) {
        // no attachments travel with it
    }
}
