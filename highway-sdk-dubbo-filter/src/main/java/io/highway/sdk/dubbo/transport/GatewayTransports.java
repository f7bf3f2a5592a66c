// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.transport;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.dubbo.common.URL;
import org.jspecify.annotations.Nullable;

/** How each gateway address of one framework model is reached; Dubbo's clients ask for it by their URL. Thread-safe. */
public final class GatewayTransports {

    private final Map<String, GatewayTransport> byAddress = new ConcurrentHashMap<>();

    /** Made by Dubbo's bean factory. */
    public GatewayTransports() {}

    /** Where this model's transports are. */
    public static GatewayTransports of(URL url) {
        return url.getOrDefaultFrameworkModel().getBeanFactory().getOrRegisterBean(GatewayTransports.class);
    }

    /** From now on the address is reached so. */
    public void use(String protocol, String address, GatewayTransport transport) {
        byAddress.put(key(protocol, address), transport);
    }

    @Nullable
    GatewayTransport get(String protocol, URL url) {
        return byAddress.get(key(protocol, url.getAddress()));
    }

    private static String key(String protocol, String address) {
        return protocol + "://" + address;
    }
}
