// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.network.connection;

import io.highway.sdk.dubbo.internal.call.CallAttributes;
import io.highway.sdk.dubbo.internal.evidence.AttemptEvidence;
import io.highway.sdk.dubbo.internal.signature.OutboundRouteHeaders;
import java.util.function.Supplier;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.rpc.Invocation;
import org.apache.dubbo.rpc.Result;

/** Restores and signs the headers of a tunnel's request, after every filter. */
public final class RequestFinalizer {

    private RequestFinalizer() {}

    /**
     * Restores and signs the headers of a call, which collects the {@link AttemptEvidence} of its attempt from here on.
     *
     * @param invoker the URL of the innermost invoker
     * @param sending what it does
     */
    public static Result send(Invocation invocation, URL invoker, Supplier<Result> sending) {
        CallAttributes.adopt(invocation);
        OutboundRouteHeaders.seal(invocation, invoker.getServiceKey());
        AttemptEvidence evidence = AttemptEvidence.of(invocation);
        if (evidence != null) { // a filter may have replaced the invocation, and gone on with another thread
            evidence.beginAgain();
            evidence.passToInvoker();
        }
        Result result;
        try {
            result = sending.get();
        } finally {
            OutboundRouteHeaders.unsign(invocation.getObjectAttachments()); // another attempt has another signature
        }
        if (evidence != null) {
            evidence.sent();
        }
        return result;
    }
}
