// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.http.server;

import io.highway.sdk.HighwayAttachments;
import io.highway.sdk.IslandId;
import io.highway.sdk.dubbo.internal.call.InboundHttpTunnelCall;
import io.highway.sdk.dubbo.internal.evidence.NotSentStatements;
import io.highway.sdk.dubbo.internal.http.HttpWire;
import io.highway.sdk.dubbo.internal.http.RequestPath;
import io.highway.sdk.dubbo.internal.memory.MemoryBudget;
import io.highway.sdk.dubbo.internal.provider.server.PreDecodeCheck;
import io.highway.sdk.dubbo.internal.provider.server.PreDecodeCheck.ServiceName;
import io.highway.sdk.dubbo.internal.signature.DuplicateRequestFilter;
import io.netty.handler.codec.http.HttpMethod;
import java.net.InetSocketAddress;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.dubbo.common.URL;
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
 * @param id the same in all copies of it, or null
 * @param service as the head names it
 * @param memory what its body takes
 */
record HttpCallHeaders(
        RequestPath path,
        @Nullable String island,
        @Nullable String from,
        @Nullable String sign,
        @Nullable Long id,
        ServiceName service,
        BodyEncodings encodings,
        MemoryBudget.Body memory,
        FrameworkModel framework) {

    /** Reads the head of a POST to a server. */
    static HttpCallHeaders of(HttpRequestHead head, URL server, MemoryBudget.Body memory)
            throws RequestRejectedException {
        boolean isPost = head.head().method().equals(HttpMethod.POST);
        RequestPath path = isPost ? RequestPath.parse(head.head().uri()) : null;
        if (path == null || !IslandId.isValid(path.island())) {
            throw new RequestRejectedException("it is no POST " + HttpWire.PREFIX + "<island>/<service>/<method>");
        }
        String type = head.one("content-type");
        if (!HttpWire.isFrame(type)) {
            throw new RequestRejectedException("its content-type is not " + HttpWire.CONTENT_TYPE);
        }
        String sign = head.one(HighwayAttachments.SIGN);
        FrameworkModel framework = server.getOrDefaultFrameworkModel();
        return new HttpCallHeaders(
                path,
                head.one(HighwayAttachments.ISLAND),
                head.one(HighwayAttachments.FROM),
                sign,
                DuplicateRequestFilter.id(sign, head.one(HttpWire.CALL_ID)),
                new ServiceName(server.getPort(), path.service(), head.one(HttpWire.GROUP), head.one(HttpWire.VERSION)),
                BodyEncodings.of(head, framework),
                memory,
                framework);
    }

    /**
     * The reason to refuse it, which says that nothing has run, unless a copy of it may have.
     *
     * @param mayRunLater whether a copy could run later; it is refused from now on
     */
    String refusal(String reason, boolean mayRunLater) {
        String copy = mayRunLater ? DuplicateRequestFilter.of(framework).refused(id, sign != null) : copy();
        return copy == null ? reason : copy;
    }

    /** The reason to refuse it if no thread was free for it, which the guard reports. */
    String withoutThread(InetSocketAddress peer) {
        PreDecodeCheck guard = PreDecodeCheck.of(framework);
        if (guard != null) {
            ServiceName exported = HttpServices.of(framework).exported(service);
            PreDecodeCheck.Refusal unused = guard.withoutThread(peer, exported, path.method(), this::routeHeader);
        }
        return refusal(NotSentStatements.NO_THREAD, true);
    }

    /** The value of a route header, or null. */
    @Nullable
    String routeHeader(String name) {
        return switch (name) {
            case HighwayAttachments.ISLAND -> island;
            case HighwayAttachments.FROM -> from;
            case HighwayAttachments.SIGN -> sign;
            default -> null;
        };
    }

    /** The reason to refuse it if a copy of it may have run, or null. */
    @Nullable
    String copy() {
        return DuplicateRequestFilter.of(framework).copy(id, sign != null);
    }

    /** What the guard must know of it; {@code refuse} answers without a frame. */
    InboundHttpTunnelCall arrival(RpcInvocation call, Consumer<String> refuse) {
        InboundHttpTunnelCall.Problem problem = disagreement(call);
        if (id == null && problem == null) {
            problem = new InboundHttpTunnelCall.Problem(
                    "unidentified",
                    "it has neither a well-formed " + HighwayAttachments.SIGN + " nor a " + HttpWire.CALL_ID
                            + " of 32 digits");
        }
        return new InboundHttpTunnelCall(id == null ? 0 : id, problem, refuse);
    }

    /** It has no route headers, or path, headers and frame disagree; null if they agree. */
    private InboundHttpTunnelCall.@Nullable Problem disagreement(RpcInvocation call) {
        Object islandOfFrame = call.getObjectAttachment(HighwayAttachments.ISLAND);
        if (island == null || islandOfFrame == null) {
            return new InboundHttpTunnelCall.Problem(
                    "headers-missing",
                    "a call over HTTP needs " + HighwayAttachments.ISLAND
                            + " as a header of the request and in its frame");
        }
        return Stream.of(
                        differs("island", path.island(), islandOfFrame),
                        differs(HighwayAttachments.ISLAND, island, islandOfFrame),
                        differs("service", path.service(), call.getObjectAttachment(CommonConstants.PATH_KEY)),
                        differs("method", path.method(), call.getMethodName()),
                        differsIfGiven(CommonConstants.GROUP_KEY, service.group(), call),
                        differsIfGiven(CommonConstants.VERSION_KEY, service.version(), call),
                        differs(HighwayAttachments.FROM, from, call.getObjectAttachment(HighwayAttachments.FROM)),
                        differs(HighwayAttachments.SIGN, sign, call.getObjectAttachment(HighwayAttachments.SIGN)))
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    private static InboundHttpTunnelCall.@Nullable Problem differs(
            String what, @Nullable String outside, @Nullable Object inFrame) {
        return Objects.equals(outside, inFrame)
                ? null
                : new InboundHttpTunnelCall.Problem(
                        "mismatch", "the request and the frame in its body have a different " + what);
    }

    private static InboundHttpTunnelCall.@Nullable Problem differsIfGiven(
            String key, @Nullable String header, RpcInvocation call) {
        return header == null ? null : differs(key, header, call.getObjectAttachment(key));
    }
}
