// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.test;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.dubbo.common.constants.CommonConstants;
import org.apache.dubbo.config.ApplicationConfig;
import org.apache.dubbo.config.ProtocolConfig;
import org.apache.dubbo.config.ReferenceConfig;
import org.apache.dubbo.config.RegistryConfig;
import org.apache.dubbo.config.ServiceConfig;
import org.apache.dubbo.config.bootstrap.DubboBootstrap;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.apache.dubbo.rpc.model.FrameworkModel;

/** A Dubbo application of a test, which shares no configuration with others. */
final class DubboApplication {

    private final ApplicationModel application;

    /** One that its host starts. */
    DubboApplication(ApplicationModel application) {
        this.application = application;
    }

    /** @param protocols by which it exports services */
    DubboApplication(
            FrameworkModel framework, String name, Map<String, String> properties, List<ProtocolConfig> protocols) {
        application = framework.newApplication();
        application.modelEnvironment().initialize();
        Map<String, String> all = new HashMap<>(properties);
        all.putIfAbsent("dubbo.service.shutdown.wait", "10");
        all.putIfAbsent(CommonConstants.ENABLE_CONNECTIVITY_VALIDATION, "false"); // home may serve in the next test
        application.modelEnvironment().updateAppConfigMap(all);
        ApplicationConfig config = new ApplicationConfig(name);
        config.setQosEnable(false);
        config.setRegisterMode("interface"); // else it exports Dubbo's service of metadata, too
        DubboBootstrap.getInstance(application).application(config).protocols(protocols);
    }

    ApplicationModel model() {
        return application;
    }

    /** A reference to providers without sockets. */
    <T> T refer(Class<T> type, String address) {
        ReferenceConfig<T> reference = new ReferenceConfig<>();
        reference.setScopeModel(application.getDefaultModule());
        reference.setInterface(type);
        reference.setUrl(IslandProtocol.NAME + "://" + address);
        reference.setCheck(false); // a test says later what home serves
        return reference.get();
    }

    <T> void export(Class<T> type, T service) {
        ServiceConfig<T> config = new ServiceConfig<>();
        config.setScopeModel(application.getDefaultModule());
        config.setInterface(type);
        config.setRef(service);
        config.setScope("remote");
        config.setRegistry(new RegistryConfig(RegistryConfig.NO_AVAILABLE));
        config.export();
    }
}
