// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.provider.guard;

import io.highway.sdk.dubbo.internal.call.CallAttributes;
import io.highway.sdk.dubbo.internal.call.InboundRouteHeaders;
import io.highway.sdk.dubbo.internal.facts.GenericMethod;
import io.highway.sdk.dubbo.internal.provider.server.PreDecodeCheck.Refusal;
import io.highway.sdk.dubbo.internal.provider.server.PreDecodeCheck.ServiceName;
import io.highway.sdk.dubbo.internal.provider.server.ServerContext;
import io.highway.sdk.dubbo.internal.provider.server.UndecodedTripleRequest;
import java.net.InetSocketAddress;
import java.util.Map;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.common.extension.Activate;
import org.apache.dubbo.rpc.HeaderFilter;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.RpcException;
import org.apache.dubbo.rpc.RpcInvocation;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.jspecify.annotations.Nullable;

/**
 * Lets the guard check a Triple request on the thread of its service, before its arguments are decoded. Dubbo has read the
 * headers then, and of an overloaded method the names of the types. Settings can remove this filter, so {@link ProviderGuard}
 * refuses a call of which it knows nothing.
 */
@Activate(order = Integer.MIN_VALUE)
public final class TriplePreDecodeFilter implements HeaderFilter {

    /** {@code TripleConstants.REMOTE_ADDRESS_KEY}, which moved between Dubbo 3.2 and 3.3. */
    private static final String PEER = "tri.remote.address";

    /** Called by Dubbo. */
    public TriplePreDecodeFilter() {}

    @Override
    public RpcInvocation invoke(Invoker<?> service, RpcInvocation call) throws RpcException {
        FrameworkModel framework = service.getUrl().getOrDefaultFrameworkModel();
        Object number = call.getObjectAttachments().get(InboundRouteHeaders.REQUEST);
        UndecodedTripleRequest request =
                number instanceof String text ? ServerContext.of(framework).request(text) : null;
        if (number != null) {
            call.getObjectAttachments().remove(InboundRouteHeaders.REQUEST);
        }
        if (call.get(PEER) instanceof InetSocketAddress peer) {
            Refusal refusal = number != null && request == null
                    ? new Refusal(ProviderGuard.MALFORMED, "its stream has ended", null)
                    : refusal(Guards.of(framework), peer, service.getUrl(), request, call);
            if (refusal != null) {
                if (request != null) {
                    request.refuse(refusal);
                }
                throw new AlreadyAnsweredException(refusal.message());
            }
        }
        return call;
    }

    /** Why it is refused, or null if it is admitted or its peer is at home. */
    private static @Nullable Refusal refusal(
            Guards guards,
            InetSocketAddress peer,
            URL service,
            @Nullable UndecodedTripleRequest request,
            RpcInvocation call) {
        if (!guards.isClosedTo(peer)) {
            return null;
        }
        if (request != null && isConverted(request.facts(), call.getObjectAttachments())) {
            return guards.malformed(
                    peer, "tri-header-convert renames a header to or from highway-* or a name of the service");
        }
        GenericMethod generic = request == null ? null : request.generic();
        if (generic != null) {
            CallAttributes.put(call, GenericMethod.class, generic);
        }
        Refusal refusal = guards.admit(
                peer, new ServiceName(0, service.getPath(), service.getGroup(), service.getVersion()), call);
        if (refusal == null && request != null) {
            request.admitted(call);
        }
        return refusal;
    }

    private static boolean isConverted(Map<String, String> received, Map<String, Object> attachments) {
        boolean isOther = attachments.entrySet().stream()
                .anyMatch(each -> UndecodedTripleRequest.isFact(each.getKey())
                        && !each.getValue().equals(received.get(each.getKey())));
        return isOther
                || received.keySet().stream()
                        .anyMatch(name -> InboundRouteHeaders.isOurs(name) && !attachments.containsKey(name));
    }
}
