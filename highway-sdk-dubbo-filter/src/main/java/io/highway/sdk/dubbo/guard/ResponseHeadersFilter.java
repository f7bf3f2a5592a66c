// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.guard;

import io.highway.sdk.dubbo.connection.channel.Statements;
import io.highway.sdk.dubbo.connection.triple.RefusedCall;
import io.highway.sdk.dubbo.route.GuardAnswer;
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
 * Removes every {@code highway-*} attachment from a service's answer: attachments that the service wrote, or that Dubbo
 * copied from the answer to another call, are not about this call. Only the guard's refusal is added, and its answer to
 * {@code $echo}.
 *
 * <p>Processes answers after every other filter, since Dubbo's {@code ContextFilter} adds the attachments.
 */
@Activate(group = CommonConstants.PROVIDER, order = Integer.MIN_VALUE, before = "context")
@SuppressWarnings("deprecation") // the only means to precede a filter with the smallest order
public final class ResponseHeadersFilter implements Filter, BaseFilter.Listener {

    private static final String PREFIX = "highway-";

    /** Called by Dubbo once per module. */
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
        String guard = GuardAnswer.textFor(invocation);
        if (guard != null) {
            response.setAttachment(GuardAnswer.NAME, guard);
        }
    }

    /** Triple converts names to lower case. */
    private static boolean isOurs(String key) {
        return key.regionMatches(true, 0, PREFIX, 0, PREFIX.length());
    }

    @Override
    public void onError(Throwable error, Invoker<?> invoker, Invocation invocation) {
        // it has no attachments
    }
}
