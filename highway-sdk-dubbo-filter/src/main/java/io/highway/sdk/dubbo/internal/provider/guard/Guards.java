// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.provider.guard;

import io.highway.sdk.dubbo.internal.call.CallAttributes;
import io.highway.sdk.dubbo.internal.provider.server.PreDecodeCheck;
import java.net.InetSocketAddress;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.rpc.Constants;
import org.apache.dubbo.rpc.RpcInvocation;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.apache.dubbo.rpc.model.MethodDescriptor;
import org.apache.dubbo.rpc.model.ServiceModel;
import org.jspecify.annotations.Nullable;

/**
 * The guards of all applications of a framework, by the services that they guard. Of a service that is not exported the
 * first guard decides that is closed to the peer: a peer without a key does not learn what is exported. Thread-safe.
 */
public final class Guards implements PreDecodeCheck {

    private final List<ProviderGuard> guards = new CopyOnWriteArrayList<>();

    /** By port and {@code [group/]path[:version]}. */
    private final Map<Integer, Map<String, GuardedService<?>>> services = new ConcurrentHashMap<>();

    private Guards() {}

    /** The guards of a framework. */
    static Guards of(FrameworkModel framework) {
        return framework.getBeanFactory().getOrRegisterBean(Guards.class, type -> new Guards());
    }

    void exported(GuardedService<?> service) {
        ServiceName name = ServiceName.of(service.getUrl());
        services.computeIfAbsent(name.port(), any -> new ConcurrentHashMap<>()).put(name.key(), service);
        if (!guards.contains(service.guard())) {
            guards.add(service.guard());
            ApplicationModel application = service.getUrl().getOrDefaultApplicationModel();
            application.addDestroyListener(model -> guards.remove(service.guard()));
        }
    }

    /** Another one of the same name may have been exported before. */
    void unexported(GuardedService<?> service) {
        ServiceName name = ServiceName.of(service.getUrl());
        services.getOrDefault(name.port(), Map.of()).remove(name.key(), service);
    }

    /** The protocols on which other processes reach each exported service, by {@code [group/]interface[:version]}. */
    public static Map<String, Set<String>> services(ApplicationModel application) {
        ProviderGuard guard = ProviderGuard.of(application);
        Map<String, Set<String>> protocols = new TreeMap<>();
        Guards known = of(application.getFrameworkModel());
        known.services.values().stream().flatMap(port -> port.values().stream()).forEach(service -> {
            URL url = service.getUrl();
            if (service.guard() == guard && !url.getProtocol().equals(Constants.LOCAL_PROTOCOL)) {
                protocols
                        .computeIfAbsent(url.getServiceKey(), any -> new TreeSet<>())
                        .add(url.getProtocol());
            }
        });
        return protocols;
    }

    private @Nullable GuardedService<?> service(ServiceName name) {
        return services.getOrDefault(name.port(), Map.of()).get(name.key());
    }

    @Override
    public boolean isClosedTo(InetSocketAddress peer) {
        return guard(peer, null) != null;
    }

    /** The guard of a service; of one that is not exported, the first that is closed to the peer, or null. */
    private @Nullable ProviderGuard guard(InetSocketAddress peer, @Nullable GuardedService<?> service) {
        return service != null
                ? service.guard()
                : guards.stream()
                        .filter(guard -> guard.isClosedTo(peer))
                        .findFirst()
                        .orElse(null);
    }

    @Override
    public @Nullable Refusal refusalByHeaders(
            InetSocketAddress peer, ServiceName name, String method, UnaryOperator<@Nullable String> headers) {
        GuardedService<?> service = service(name);
        ProviderGuard guard = guard(peer, service);
        return guard == null
                ? null // Dubbo may still find a service, for another group or version
                : guard.refusalByHeaders(peer, target(service, name), method, headers);
    }

    @Override
    public @Nullable Refusal admit(InetSocketAddress peer, ServiceName name, RpcInvocation call) {
        GuardedService<?> service = service(name);
        ProviderGuard guard = guard(peer, service);
        if (guard == null || !guard.isClosedTo(peer)) {
            return null; // its guard sees it when it is decoded
        }
        if (service != null) {
            setTypes(call, service.getUrl().getServiceModel());
        }
        return guard.admit(peer, target(service, name), call);
    }

    @Override
    public @Nullable Refusal withoutThread(
            InetSocketAddress peer, ServiceName name, String method, UnaryOperator<@Nullable String> headers) {
        GuardedService<?> service = service(name);
        return service == null
                ? null
                : service.guard().withoutThread(peer, CalledService.of(service.service()), method, headers);
    }

    private static CalledService target(@Nullable GuardedService<?> service, ServiceName name) {
        return CalledService.of(service == null ? null : service.service(), name);
    }

    /** By names that the service has: a class that the peer names is not looked up. */
    private static void setTypes(RpcInvocation call, @Nullable ServiceModel model) {
        if (model == null) {
            return;
        }
        call.setServiceModel(model);
        MethodDescriptor method = model.getServiceModel().getMethod(call.getMethodName(), call.getParameterTypesDesc());
        if (method != null) {
            call.setParameterTypes(method.getParameterClasses());
        }
    }

    @Override
    public Refusal malformed(InetSocketAddress peer, String why) {
        ProviderGuard guard = guard(peer, null);
        return guard == null
                ? new Refusal(ProviderGuard.MALFORMED, why, null)
                : guard.malformed(peer, ProviderGuard.MALFORMED, why);
    }

    @Override
    public void ended(RpcInvocation call) {
        AdmittedRequest admission = CallAttributes.get(call, AdmittedRequest.class);
        if (admission != null) {
            admission.abandon(call);
        }
    }

    /** Dubbo may find a service of another group or version. */
    @Override
    public boolean isStream(ServiceName name, String method) {
        GuardedService<?> named = service(name);
        Collection<GuardedService<?>> all =
                services.getOrDefault(name.port(), Map.of()).values();
        return named != null
                ? isStream(named, method)
                : all.stream()
                        .filter(each -> each.getUrl().getPath().equals(name.path()))
                        .anyMatch(each -> isStream(each, method));
    }

    private static boolean isStream(GuardedService<?> service, String name) {
        ServiceModel model = service.getUrl().getServiceModel();
        List<MethodDescriptor> named =
                model == null ? null : model.getServiceModel().getMethods(name);
        return named != null && named.stream().anyMatch(each -> each.getRpcType() != MethodDescriptor.RpcType.UNARY);
    }
}
