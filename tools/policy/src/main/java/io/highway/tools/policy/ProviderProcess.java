// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.policy;

import io.highway.tools.processes.ChildProcess;
import java.util.List;
import org.apache.dubbo.config.ProtocolConfig;
import org.apache.dubbo.config.RegistryConfig;
import org.apache.dubbo.config.ServiceConfig;
import org.apache.dubbo.config.bootstrap.DubboBootstrap;

/** A provider of one island; {@code -Dhighway.island} names it. */
final class ProviderProcess {

    private ProviderProcess() {}

    /** Arguments: the island, the port for both protocols, and the registry's address or {@code N/A}. */
    public static void main(String[] arguments) {
        ChildProcess.endWithParent();
        ProtocolConfig protocol = new ProtocolConfig("dubbo", Integer.parseInt(arguments[1]));
        protocol.setExtProtocol("tri,");
        protocol.setHost(arguments[0] + ".test");
        ServiceConfig<Place> service = new ServiceConfig<>();
        service.setInterface(Place.class);
        service.setRef(() -> arguments[0]);
        DubboBootstrap dubbo = DubboBootstrap.getInstance()
                .application("places")
                .registry(new RegistryConfig(arguments[2]))
                .protocols(List.of(protocol))
                .service(service)
                .start();
        ChildProcess.ready(arguments[0]);
        dubbo.await();
    }
}
