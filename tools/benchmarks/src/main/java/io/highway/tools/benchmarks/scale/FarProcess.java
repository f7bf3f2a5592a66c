// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.scale;

import io.highway.tools.processes.ChildProcess;
import java.lang.reflect.Proxy;
import java.util.List;
import org.apache.dubbo.config.ApplicationConfig;
import org.apache.dubbo.config.ProtocolConfig;
import org.apache.dubbo.config.RegistryConfig;
import org.apache.dubbo.config.ServiceConfig;
import org.apache.dubbo.config.bootstrap.DubboBootstrap;
import org.apache.dubbo.rpc.RpcContext;

/**
 * One provider that represents those of all islands and of home. It has no SDK, so that it sees the island that a call
 * names and can answer with it.
 */
public final class FarProcess {

    private FarProcess() {}

    /** Arguments: the number of services, the port for the Dubbo protocol and the one for Triple. */
    public static void main(String[] arguments) {
        ChildProcess.endWithParent();
        ApplicationConfig application = new ApplicationConfig("provider");
        application.setQosEnable(false);
        DubboBootstrap dubbo = DubboBootstrap.getInstance()
                .application(application)
                .registry(new RegistryConfig("N/A"))
                .protocols(List.of(protocol("dubbo", arguments[1]), protocol("tri", arguments[2])));
        Services.load(Integer.parseInt(arguments[0])).forEach(type -> dubbo.service(service(type)));
        dubbo.start();
        ChildProcess.ready("all islands");
        dubbo.await();
    }

    private static ProtocolConfig protocol(String name, String port) {
        ProtocolConfig protocol = new ProtocolConfig(name, Integer.parseInt(port));
        protocol.setId(name);
        protocol.setHost(Stage.PROVIDER_HOST);
        return protocol;
    }

    private static <S extends AskedService> ServiceConfig<S> service(Class<S> type) {
        ServiceConfig<S> service = new ServiceConfig<>();
        service.setInterface(type);
        service.setRef(type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, values) -> answer(type))));
        service.setProxy("jdk"); // exported faster than with generated code
        return service;
    }

    private static String answer(Class<?> type) {
        String island = RpcContext.getServerAttachment().getAttachment("highway-island");
        return AskedService.answer(type, island == null ? "" : island);
    }
}
