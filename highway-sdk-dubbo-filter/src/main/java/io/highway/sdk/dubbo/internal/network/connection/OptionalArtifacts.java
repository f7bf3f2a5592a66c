// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.network.connection;

import io.highway.sdk.dubbo.HighwayConfigurationException;
import io.highway.sdk.dubbo.internal.network.compression.ZstdLibrary;
import io.highway.sdk.dubbo.internal.policy.HighwayKeys;
import io.highway.sdk.dubbo.internal.policy.Policy;
import io.netty.handler.proxy.ProxyHandler;
import org.apache.dubbo.common.utils.ClassUtils;

/** The artifacts that some keys need, and an application may lack. */
public final class OptionalArtifacts {

    private static final String HTTP_PORT = HighwayKeys.PREFIX + "http.port";

    /** By its class: a policy is read without a framework model, and so without its extensions. */
    private static final boolean HAS_HTTP = ClassUtils.isPresent(
            "io.highway.sdk.dubbo.internal.http.client.HttpTunnelProtocol", OptionalArtifacts.class.getClassLoader());

    private OptionalArtifacts() {}

    /**
     * Checks a policy that is about to be used, and loads its dictionaries.
     *
     * @throws HighwayConfigurationException if a key needs an artifact that is missing, or zstd does not accept a dictionary
     */
    public static void requireFor(Policy policy) {
        ZstdLibrary.requireFor(policy);
        if (policy.gateways().stream().anyMatch(gateway -> gateway.proxy() != null)) {
            requireProxyHandler(policy);
        }
        policy.settings().values().keySet().stream()
                .filter(key -> !HAS_HTTP && key.startsWith(HighwayKeys.PREFIX))
                .filter(key -> key.equals(HTTP_PORT) || key.endsWith(".gateways.http"))
                .findFirst()
                .ifPresent(key -> {
                    throw missing(policy, key, "highway-sdk-http", "io.highway.sdk", "highway-sdk-dubbo-filter");
                });
    }

    private static void requireProxyHandler(Policy policy) {
        try {
            Class<?> unused = ProxyHandler.class;
        } catch (NoClassDefFoundError e) {
            throw missing(policy, TcpConnector.KEY, "netty-handler-proxy", "io.netty", "Netty's other artifacts");
        }
    }

    private static HighwayConfigurationException missing(
            Policy policy, String key, String artifact, String group, String versioned) {
        return policy.settings()
                .located(new HighwayConfigurationException(
                        key,
                        "it needs " + artifact + ", which is not on the class path",
                        "Add the dependency " + group + ":" + artifact + ", in the version of " + versioned
                                + ", or remove the key"));
    }
}
