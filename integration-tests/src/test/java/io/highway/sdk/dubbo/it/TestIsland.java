// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import io.highway.tools.fixtures.ports.FreePorts;
import io.highway.tools.gateway.Gateway;
import io.highway.tools.gateway.GatewayConfig;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** One remote island: real providers that carry the SDK's guard, and its gateway. */
final class TestIsland implements AutoCloseable {

    final ShopKeeper shop;
    final TestApplication application;
    final String dubboAddress;
    final String tripleAddress;
    final String httpAddress;
    private final String name;
    private Gateway gateway;

    TestIsland(String name, Map<String, String> properties) {
        this.name = name;
        this.shop = new ShopKeeper(name);
        int httpPort = FreePorts.next();
        this.httpAddress = name + ".test:" + httpPort;
        Map<String, String> all = new HashMap<>(properties);
        if (properties.containsKey("highway.island")) {
            all.put("highway.http.port", String.valueOf(httpPort));
        }
        this.application = new TestApplication(name, all);
        this.dubboAddress = application.listen("dubbo");
        this.tripleAddress = application.listen("tri");
        Echoes.register();
        application
                .export(Shop.class, shop, service -> {})
                .export(Echoes.class, new Echoes.Provider(), service -> service.setProtocolIds("tri"))
                .export(Feed.class, shop, service -> service.setProtocolIds("tri"))
                .export(Shop.class, new ShopKeeper(name + "-blue"), service -> {
                    service.setGroup("blue");
                    service.setVersion("2.0.0");
                })
                .start();
        this.gateway = startGateway(FreePorts.next()); // which nothing else takes while it is restarted
    }

    static TestIsland start(String name) {
        return new TestIsland(name, Map.of("highway.island", name));
    }

    private Gateway startGateway(int port) {
        return Gateway.start(GatewayConfig.builder()
                .island(name)
                .listen("gateway." + name + ".test", port)
                .providers(name, "*", List.of(dubboAddress), List.of(tripleAddress), List.of(httpAddress))
                .build());
    }

    /** {@code host:port} of the island's gateway. */
    String gatewayAddress() {
        return "gateway." + name + ".test:" + gateway.port();
    }

    Gateway gateway() {
        return gateway;
    }

    @Override
    public void close() {
        gateway.closeNow();
        application.close();
    }
}
