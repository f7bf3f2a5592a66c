// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.spring.it;

import io.highway.sdk.Caller;
import io.highway.sdk.Highway;
import io.highway.tools.fixtures.ports.FreePorts;
import io.highway.tools.gateway.Gateway;
import io.highway.tools.gateway.GatewayConfig;
import java.util.List;
import java.util.Map;
import org.apache.dubbo.config.ApplicationConfig;
import org.apache.dubbo.config.ProtocolConfig;
import org.apache.dubbo.config.RegistryConfig;
import org.apache.dubbo.config.ServiceConfig;
import org.apache.dubbo.config.bootstrap.DubboBootstrap;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.apache.dubbo.rpc.model.FrameworkModel;

/**
 * An island with real providers and its gateway. Over the Dubbo protocol only: Dubbo closes every Triple server of the JVM
 * with the first framework model that ends, and each Spring context that is closed ends one.
 */
final class TestIsland implements AutoCloseable {

    final String name;
    final String providerAddress;
    private final FrameworkModel framework = new FrameworkModel();
    private final Gateway gateway;

    TestIsland(String name) {
        this.name = name;
        ApplicationModel application = framework.newApplication();
        application.modelEnvironment().initialize();
        application
                .modelEnvironment()
                .updateAppConfigMap(Map.of("highway.island", name, "dubbo.service.shutdown.wait", "100"));
        ApplicationConfig config = new ApplicationConfig(name + "-app");
        config.setQosEnable(false);
        ProtocolConfig protocol = new ProtocolConfig("dubbo", FreePorts.next());
        protocol.setHost(name + ".test");
        protocol.setParameters(Map.of("bind.ip", "0.0.0.0"));
        DubboBootstrap.getInstance(application)
                .application(config)
                .protocol(protocol)
                .service(service(Sms.class, new Provider(name), application))
                .service(service(Files.class, new Provider(name), application))
                .start();
        this.providerAddress = name + ".test:" + protocol.getPort();
        this.gateway = Gateway.start(GatewayConfig.builder()
                .island(name)
                .listen("gateway." + name + ".test", 0)
                .providers(name, "*", List.of(providerAddress), List.of())
                .build());
    }

    private static <S> ServiceConfig<S> service(Class<S> type, S provider, ApplicationModel application) {
        ServiceConfig<S> service = new ServiceConfig<>();
        service.setInterface(type);
        service.setRef(provider);
        service.setScopeModel(application.getDefaultModule());
        service.setRegistry(new RegistryConfig("N/A"));
        return service;
    }

    /** {@code host:port}. */
    String gatewayAddress() {
        return "gateway." + name + ".test:" + gateway.port();
    }

    @Override
    public void close() {
        gateway.closeNow();
        framework.destroy();
    }

    /** Answers with its island and the caller's. */
    private record Provider(String island) implements Sms, Files {

        @Override
        public String send(String text) {
            return text + " in " + island
                    + Highway.caller()
                            .map(Caller::island)
                            .map(from -> " from " + from)
                            .orElse("");
        }

        @Override
        public String sendTo(String key, String text) {
            return send(text);
        }

        @Override
        public String read(String name) {
            return send(name);
        }
    }
}
