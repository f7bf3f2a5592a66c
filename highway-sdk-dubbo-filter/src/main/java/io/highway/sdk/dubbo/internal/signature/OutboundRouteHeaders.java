// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.signature;

import io.highway.sdk.HighwayAttachments;
import io.highway.sdk.dubbo.internal.call.CallAttributes;
import io.highway.sdk.dubbo.internal.call.CanonicalMethod;
import io.highway.sdk.dubbo.internal.call.InboundRouteHeaders;
import java.util.Map;
import java.util.Set;
import org.apache.dubbo.rpc.Invocation;
import org.apache.dubbo.rpc.RpcContext;
import org.jspecify.annotations.Nullable;

/**
 * The route headers of a call that leaves home.
 *
 * @param island the destination
 * @param from the result of {@link InboundRouteHeaders#sender}
 * @param signer signs each attempt, or null if calls are not signed
 */
public record OutboundRouteHeaders(String island, String from, @Nullable CallSigner signer) {

    private static final Set<String> WRITTEN = Set.of(HighwayAttachments.ISLAND, HighwayAttachments.FROM);

    /** Writes the headers. They replace values that an upstream or the application set under the SDK's names. */
    public void write(Invocation invocation) {
        CallAttributes.put(invocation, OutboundRouteHeaders.class, this);
        replaceIn(invocation);
    }

    private void replaceIn(Invocation invocation) {
        Map<String, Object> attachments = invocation.getObjectAttachments(); // each access takes a lock
        InboundRouteHeaders.stripExcept(WRITTEN, attachments);
        attachments.put(HighwayAttachments.ISLAND, island);
        attachments.put(HighwayAttachments.FROM, from);
    }

    /**
     * Restores the headers that were written and removes every other key of the SDK: filters may have changed them
     * since, and Dubbo adds the attachments of the context afterwards. Signs the call as it is now.
     *
     * @param service {@code [group/]interface[:version]} of the reference
     */
    public static void seal(Invocation invocation, String service) {
        OutboundRouteHeaders headers = CallAttributes.get(invocation, OutboundRouteHeaders.class);
        if (headers != null) {
            headers.replaceIn(invocation);
            CallSigner signer = headers.signer;
            if (signer != null) {
                invocation.setAttachment(
                        HighwayAttachments.SIGN,
                        signer.sign(headers.island, headers.from, service, CanonicalMethod.of(invocation)));
            }
            InboundRouteHeaders.strip(RpcContext.getClientAttachment().getObjectAttachments());
        }
    }

    /** Removes the signature of an attempt whose headers have been written: Dubbo logs the attachments of slow calls. */
    public static void unsign(Map<String, Object> attachments) {
        attachments.remove(HighwayAttachments.SIGN);
    }
}
