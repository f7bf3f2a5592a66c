// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.network.connection;

import io.highway.sdk.dubbo.HighwayConfigurationException;
import io.highway.sdk.dubbo.internal.policy.HighwayKeys;
import io.highway.sdk.dubbo.internal.policy.HighwaySettings;
import io.highway.sdk.dubbo.internal.policy.Policy;
import org.apache.dubbo.common.utils.ClassUtils;
import org.apache.dubbo.rpc.Exporter;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.Protocol;
import org.apache.dubbo.rpc.model.FrameworkModel;

/** One kind of tunnel: its connections, and its invokers over them. It serves nothing. */
public abstract class TunnelProtocol implements Protocol {

    private static final String HTTP_PORT = HighwayKeys.PREFIX + "http.port";

    /** What {@code highway-sdk-http} brings. */
    private static final boolean HAS_HTTP = ClassUtils.isPresent(
            "io.highway.sdk.dubbo.internal.http.client.HttpProtocol", TunnelProtocol.class.getClassLoader());

    /**
     * Checks the settings of a policy that is about to be used.
     *
     * @throws HighwayConfigurationException if one needs the tunnel over HTTP/1.1, whose artifact is missing
     */
    public static void requireFor(Policy policy) {
        if (HAS_HTTP) {
            return;
        }
        HighwaySettings settings = policy.settings();
        for (String key : settings.values().keySet()) {
            if (key.startsWith(HighwayKeys.PREFIX) && (key.equals(HTTP_PORT) || key.endsWith(".gateways.http"))) {
                throw settings.located(new HighwayConfigurationException(
                        key,
                        "it needs highway-sdk-http, which is not on the class path",
                        "Add the dependency io.highway.sdk:highway-sdk-http, in the version of highway-sdk-dubbo-filter,"
                                + " or remove the key"));
            }
        }
    }

    /** What its connections begin with. */
    public abstract Greeting greeting();

    /**
     * Connections to a gateway address, none of which is open yet.
     *
     * @param most how many there are at most, if each carries one call
     */
    public abstract GatewayClient client(FrameworkModel framework, GatewayTransport transport, int most);

    @Override
    public int getDefaultPort() {
        return 0;
    }

    @Override
    public <T> Exporter<T> export(Invoker<T> invoker) {
        throw new UnsupportedOperationException("tunnels serve nothing: " + invoker.getUrl());
    }

    @Override
    public final void destroy() {
        // GatewayClients closes the connections at the end of the framework
    }
}
