// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.cookbook;

import io.highway.tools.fixtures.ports.FreePorts;
import io.highway.tools.gateway.Gateway;
import io.highway.tools.gateway.GatewayConfig;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.dubbo.config.ApplicationConfig;
import org.apache.dubbo.config.ProtocolConfig;
import org.apache.dubbo.config.RegistryConfig;
import org.apache.dubbo.config.ServiceConfig;
import org.apache.dubbo.config.bootstrap.DubboBootstrap;
import org.apache.dubbo.rpc.RpcException;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.apache.dubbo.rpc.model.FrameworkModel;

/** An island with a provider and its gateway, over the Dubbo protocol. */
final class TestIsland implements AutoCloseable {

    /** The provider fails on this text, after the call has reached it. */
    static final String FAILS = "fails";

    private final String name;
    private final String provider;
    private final FrameworkModel framework = new FrameworkModel();
    private final Gateway gateway;

    TestIsland(String name) {
        this.name = name;
        ApplicationModel application = framework.newApplication();
        application.modelEnvironment().initialize();
        application
                .modelEnvironment()
                .updateAppConfigMap(Map.of("highway.island", name, "dubbo.service.shutdown.wait", "100"));
        ApplicationConfig config = new ApplicationConfig(name + "-sms");
        config.setQosEnable(false);
        ProtocolConfig protocol = new ProtocolConfig("dubbo", FreePorts.next());
        protocol.setHost(name + ".test");
        protocol.setParameters(Map.of("bind.ip", "0.0.0.0"));
        ServiceConfig<SmsService> service = new ServiceConfig<>();
        service.setInterface(SmsService.class);
        service.setRef(new Provider(name));
        service.setScopeModel(application.getDefaultModule());
        service.setRegistry(new RegistryConfig("N/A"));
        DubboBootstrap.getInstance(application)
                .application(config)
                .protocol(protocol)
                .service(service)
                .start();
        this.provider = name + ".test:" + protocol.getPort();
        this.gateway = Gateway.start(GatewayConfig.builder()
                .island(name)
                .listen("gateway." + name + ".test", 0)
                .providers(name, "*", List.of(provider), List.of())
                .build());
    }

    /** {@code host:port} of the provider. */
    String provider() {
        return provider;
    }

    /** {@code host:port} of the gateway. */
    String gateway() {
        return "gateway." + name + ".test:" + gateway.port();
    }

    @Override
    public void close() {
        gateway.closeNow();
        framework.destroy();
    }

    /** Answers with its island. */
    private record Provider(String island) implements SmsService {

        @Override
        public String send(String text) {
            if (text.equals(FAILS)) {
                throw new RpcException("the phone network is down");
            }
            return text + " in " + island;
        }

        @Override
        public CompletableFuture<String> sendAsync(String text) {
            return CompletableFuture.completedFuture(send(text));
        }

        @Override
        public String sendTo(String area, String text) {
            return send(text);
        }
    }
}
