// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.calls;

import io.highway.tools.gateways.Protocol;
import io.highway.tools.processes.DubboCaller;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.dubbo.config.ReferenceConfig;
import org.apache.dubbo.rpc.service.GenericService;

/**
 * A Dubbo application in zhejiang that shares nothing with others in this process: no connection, no thread, no
 * setting.
 */
public record CallerApplication(DubboCaller caller) implements AutoCloseable {

    /** The island of the caller. */
    static final String HOME = "zhejiang";

    private static final String SHANGHAI = "highway.islands.shanghai.";
    private static final int TIMEOUT_MILLIS = 30_000;
    private static final String CLOSED = "dubbo://zhejiang.test:9?lazy=true"; // a misrouted call fails
    private static final Map<String, String> HESSIAN2 =
            Map.of("serialization", "hessian2", "prefer.serialization", "hessian2");

    /** Without the SDK's routing. */
    public static CallerApplication plain() {
        return new CallerApplication(DubboCaller.withoutSdk("caller"));
    }

    /**
     * With a tunnel to shanghai.
     *
     * @param entrance of home's gateway, {@code host:port}
     * @param policy further keys: of the island, such as {@code compression}, or with the prefix of all keys
     */
    public static CallerApplication tunnelling(Protocol protocol, String entrance, Map<String, String> policy) {
        String tunnel = protocol.word();
        Map<String, String> highway = new HashMap<>();
        highway.put("highway.island", HOME);
        highway.put(SHANGHAI + "tunnel", tunnel);
        highway.put(SHANGHAI + "gateways." + tunnel, entrance);
        policy.forEach((key, value) -> highway.put(key.startsWith("highway.") ? key : SHANGHAI + key, value));
        return new CallerApplication(new DubboCaller("caller", highway));
    }

    /**
     * A reference to a provider, in hessian2.
     *
     * @param provider {@code host:port}
     */
    public <T> T direct(Class<T> service, Protocol protocol, String provider) {
        return refer(service, protocol.scheme() + "://" + provider, HESSIAN2, reference -> {});
    }

    /** A reference whose calls go to shanghai. */
    public <T> T routed(Class<T> service) {
        return refer(service, CLOSED, Map.of("highway-island", "shanghai"), reference -> {});
    }

    /**
     * A reference for generic calls by the Dubbo protocol, in hessian2, with beans taken apart ({@code generic=bean}).
     *
     * @param service the interface, which need not be known here
     * @param provider {@code host:port}
     */
    public GenericService generic(String service, String provider) {
        return refer(GenericService.class, Protocol.DUBBO.scheme() + "://" + provider, HESSIAN2, reference -> {
            reference.setInterface(service);
            reference.setGeneric("bean");
        });
    }

    private <T> T refer(
            Class<T> service, String url, Map<String, String> parameters, Consumer<ReferenceConfig<T>> more) {
        return caller.refer(service, url, reference -> {
            reference.setRetries(0);
            reference.setTimeout(TIMEOUT_MILLIS);
            reference.setParameters(parameters);
            more.accept(reference);
        });
    }

    @Override
    public void close() {
        caller.close();
    }
}
