// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.test;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.dubbo.config.ApplicationConfig;
import org.apache.dubbo.config.ProtocolConfig;
import org.apache.dubbo.config.ReferenceConfig;
import org.apache.dubbo.config.RegistryConfig;
import org.apache.dubbo.config.ServiceConfig;
import org.apache.dubbo.config.bootstrap.DubboBootstrap;
import org.apache.dubbo.rpc.model.ApplicationModel;

/** The Dubbo applications of a test, which share no configuration. */
final class DubboApplication {

    private DubboApplication() {}

    /** @param protocols by which it exports services */
    static void configure(
            ApplicationModel application, String name, Map<String, String> properties, List<ProtocolConfig> protocols) {
        application.modelEnvironment().initialize();
        Map<String, String> all = new HashMap<>(properties);
        all.putIfAbsent("dubbo.service.shutdown.wait", "10");
        application.modelEnvironment().updateAppConfigMap(all);
        ApplicationConfig config = new ApplicationConfig(name);
        config.setQosEnable(false);
        config.setRegisterMode("interface"); // else it exports Dubbo's service of metadata, too
        DubboBootstrap.getInstance(application).application(config).protocols(protocols);
    }

    /** A reference to home. */
    static <T> T refer(ApplicationModel application, Class<T> type) {
        ReferenceConfig<T> reference = new ReferenceConfig<>();
        reference.setScopeModel(application.getDefaultModule());
        reference.setInterface(type);
        reference.setRegistry(new RegistryConfig(Network.REGISTRY));
        reference.setCheck(false); // a test says later what home serves
        return reference.get();
    }

    static ServiceConfig<?> export(ApplicationModel application, Class<?> type, Object service) {
        ServiceConfig<Object> config = new ServiceConfig<>();
        config.setScopeModel(application.getDefaultModule());
        config.setInterface(type);
        config.setRef(service);
        config.setScope("remote");
        config.setRegistry(new RegistryConfig(RegistryConfig.NO_AVAILABLE));
        config.export();
        return config;
    }
}
