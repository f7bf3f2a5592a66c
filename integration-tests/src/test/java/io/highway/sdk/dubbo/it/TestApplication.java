// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import io.highway.sdk.dubbo.internal.application.HighwayRuntime;
import io.highway.tools.fixtures.ports.FreePorts;
import io.netty.channel.Channel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.dubbo.config.ApplicationConfig;
import org.apache.dubbo.config.ProtocolConfig;
import org.apache.dubbo.config.ReferenceConfig;
import org.apache.dubbo.config.RegistryConfig;
import org.apache.dubbo.config.ServiceConfig;
import org.apache.dubbo.config.bootstrap.DubboBootstrap;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.apache.dubbo.rpc.model.FrameworkModel;

/** An isolated Dubbo application: its own framework model, its own configuration, nothing shared with others. */
final class TestApplication implements AutoCloseable {

    private final FrameworkModel framework;
    private final ApplicationModel application;
    private final DubboBootstrap bootstrap;
    private final List<ProtocolConfig> protocols = new ArrayList<>();
    private final List<RegistryConfig> registries = new ArrayList<>();
    private final String host;

    TestApplication(String island, Map<String, String> properties) {
        this(new FrameworkModel(), island, properties);
    }

    /** An application next to others in one framework model; {@link #stop()} ends it alone. */
    TestApplication(FrameworkModel framework, String island, Map<String, String> properties) {
        this(framework, island, properties, island + "-app");
    }

    /** One with another name. */
    TestApplication(String name, String island, Map<String, String> properties) {
        this(new FrameworkModel(), island, properties, name);
    }

    private TestApplication(FrameworkModel framework, String island, Map<String, String> properties, String name) {
        this.framework = framework;
        this.application = framework.newApplication();
        this.bootstrap = DubboBootstrap.getInstance(application);
        this.host = island + ".test";
        application.modelEnvironment().initialize();
        Map<String, String> configuration = new HashMap<>(properties);
        configuration.putIfAbsent("dubbo.service.shutdown.wait", "10");
        application.modelEnvironment().updateAppConfigMap(configuration);
        ApplicationConfig config = new ApplicationConfig(name);
        config.setQosEnable(false);
        bootstrap.application(config);
    }

    ApplicationModel model() {
        return application;
    }

    /** The newest connection to the first gateway of an island. */
    Channel newestConnection(String island) {
        return (Channel) HighwayRuntime.of(application)
                .destinations()
                .of(island)
                .endpoints()
                .get(0)
                .connection()
                .opener()
                .latestConnection();
    }

    TestApplication registries(String... addresses) {
        for (String address : addresses) {
            RegistryConfig registry = new RegistryConfig(address);
            registry.setId("registry" + registries.size());
            registries.add(registry);
        }
        bootstrap.registries(registries);
        return this;
    }

    /** Listens for this protocol on a free port and returns {@code host:port}. */
    String listen(String protocol) {
        ProtocolConfig config = new ProtocolConfig(protocol, FreePorts.next());
        config.setId(protocol);
        config.setHost(host);
        config.setPayload(16 * 1024 * 1024);
        config.setParameters(Map.of("bind.ip", "0.0.0.0"));
        protocols.add(config);
        bootstrap.protocols(protocols);
        return host + ":" + config.getPort();
    }

    <S> TestApplication export(Class<S> type, S service, Consumer<ServiceConfig<S>> customizer) {
        ServiceConfig<S> config = new ServiceConfig<>();
        config.setInterface(type);
        config.setRef(service);
        config.setScopeModel(application.getDefaultModule());
        if (registries.isEmpty()) {
            config.setRegistry(new RegistryConfig("N/A"));
        }
        customizer.accept(config);
        bootstrap.service(config);
        return this;
    }

    TestApplication start() {
        bootstrap.start();
        return this;
    }

    <S> ReferenceConfig<S> reference(Class<S> type, Consumer<ReferenceConfig<S>> customizer) {
        ReferenceConfig<S> config = new ReferenceConfig<>();
        config.setInterface(type);
        config.setScopeModel(application.getDefaultModule());
        customizer.accept(config);
        return config;
    }

    /** Lets the application start a reference with itself. */
    TestApplication refer(ReferenceConfig<?> reference) {
        bootstrap.reference(reference);
        return this;
    }

    void stop() {
        application.destroy();
    }

    @Override
    public void close() {
        framework.destroy();
    }
}
