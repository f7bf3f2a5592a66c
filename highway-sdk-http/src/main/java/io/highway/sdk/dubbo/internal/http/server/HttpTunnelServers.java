// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.http.server;

import io.highway.sdk.dubbo.HighwayConfigurationException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.remoting.Constants;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.apache.dubbo.rpc.model.FrameworkModel;

/** The servers of a framework, one for each {@code http.port}. Thread-safe. */
final class HttpTunnelServers {

    /** The application of each, whose TLS, payload and thread pool it has. */
    private final Map<Integer, ApplicationModel> applications = new ConcurrentHashMap<>();

    static HttpTunnelServers of(FrameworkModel framework) {
        return framework.getBeanFactory().getOrRegisterBean(HttpTunnelServers.class, type -> new HttpTunnelServers());
    }

    /** Fails if a service is to be exported on the port of its application that serves nothing else. */
    static void requireOtherPort(URL service, int port) {
        if (port == service.getParameter(Constants.BIND_PORT_KEY, service.getPort())) {
            throw new HighwayConfigurationException(
                    HttpTunnelServer.PORT_KEY,
                    "\"" + port + "\" is also the port of the protocol " + service.getProtocol(),
                    "Write another port");
        }
    }

    /** Opens a port, unless it is open, until the application of the service ends. */
    void open(URL service, int port) {
        ApplicationModel application = service.getOrDefaultApplicationModel();
        if (applications.computeIfAbsent(port, any -> bind(service, port)) != application) {
            throw new HighwayConfigurationException(
                    HttpTunnelServer.PORT_KEY,
                    "another application of this process has opened port " + port,
                    "Write another port for each application");
        }
    }

    private ApplicationModel bind(URL service, int port) {
        ApplicationModel application = service.getOrDefaultApplicationModel();
        HttpTunnelServer server = HttpTunnelServer.open(service, port);
        application.addDestroyListener(ended -> {
            server.close();
            applications.remove(port);
        });
        return application;
    }
}
