// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.connection.dubbo;

import io.highway.sdk.dubbo.internal.connection.triple.HeadersCheck;
import io.highway.sdk.dubbo.internal.connection.triple.TripleServerCompatibility;
import io.highway.sdk.dubbo.internal.evidence.Statements;
import io.highway.sdk.dubbo.internal.route.RouteHeaders;
import java.net.SocketAddress;
import org.apache.dubbo.common.constants.CommonConstants;
import org.apache.dubbo.remoting.exchange.Request;
import org.apache.dubbo.remoting.exchange.Response;
import org.apache.dubbo.rpc.AppResponse;
import org.apache.dubbo.rpc.Constants;
import org.apache.dubbo.rpc.Invocation;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.jspecify.annotations.Nullable;

/** Requests over the Dubbo protocol for which the thread pool of their service had no thread. */
final class WithoutThread {

    private WithoutThread() {}

    /**
     * The answer to one, as the guard refuses calls; null if it has no route headers, or they are not known: a request is not
     * decoded for this.
     */
    static @Nullable Response refusal(Request request, SocketAddress peer, FrameworkModel framework) {
        Invocation call = request.getData() instanceof Invocation known ? known : null;
        RouteHeaders headers = call == null ? null : RouteHeaders.read(call);
        if (call == null || headers == null) {
            return null;
        }
        HeadersCheck.Refusal refusal = TripleServerCompatibility.of(framework)
                .withoutThread(
                        peer,
                        String.valueOf(call.getAttachment(CommonConstants.PATH_KEY)),
                        call.getMethodName(),
                        headers,
                        call.getAttachment(CommonConstants.REMOTE_APPLICATION_KEY));
        if (refusal == null) {
            return null;
        }
        AppResponse result = new AppResponse(Statements.refusal(Statements.NO_THREAD));
        result.setAttribute(Constants.INVOCATION_KEY, call); // names the serialization
        if (refusal.statement() != null) {
            result.setAttachment(Statements.REFUSED, refusal.statement());
        }
        Response answer = new Response(request.getId(), request.getVersion());
        answer.setResult(result);
        return answer;
    }
}
