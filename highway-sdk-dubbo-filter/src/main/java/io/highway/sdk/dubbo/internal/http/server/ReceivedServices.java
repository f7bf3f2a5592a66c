// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.http.server;

import io.highway.sdk.dubbo.internal.connection.channel.RequestGate.ServiceName;
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
final class ReceivedServices {

    private static final String NO_VERSION = "0.0.0";
    private final Map<String, Invoker<?>> services = new ConcurrentHashMap<>();

    /** Those of a framework. */
    static ReceivedServices of(FrameworkModel framework) {
        return framework.getBeanFactory().getOrRegisterBean(ReceivedServices.class, type -> new ReceivedServices());
    }

    /** A service has been exported, and can be called on this port, too. */
    void exported(Invoker<?> exported, int port) {
        services.put(key(port, exported.getUrl()), exported);
    }

    /** Another one of the same name may have been exported since. */
    void unexported(Invoker<?> exported) {
        services.values().remove(exported);
    }

    private static String key(int port, URL url) {
        return key(port, url.getPath(), url.getVersion(), url.getGroup());
    }

    /** Dubbo's own would keep each key for ever, also those that peers invent. */
    private static String key(int port, @Nullable String path, @Nullable String version, @Nullable String group) {
        boolean hasNone = version == null || version.equals(NO_VERSION) || version.equals(CommonConstants.ANY_VALUE);
        return port + "/" + BaseServiceMetadata.buildServiceKey(path, group, hasNone ? null : version);
    }

    /** By what its protocol exported it, or the same if it is not exported on that port. */
    ServiceName exported(ServiceName named) {
        Invoker<?> service = find(named.port(), named.path(), named.version(), named.group());
        return service == null ? named : ServiceName.of(service.getUrl());
    }

    @Nullable
    Invoker<?> find(int port, @Nullable String path, @Nullable String version, @Nullable String group) {
        return services.get(key(port, path, version, group));
    }
}
