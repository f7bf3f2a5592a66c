// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.guard;

import io.highway.sdk.HighwayAttachments;
import io.highway.sdk.dubbo.internal.connection.triple.HeadersCheck;
import io.highway.sdk.dubbo.internal.route.RouteHeaders;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.common.constants.CommonConstants;
import org.apache.dubbo.rpc.Invocation;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.RpcContext;
import org.apache.dubbo.rpc.RpcInvocation;
import org.apache.dubbo.rpc.model.MethodDescriptor;
import org.apache.dubbo.rpc.model.ServiceModel;
import org.apache.dubbo.rpc.service.GenericService;
import org.jspecify.annotations.Nullable;

/**
 * The first stage of the guard, for Triple: the checks that need the headers only. They include the signature if
 * the path determines the method; the types of a generic or overloaded method are in the body. The second stage makes
 * all checks on the decoded call. Thread-safe.
 */
final class GuardedHeaders implements HeadersCheck {

    private static final String GROUP = "tri-service-group";
    private static final String VERSION = "tri-service-version";
    private static final String APPLICATION = "tri-consumer-appname";
    private static final List<String> HEADERS = List.of(
            HighwayAttachments.ISLAND,
            HighwayAttachments.FROM,
            HighwayAttachments.SIGN,
            RouteHeaders.REQUEST,
            "traceparent");

    /** The checks of calls whose body has not come. */
    interface Checks {

        /** The refusal of a call, or null if it may go on. */
        @Nullable
        Refusal refusalByHeaders(Invoker<?> service, Invocation call, boolean isMethodKnown);

        /** As {@link HeadersCheck#withoutThread}; the peer is in the context. */
        @Nullable
        Refusal withoutThread(String service, String method, RouteHeaders request, @Nullable String sender);

        /** As {@link HeadersCheck#ended}, for a signed request. */
        void ended(RouteHeaders request, boolean isServedLater);
    }

    private final Checks guard;

    /** By {@code [group/]path[:version]}. */
    private final Map<String, Invoker<?>> services = new ConcurrentHashMap<>();

    GuardedHeaders(Checks guard) {
        this.guard = guard;
    }

    void exported(Invoker<?> service) {
        if (service.getUrl().getProtocol().equals(CommonConstants.TRIPLE)) {
            services.put(key(service.getUrl()), service);
        }
    }

    /** Another one of the same name may have been exported before. */
    void unexported(Invoker<?> service) {
        services.remove(key(service.getUrl()), service);
    }

    private static String key(URL service) {
        return URL.buildKey(service.getPath(), service.getGroup(), service.getVersion());
    }

    @Override
    public @Nullable Refusal refusal(SocketAddress peer, String path, UnaryOperator<@Nullable String> headers) {
        Invoker<?> service = service(path, headers);
        if (service == null || !(peer instanceof InetSocketAddress address)) {
            return null; // Dubbo may still find one, for another group or version
        }
        RpcContext.getServiceContext().setRemoteAddress(address);
        try {
            return refusal(service, method(path), headers);
        } finally {
            RpcContext.removeServiceContext();
        }
    }

    @Override
    public @Nullable Refusal withoutThread(
            SocketAddress peer, String service, String method, RouteHeaders request, @Nullable String sender) {
        RpcContext.getServiceContext().setRemoteAddress((InetSocketAddress) peer);
        try {
            return guard.withoutThread(service, method, request, sender);
        } finally {
            RpcContext.removeServiceContext();
        }
    }

    private @Nullable Invoker<?> service(String path, UnaryOperator<@Nullable String> headers) {
        int slash = path.lastIndexOf('/');
        return slash < 1
                ? null
                : services.get(URL.buildKey(path.substring(1, slash), headers.apply(GROUP), headers.apply(VERSION)));
    }

    private static String method(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    /** Dubbo may find a service of another group or version. */
    @Override
    public boolean isStream(String path, UnaryOperator<@Nullable String> headers) {
        Invoker<?> named = service(path, headers);
        return named != null
                ? isStream(named, method(path))
                : services.values().stream()
                        .filter(each -> path.startsWith("/" + each.getUrl().getPath() + "/"))
                        .anyMatch(each -> isStream(each, method(path)));
    }

    private static boolean isStream(Invoker<?> service, String name) {
        ServiceModel model = service.getUrl().getServiceModel();
        List<MethodDescriptor> named =
                model == null ? null : model.getServiceModel().getMethods(name);
        return named != null && named.stream().anyMatch(each -> each.getRpcType() != MethodDescriptor.RpcType.UNARY);
    }

    private @Nullable Refusal refusal(Invoker<?> service, String name, UnaryOperator<@Nullable String> headers) {
        MethodDescriptor method = method(service, name);
        RpcInvocation call = new RpcInvocation(
                service.getUrl().getServiceModel(),
                name,
                service.getUrl().getServiceInterface(),
                service.getUrl().getProtocolServiceKey(),
                method == null ? new Class<?>[0] : method.getParameterClasses(),
                new Object[0]);
        HEADERS.forEach(header -> call.setAttachment(header, headers.apply(header)));
        call.setAttachment(CommonConstants.REMOTE_APPLICATION_KEY, headers.apply(APPLICATION));
        return guard.refusalByHeaders(service, call, method != null);
    }

    /** The only method of this name, or null if there is none or the body tells which one it is. */
    private static @Nullable MethodDescriptor method(Invoker<?> service, String name) {
        ServiceModel model = service.getUrl().getServiceModel();
        if (model == null || name.startsWith("$") || GenericService.class.isAssignableFrom(service.getInterface())) {
            return null;
        }
        List<MethodDescriptor> named = model.getServiceModel().getMethods(name);
        return named == null || named.size() != 1 ? null : named.get(0);
    }

    @Override
    public void ended(UnaryOperator<@Nullable String> headers, boolean isServedLater) {
        String island = headers.apply(HighwayAttachments.ISLAND);
        String sign = headers.apply(HighwayAttachments.SIGN);
        if (island != null && sign != null) {
            guard.ended(
                    new RouteHeaders(
                            island, headers.apply(HighwayAttachments.FROM), sign, headers.apply(RouteHeaders.REQUEST)),
                    isServedLater);
        }
    }
}
