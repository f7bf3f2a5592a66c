// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.connection.receiver;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.dubbo.common.BaseServiceMetadata;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.common.constants.CommonConstants;
import org.apache.dubbo.remoting.ChannelHandler;
import org.apache.dubbo.remoting.Constants;
import org.apache.dubbo.remoting.RemotingException;
import org.apache.dubbo.remoting.RemotingServer;
import org.apache.dubbo.remoting.api.pu.AbstractPortUnificationServer;
import org.apache.dubbo.remoting.api.pu.DefaultPuHandler;
import org.apache.dubbo.remoting.exchange.PortUnificationExchanger;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.RpcException;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.jspecify.annotations.Nullable;

/**
 * The services of a framework with their guard, by port and name: Dubbo keeps those of each protocol apart, and a call over
 * HTTP reaches what any of them exports on its port. Thread-safe.
 */
public final class ReceivedServices {

    private static final String NO_VERSION = "0.0.0";

    private final Map<String, Invoker<?>> services = new ConcurrentHashMap<>();
    private final Map<Integer, RemotingServer> servers = new ConcurrentHashMap<>();

    /** Called by Dubbo's bean factory. */
    public ReceivedServices() {}

    /** Those of a framework. */
    public static ReceivedServices of(FrameworkModel framework) {
        return framework.getBeanFactory().getOrRegisterBean(ReceivedServices.class);
    }

    /** A service is exported. */
    public void exported(Invoker<?> service) {
        URL url = service.getUrl();
        services.put(key(url.getParameter(Constants.BIND_PORT_KEY, url.getPort()), url), service);
    }

    /** It can be reached on a port for calls over HTTP, too, which is opened unless it is. */
    public void exported(Invoker<?> service, int port) {
        services.put(key(port, service.getUrl()), service);
        RemotingServer unused = servers.computeIfAbsent(port, any -> open(service.getUrl(), port));
    }

    /** As Triple's, which has TLS and the limits, until the application ends. */
    private RemotingServer open(URL service, int port) {
        URL url = service.setProtocol(CommonConstants.TRIPLE)
                .setPort(port)
                .addParameter(Constants.BIND_PORT_KEY, String.valueOf(port));
        ChannelHandler handler = new DefaultPuHandler();
        try {
            AbstractPortUnificationServer server =
                    PortUnificationExchanger.getTransporter(url).bind(url, handler);
            server.addSupportedProtocol(url, handler);
            url.getOrDefaultApplicationModel().addDestroyListener(application -> {
                servers.remove(port);
                server.close();
            });
            return server;
        } catch (RemotingException e) {
            throw new RpcException("highway.http.port " + port + " cannot be opened: " + e.getMessage(), e);
        }
    }

    /** Another one of the same name may have been exported since. */
    public void unexported(Invoker<?> service) {
        services.values().removeIf(each -> each == service);
    }

    private static String key(int port, URL url) {
        return key(port, url.getPath(), url.getVersion(), url.getGroup());
    }

    /** Dubbo's own would keep each key for ever, also those that peers invent. */
    private static String key(int port, @Nullable String path, @Nullable String version, @Nullable String group) {
        boolean hasNone = version == null || version.equals(NO_VERSION) || version.equals(CommonConstants.ANY_VALUE);
        return port + "/" + BaseServiceMetadata.buildServiceKey(path, group, hasNone ? null : version);
    }

    @Nullable
    Invoker<?> find(int port, @Nullable String path, @Nullable String version, @Nullable String group) {
        return services.get(key(port, path, version, group));
    }
}
