// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.security.attacker;

import java.util.Map;
import org.apache.dubbo.config.ApplicationConfig;
import org.apache.dubbo.config.ReferenceConfig;
import org.apache.dubbo.config.RegistryConfig;
import org.apache.dubbo.config.bootstrap.DubboBootstrap;
import org.apache.dubbo.rpc.RpcContext;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.apache.dubbo.rpc.service.GenericService;
import org.jspecify.annotations.Nullable;

/** Dubbo without the SDK, which sends whatever headers it is given, to an address of its choice. */
public final class PlainClient implements AutoCloseable {

    private static final String[] TYPES = {"java.lang.String"};
    private static final int MILLIS = 5000;

    private final FrameworkModel framework = new FrameworkModel();
    private final DubboBootstrap dubbo;
    private final String address;

    /** Calls go to this URL of Dubbo, without a path. */
    public PlainClient(String application, String address) {
        this.address = address;
        this.dubbo = DubboBootstrap.getInstance(framework.newApplication());
        dubbo.getApplicationModel().modelEnvironment().updateAppConfigMap(Map.of("highway.enabled", "false"));
        ApplicationConfig config = new ApplicationConfig(application);
        config.setQosEnable(false);
        dubbo.application(config).registry(new RegistryConfig("N/A"));
    }

    /** A reference to a service. */
    public <T> T reference(Class<T> type) {
        ReferenceConfig<T> reference = new ReferenceConfig<>();
        configure(reference, type);
        return reference.get();
    }

    /** A generic reference to a service. */
    public GenericService generic(Class<?> type) {
        ReferenceConfig<GenericService> reference = new ReferenceConfig<>();
        configure(reference, GenericService.class);
        reference.setInterface(type.getName());
        reference.setGeneric("true");
        return reference.get();
    }

    private void configure(ReferenceConfig<?> reference, Class<?> type) {
        reference.setInterface(type);
        reference.setUrl(address);
        reference.setCheck(false);
        reference.setRetries(0);
        reference.setTimeout(MILLIS);
        reference.setScopeModel(dubbo.getApplicationModel().getDefaultModule());
    }

    /** Makes a call with these headers; returns what went wrong, or null if it was answered. */
    public static @Nullable Exception call(Map<String, String> headers, Runnable call) {
        headers.forEach(RpcContext.getClientAttachment()::setAttachment);
        try {
            call.run();
            return null;
        } catch (RuntimeException e) {
            return e;
        } finally {
            headers.keySet().forEach(RpcContext.getClientAttachment()::removeAttachment);
        }
    }

    /** A generic call of a method with one text. */
    public static Object invoke(GenericService service, String method, String argument) {
        return service.$invoke(method, TYPES, new Object[] {argument});
    }

    @Override
    public void close() {
        framework.destroy();
    }
}
