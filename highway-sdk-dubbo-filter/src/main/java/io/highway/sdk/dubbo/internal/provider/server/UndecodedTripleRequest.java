// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.provider.server;

import io.highway.sdk.dubbo.internal.call.InboundRouteHeaders;
import io.highway.sdk.dubbo.internal.facts.GenericMethod;
import io.highway.sdk.dubbo.internal.provider.server.PreDecodeCheck.Refusal;
import java.util.Map;
import java.util.Set;
import org.apache.dubbo.common.constants.CommonConstants;
import org.apache.dubbo.rpc.RpcInvocation;
import org.jspecify.annotations.Nullable;

/**
 * A request of a Triple server, as the guard sees it on the thread of the service, where Dubbo passes on headers only. It
 * dies with its stream. Thread-safe.
 */
public interface UndecodedTripleRequest {

    /** Attachments by which Dubbo's filters know a service; its clients send no header of these names. */
    Set<String> NAMES_OF_SERVICES = Set.of(
            CommonConstants.PATH_KEY,
            CommonConstants.INTERFACE_KEY,
            CommonConstants.GROUP_KEY,
            CommonConstants.VERSION_KEY);

    /** Whether a header is one of the SDK, or of such a name. */
    static boolean isFact(String name) {
        return InboundRouteHeaders.isOurs(name) || NAMES_OF_SERVICES.contains(name);
    }

    /** The route headers, and those that name a service, as they came: a peer can make Dubbo rename headers. */
    Map<String, String> facts();

    /** What a generic call names, or null. */
    @Nullable
    GenericMethod generic();

    /** It is admitted as this call, which ends with it. */
    void admitted(RpcInvocation call);

    /** Answers it. Nothing that Dubbo writes follows. */
    void refuse(Refusal refusal);
}
