// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.conformance.bench;

import java.util.Map;
import org.apache.dubbo.config.ApplicationConfig;
import org.apache.dubbo.config.ProtocolConfig;
import org.apache.dubbo.config.ReferenceConfig;
import org.apache.dubbo.config.RegistryConfig;
import org.apache.dubbo.config.ServiceConfig;
import org.apache.dubbo.config.bootstrap.DubboBootstrap;
import org.apache.dubbo.rpc.model.FrameworkModel;

/** A Dubbo application that names no islands. */
public final class PlainDubbo implements AutoCloseable {

    private static final int TIMEOUT_MILLIS = 10_000;

    private final FrameworkModel framework = new FrameworkModel();
    private final DubboBootstrap dubbo = DubboBootstrap.getInstance(framework.newApplication());

    /** Starts nothing yet. */
    public PlainDubbo(String name) {
        ApplicationConfig application = new ApplicationConfig(name);
        application.setQosEnable(false);
        dubbo.getApplicationModel().modelEnvironment().updateAppConfigMap(Map.of("highway.enabled", "false"));
        dubbo.application(application).registry(new RegistryConfig("N/A"));
    }

    /** A reference to one address. */
    public <S> S refer(Class<S> type, String url) {
        ReferenceConfig<S> reference = new ReferenceConfig<>();
        reference.setInterface(type);
        reference.setUrl(url);
        reference.setCheck(false);
        reference.setRetries(0);
        reference.setTimeout(TIMEOUT_MILLIS);
        dubbo.reference(reference);
        return reference.get();
    }

    /** Offers a service over the Dubbo protocol. */
    <S> void export(Class<S> type, S provider, String host, int port) {
        ProtocolConfig protocol = new ProtocolConfig("dubbo", port);
        protocol.setHost(host);
        ServiceConfig<S> service = new ServiceConfig<>();
        service.setInterface(type);
        service.setRef(provider);
        dubbo.protocol(protocol).service(service).start();
    }

    @Override
    public void close() {
        framework.destroy();
    }
}
