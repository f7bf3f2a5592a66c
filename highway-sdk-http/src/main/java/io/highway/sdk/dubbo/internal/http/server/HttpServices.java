// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.http.server;

import io.highway.sdk.dubbo.internal.provider.server.PreDecodeCheck.ServiceName;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.dubbo.common.BaseServiceMetadata;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.common.constants.CommonConstants;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.jspecify.annotations.Nullable;

/**
 * The services of a framework with their guard, by {@code http.port} and name: Dubbo keeps those of each protocol apart, and
 * a call over HTTP reaches what any of them exports. Thread-safe.
 */
final class HttpServices {

    private static final String NO_VERSION = "0.0.0";
    private final Map<String, Invoker<?>> services = new ConcurrentHashMap<>();

    /** Those of a framework. */
    static HttpServices of(FrameworkModel framework) {
        return framework.getBeanFactory().getOrRegisterBean(HttpServices.class, type -> new HttpServices());
    }

    /** A service has been exported, and can be called on this port, too. */
    void exported(Invoker<?> exported, int port) {
        URL url = exported.getUrl();
        services.put(key(new ServiceName(port, url.getPath(), url.getGroup(), url.getVersion())), exported);
    }

    /** Another one of the same name may have been exported since. */
    void unexported(Invoker<?> exported) {
        services.values().remove(exported);
    }

    /** Dubbo's own would keep each key for ever, also those that peers invent. */
    private static String key(ServiceName named) {
        String version = named.version();
        boolean hasNone = NO_VERSION.equals(version) || CommonConstants.ANY_VALUE.equals(version);
        return named.port() + "/"
                + BaseServiceMetadata.buildServiceKey(named.path(), named.group(), hasNone ? null : version);
    }

    /** By what its protocol exported it, or the same if it is not exported on that port. */
    ServiceName exported(ServiceName named) {
        Invoker<?> service = find(named);
        return service == null ? named : ServiceName.of(service.getUrl());
    }

    @Nullable
    Invoker<?> find(ServiceName named) {
        return services.get(key(named));
    }
}
