// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.calls;

import java.util.HashMap;
import java.util.Map;
import org.apache.dubbo.config.ApplicationConfig;
import org.apache.dubbo.config.ReferenceConfig;
import org.apache.dubbo.config.RegistryConfig;
import org.apache.dubbo.config.bootstrap.DubboBootstrap;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.apache.dubbo.rpc.service.GenericService;

/**
 * A Dubbo application in zhejiang that shares nothing with others in this process: no connection, no thread, no
 * setting.
 */
public final class CallerApplication implements AutoCloseable {

    /** The island of the caller. */
    static final String HOME = "zhejiang";

    private static final String SHANGHAI = "highway.islands.shanghai.";
    private static final int TIMEOUT_MILLIS = 30_000;
    private static final String CLOSED = "dubbo://zhejiang.test:9?lazy=true"; // a misrouted call fails
    private static final Map<String, String> HESSIAN2 =
            Map.of("serialization", "hessian2", "prefer.serialization", "hessian2");

    private final FrameworkModel framework = new FrameworkModel();
    private final DubboBootstrap dubbo = DubboBootstrap.getInstance(framework.newApplication());

    private CallerApplication(Map<String, String> highway) {
        dubbo.getApplicationModel().modelEnvironment().updateAppConfigMap(highway);
        ApplicationConfig application = new ApplicationConfig("caller");
        application.setQosEnable(false);
        dubbo.application(application).registry(new RegistryConfig("N/A"));
    }

    /** Without the SDK's routing. */
    public static CallerApplication plain() {
        return new CallerApplication(Map.of("highway.enabled", "false"));
    }

    /**
     * With a tunnel to shanghai.
     *
     * @param entrance of home's gateway, {@code host:port}
     * @param policy further keys of the island, such as {@code compression}
     */
    public static CallerApplication tunnelling(Protocol protocol, String entrance, Map<String, String> policy) {
        return tunnelling(protocol, entrance, policy, Signing.OFF);
    }

    /**
     * With a tunnel to shanghai, by calls that may be signed.
     *
     * @param entrance of home's gateway, {@code host:port}
     * @param policy further keys: of the island, such as {@code compression}, or with the prefix of all keys
     */
    static CallerApplication tunnelling(
            Protocol protocol, String entrance, Map<String, String> policy, Signing signing) {
        Map<String, String> highway = new HashMap<>(signing.keys());
        highway.put("highway.island", HOME);
        highway.put(SHANGHAI + "tunnel", protocol.key());
        highway.put(SHANGHAI + "gateways." + protocol.key(), entrance);
        policy.forEach((key, value) -> highway.put(key.startsWith("highway.") ? key : SHANGHAI + key, value));
        return new CallerApplication(highway);
    }

    /**
     * A reference to a provider, in hessian2.
     *
     * @param provider {@code host:port}
     */
    public <T> T direct(Class<T> service, Protocol protocol, String provider) {
        ReferenceConfig<T> reference = new ReferenceConfig<>();
        reference.setInterface(service);
        return refer(reference, protocol.scheme() + "://" + provider, HESSIAN2);
    }

    /** A reference whose calls go to shanghai. */
    public <T> T routed(Class<T> service) {
        ReferenceConfig<T> reference = new ReferenceConfig<>();
        reference.setInterface(service);
        return refer(reference, CLOSED, Map.of("highway-island", "shanghai"));
    }

    /**
     * A reference for generic calls by the Dubbo protocol, in hessian2, with beans taken apart ({@code generic=bean}).
     *
     * @param service the interface, which need not be known here
     * @param provider {@code host:port}
     */
    public GenericService generic(String service, String provider) {
        ReferenceConfig<GenericService> reference = new ReferenceConfig<>();
        reference.setInterface(service);
        reference.setGeneric("bean");
        return refer(reference, Protocol.DUBBO.scheme() + "://" + provider, HESSIAN2);
    }

    private <T> T refer(ReferenceConfig<T> reference, String url, Map<String, String> parameters) {
        reference.setUrl(url);
        reference.setCheck(false);
        reference.setRetries(0);
        reference.setTimeout(TIMEOUT_MILLIS);
        reference.setParameters(parameters);
        dubbo.reference(reference);
        return reference.get();
    }

    @Override
    public void close() {
        framework.destroy();
    }
}
