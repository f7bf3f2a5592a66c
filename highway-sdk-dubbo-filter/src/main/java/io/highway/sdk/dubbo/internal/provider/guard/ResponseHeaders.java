// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.provider.guard;

import io.highway.sdk.dubbo.internal.call.GuardEchoReply;
import io.highway.sdk.dubbo.internal.call.InboundRouteHeaders;
import io.highway.sdk.dubbo.internal.evidence.NotSentStatements;
import io.highway.sdk.dubbo.internal.provider.server.RefusalStatement;
import java.util.HashMap;
import java.util.Map;
import org.apache.dubbo.rpc.Invocation;
import org.apache.dubbo.rpc.Result;

/**
 * The {@code highway-*} attachments of an answer. Those that a service or a filter wrote, or that Dubbo copied from the
 * answer to another call, are not about this call. Only the guard's refusal is added, and its answer to {@code $echo}.
 */
final class ResponseHeaders {

    private ResponseHeaders() {}

    /** Removes all of them; after every filter, since Dubbo's {@code ContextFilter} adds the attachments. */
    static void remove(Result answer) {
        Map<String, Object> attachments = answer.getObjectAttachments();
        if (attachments != null && attachments.keySet().stream().anyMatch(InboundRouteHeaders::isOurs)) {
            Map<String, Object> others = new HashMap<>(attachments);
            InboundRouteHeaders.strip(others);
            answer.setObjectAttachments(others);
        }
    }

    /** Adds what the guard states about this call. */
    static void add(Result answer, Invocation invocation) {
        RefusalStatement refused = RefusalStatement.of(invocation);
        if (refused != null) {
            answer.setAttachment(NotSentStatements.REFUSED, refused.statement());
        }
        String guard = GuardEchoReply.textFor(invocation);
        if (guard != null) {
            answer.setAttachment(GuardEchoReply.NAME, guard);
        }
    }
}
