// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.connection.receiver;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.remoting.Constants;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.apache.dubbo.rpc.support.ProtocolUtils;
import org.jspecify.annotations.Nullable;

/**
 * The services of a framework with their guard, by port and name: Dubbo keeps those of each protocol apart, and a call over
 * HTTP reaches what any of them exports on its port. Thread-safe.
 */
public final class ReceivedServices {

    private final Map<String, Invoker<?>> services = new ConcurrentHashMap<>();

    /** Called by Dubbo's bean factory. */
    public ReceivedServices() {}

    /** Those of a framework. */
    public static ReceivedServices of(FrameworkModel framework) {
        return framework.getBeanFactory().getOrRegisterBean(ReceivedServices.class);
    }

    /** A service is exported. */
    public void exported(Invoker<?> service) {
        services.put(key(service.getUrl()), service);
    }

    /** Another one of the same name may have been exported since. */
    public void unexported(Invoker<?> service) {
        services.remove(key(service.getUrl()), service);
    }

    private static String key(URL url) {
        int port = url.getParameter(Constants.BIND_PORT_KEY, url.getPort());
        return ProtocolUtils.serviceKey(port, url.getPath(), url.getVersion(), url.getGroup());
    }

    @Nullable
    Invoker<?> find(int port, String path, @Nullable String version, @Nullable String group) {
        return services.get(ProtocolUtils.serviceKey(port, path, version, group));
    }
}
