// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.connection;

import io.highway.sdk.dubbo.GatewayAddress;
import io.highway.sdk.dubbo.TrafficClass;
import io.highway.sdk.dubbo.internal.config.ConnectionCounts;
import io.highway.sdk.dubbo.internal.config.Gateway;
import io.highway.sdk.dubbo.internal.connection.channel.ConnectionUrls;
import io.highway.sdk.dubbo.internal.connection.channel.ProtocolClients;
import java.util.HashMap;
import java.util.Map;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.common.url.component.ServiceConfigURL;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.Protocol;
import org.apache.dubbo.rpc.model.FrameworkModel;

/**
 * A reference to a gateway address and class of calls that opens their connections. It belongs to no service, and to
 * no application, since others of this JVM may use a connection after the application that opened it has stopped.
 *
 * @param parameters those of each connection. The first reference to an address determines them for all, so they depend
 *     only on the address and the class of calls
 */
record AnchorReference(
        FrameworkModel framework, Protocol protocol, GatewayAddress address, Map<String, String> parameters) {

    static AnchorReference to(
            Gateway gateway, FrameworkModel framework, ProtocolClients protocolClients, ConnectionCounts counts) {
        return new AnchorReference(
                framework,
                framework
                        .getExtensionLoader(Protocol.class)
                        .getExtension(
                                protocolClients.extension(gateway.address().kind()), false),
                gateway.address(),
                parameters(gateway, protocolClients, counts));
    }

    private static Map<String, String> parameters(
            Gateway gateway, ProtocolClients protocolClients, ConnectionCounts counts) {
        boolean bulk = gateway.trafficClass() == TrafficClass.BULK;
        Map<String, String> all = new HashMap<>(Map.of(
                "side",
                "consumer",
                "check",
                "false",
                "connect.timeout",
                String.valueOf(gateway.connectMillis()),
                "ssl-enabled", // the scheme of Triple's requests
                String.valueOf(gateway.address().isSecured())));
        all.putAll(protocolClients.connectionParameters(bulk, counts));
        if (bulk) {
            all.put(ConnectionUrls.TRAFFIC_CLASS, TrafficClass.BULK.word());
        }
        return Map.copyOf(all);
    }

    URL url() {
        return new ServiceConfigURL(
                        address.kind().dubboProtocol(),
                        address.host(),
                        address.port(),
                        AnchorReference.class.getName(),
                        parameters)
                .setScopeModel(framework.getInternalApplicationModel().getInternalModule());
    }

    Invoker<?> refer() {
        return protocol.refer(AnchorReference.class, url());
    }
}
