// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.connection.receiver;

import io.highway.sdk.dubbo.HighwayConfigurationException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.dubbo.common.BaseServiceMetadata;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.common.constants.CommonConstants;
import org.apache.dubbo.remoting.ChannelHandler;
import org.apache.dubbo.remoting.Constants;
import org.apache.dubbo.remoting.RemotingException;
import org.apache.dubbo.remoting.api.pu.AbstractPortUnificationServer;
import org.apache.dubbo.remoting.api.pu.DefaultPuHandler;
import org.apache.dubbo.remoting.exchange.PortUnificationExchanger;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.jspecify.annotations.Nullable;

/**
 * The services of a framework with their guard, by port and name: Dubbo keeps those of each protocol apart, and a call over
 * HTTP reaches what any of them exports on its port. Thread-safe.
 */
public final class ReceivedServices {

    /** The parameter of a server's URL that tells that it serves these only. */
    public static final String ALONE = "highway.http.alone";

    private static final String NO_VERSION = "0.0.0";
    private static final String PORT = "highway.http.port";

    /** What chooses the server of the service's own protocol. */
    private static final List<String> OF_OTHER_SERVERS =
            List.of(Constants.SERVER_KEY, Constants.TRANSPORTER_KEY, Constants.CODEC_KEY);

    private final Map<String, Received> services = new ConcurrentHashMap<>();

    /** The application of each server, whose TLS, payload and thread pool it has. */
    private final Map<Integer, ApplicationModel> servers = new ConcurrentHashMap<>();

    /**
     * A service.
     *
     * @param guarded as it is unexported
     * @param exported what its protocol calls
     */
    private record Received(Invoker<?> guarded, Invoker<?> exported) {}

    /** Called by Dubbo's bean factory. */
    public ReceivedServices() {}

    /** Those of a framework. */
    public static ReceivedServices of(FrameworkModel framework) {
        return framework.getBeanFactory().getOrRegisterBean(ReceivedServices.class);
    }

    /** Fails if a service is to be exported on the port of its application that serves nothing else. */
    public static void requireOtherPort(URL service, int port) {
        if (port == bindPort(service)) {
            throw new HighwayConfigurationException(
                    PORT,
                    "\"" + port + "\" is also the port of the protocol " + service.getProtocol(),
                    "Write another port");
        }
    }

    /**
     * A service has been exported.
     *
     * @param guarded as {@link #unexported} names it
     * @param exported what its protocol calls
     * @param port where it can be reached, and nothing else; opened unless it is open
     */
    public void exported(Invoker<?> guarded, Invoker<?> exported, int port) {
        URL url = guarded.getUrl();
        open(url, port);
        services.put(key(port, url), new Received(guarded, exported));
    }

    private static int bindPort(URL service) {
        return service.getParameter(Constants.BIND_PORT_KEY, service.getPort());
    }

    private void open(URL service, int port) {
        ApplicationModel application = service.getOrDefaultApplicationModel();
        if (servers.computeIfAbsent(port, any -> bind(service, port)) != application) {
            throw new HighwayConfigurationException(
                    PORT,
                    "another application of this process has opened port " + port,
                    "Write another port for each application");
        }
    }

    /** As Triple's, which has TLS and the limits, until the application ends. */
    private ApplicationModel bind(URL service, int port) {
        URL url = service.setProtocol(CommonConstants.TRIPLE)
                .setPort(port)
                .removeParameters(OF_OTHER_SERVERS)
                .addParameter(Constants.BIND_PORT_KEY, String.valueOf(port))
                .addParameter(ALONE, true);
        ChannelHandler handler = new DefaultPuHandler();
        try {
            AbstractPortUnificationServer server =
                    PortUnificationExchanger.getTransporter(url).bind(url, handler);
            server.addSupportedProtocol(url, handler);
            ApplicationModel application = url.getOrDefaultApplicationModel();
            application.addDestroyListener(ended -> {
                server.close();
                servers.remove(port);
            });
            return application;
        } catch (RemotingException | RuntimeException e) {
            HighwayConfigurationException failure = new HighwayConfigurationException(
                    PORT, "port " + port + " cannot be opened: " + e.getMessage(), "Write a port that is free");
            failure.initCause(e);
            throw failure;
        }
    }

    /** Another one of the same name may have been exported since. */
    public void unexported(Invoker<?> service) {
        services.values().removeIf(each -> each.guarded() == service);
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
        Received received = services.get(key(port, path, version, group));
        return received == null ? null : received.exported();
    }
}
