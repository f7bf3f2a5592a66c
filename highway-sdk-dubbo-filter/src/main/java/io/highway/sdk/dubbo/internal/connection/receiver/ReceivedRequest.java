// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.connection.receiver;

import io.highway.sdk.HighwayAttachments;
import io.highway.sdk.IslandId;
import io.highway.sdk.dubbo.internal.connection.http.HttpWire;
import io.highway.sdk.dubbo.internal.connection.http.RequestPath;
import io.highway.sdk.dubbo.internal.limits.BufferedBytes;
import io.highway.sdk.dubbo.internal.signature.SeenRequests;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.dubbo.common.constants.CommonConstants;
import org.apache.dubbo.rpc.RpcInvocation;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.jspecify.annotations.Nullable;

/**
 * What a POST says about its call outside of the frame.
 *
 * @param island the header, or null
 * @param from the header, or null
 * @param sign the header, or null
 * @param callId the header, or null
 * @param memory what its body takes
 */
record ReceivedRequest(
        RequestPath path,
        @Nullable String island,
        @Nullable String from,
        @Nullable String sign,
        @Nullable String callId,
        BodyEncodings encodings,
        BufferedBytes.Body memory) {

    /** Reads the head of a POST. */
    static ReceivedRequest of(RequestHead head, BodyEncodings encodings, BufferedBytes.Connection buffered)
            throws MalformedRequestException {
        RequestPath path = head.method().equals("POST") ? RequestPath.parse(head.target()) : null;
        if (path == null || !IslandId.isValid(path.island())) {
            throw new MalformedRequestException("it is no POST " + HttpWire.PREFIX + "<island>/<service>/<method>");
        }
        String type = head.header("content-type");
        if (!HttpWire.isFrame(type)) {
            throw new MalformedRequestException("its content-type is not " + HttpWire.CONTENT_TYPE);
        }
        return new ReceivedRequest(
                path,
                head.header(HighwayAttachments.ISLAND),
                head.header(HighwayAttachments.FROM),
                head.header(HighwayAttachments.SIGN),
                head.header(HttpWire.CALL_ID),
                encodings,
                buffered.begin());
    }

    /**
     * The reason to refuse it, which says that nothing has run, unless a copy of it may have.
     *
     * @param mayRunLater whether a copy could run later; it is refused from now on
     */
    String refusal(String reason, boolean mayRunLater, FrameworkModel framework) {
        return SeenRequests.of(framework).refusal(sign, callId, reason, mayRunLater);
    }

    /** Why the call must not run: it has no route headers, or path, headers and frame disagree; null if they agree. */
    @Nullable
    String disagreement(RpcInvocation call) {
        Object islandOfFrame = call.getObjectAttachment(HighwayAttachments.ISLAND);
        if (island == null || islandOfFrame == null) {
            return "headers-missing; a call over HTTP needs " + HighwayAttachments.ISLAND
                    + " as a header of the request and in its frame";
        }
        return Stream.of(
                        differs("island", path.island(), islandOfFrame),
                        differs(HighwayAttachments.ISLAND, island, islandOfFrame),
                        differs("service", path.service(), call.getObjectAttachment(CommonConstants.PATH_KEY)),
                        differs("method", path.method(), call.getMethodName()),
                        differs(HighwayAttachments.FROM, from, call.getObjectAttachment(HighwayAttachments.FROM)),
                        differs(HighwayAttachments.SIGN, sign, call.getObjectAttachment(HighwayAttachments.SIGN)))
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    private static @Nullable String differs(String what, @Nullable String outside, @Nullable Object inFrame) {
        return Objects.equals(outside, inFrame)
                ? null
                : "mismatch; the request and the frame in its body have a different " + what;
    }
}
