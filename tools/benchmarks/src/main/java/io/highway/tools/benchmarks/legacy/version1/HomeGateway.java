// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.legacy.version1;

import io.highway.tools.processes.ChildProcess;
import java.io.IOException;
import org.apache.dubbo.config.ProtocolConfig;
import org.apache.dubbo.config.RegistryConfig;
import org.apache.dubbo.config.ServiceConfig;
import org.apache.dubbo.config.bootstrap.DubboBootstrap;
import org.apache.dubbo.rpc.RpcException;
import org.apache.dubbo.rpc.service.GenericService;

/** Home's gateway: looks like the provider of a far service, and sends the calls it gets to the hub over HTTP. */
public final class HomeGateway {

    private HomeGateway() {}

    /** Arguments: the port for the Dubbo protocol, the service's interface, the hub's {@code host:port}. */
    public static void main(String[] arguments) {
        ChildProcess.endWithParent();
        ServiceConfig<GenericService> service = new ServiceConfig<>();
        service.setInterface(arguments[1]);
        service.setGeneric("bean");
        service.setRef(new Forwarding(new HubClient(arguments[2], arguments[1])));
        ProtocolConfig protocol = new ProtocolConfig("dubbo", Integer.parseInt(arguments[0]));
        protocol.setHost("gateway.zhejiang.test");
        protocol.setThreads(HubClient.CONNECTIONS);
        DubboBootstrap dubbo = DubboBootstrap.getInstance()
                .application("home-gateway")
                .registry(new RegistryConfig("N/A"))
                .protocol(protocol)
                .service(service)
                .start();
        ChildProcess.ready(arguments[0]);
        dubbo.await();
    }

    private record Forwarding(HubClient hub) implements GenericService {
        @Override
        public Object $invoke(String method, String[] types, Object[] arguments) {
            try {
                return Wire.readAnswer(hub.post(new Wire.Call(method, types, arguments).toBytes()));
            } catch (IOException e) {
                // the cause itself could not be serialised for the caller
                throw new RpcException(RpcException.NETWORK_EXCEPTION, String.valueOf(e));
            }
        }
    }
}
