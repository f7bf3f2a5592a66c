// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.chaos.star;

import io.highway.tools.chaos.service.OrderService;
import io.highway.tools.processes.ChildProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.dubbo.config.ProtocolConfig;
import org.apache.dubbo.config.RegistryConfig;
import org.apache.dubbo.config.ServiceConfig;
import org.apache.dubbo.config.bootstrap.DubboBootstrap;

/** The provider of one island, as plain Dubbo; {@code -Dhighway.island=<id>} is its only setting about islands. */
final class ProviderProcess {

    private ProviderProcess() {}

    /** Arguments: the port for the Dubbo protocol, the one for Triple, and the file of the ledger. */
    public static void main(String[] arguments) throws IOException {
        ChildProcess.endWithParent();
        String island = System.getProperty("highway.island", "");
        ServiceConfig<OrderService> orders = new ServiceConfig<>();
        orders.setInterface(OrderService.class);
        orders.setRef(new Orders(island, new LedgerWriter(Path.of(arguments[2]))));
        DubboBootstrap dubbo = DubboBootstrap.getInstance()
                .application(island + "-provider")
                .registry(new RegistryConfig("N/A"))
                .protocols(List.of(protocol("dubbo", island, arguments[0]), protocol("tri", island, arguments[1])))
                .service(orders)
                .start();
        ChildProcess.ready(island);
        dubbo.await();
    }

    private static ProtocolConfig protocol(String name, String island, String port) {
        ProtocolConfig protocol = new ProtocolConfig(name, Integer.parseInt(port));
        protocol.setId(name);
        protocol.setHost(island + ".test");
        return protocol;
    }
}
