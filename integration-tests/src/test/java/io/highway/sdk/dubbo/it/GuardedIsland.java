// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import io.highway.sdk.dubbo.GuardListener.GuardEvent;
import io.highway.sdk.dubbo.GuardListener.Result;
import io.highway.sdk.dubbo.HighwayCustomizer;
import io.highway.sdk.dubbo.internal.memory.MemoryBudget;
import io.highway.tools.fixtures.ports.FreePorts;
import io.highway.tools.gateway.Gateway;
import io.highway.tools.gateway.GatewayConfig;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Shanghai with providers that guard themselves, and its gateway, which connects to them from {@link #GATEWAY}; everybody
 * else connects from 127.0.0.1.
 */
final class GuardedIsland implements AutoCloseable {

    static final String GATEWAY = "127.0.0.2";

    final ShopKeeper shop = new ShopKeeper("shanghai");
    final List<GuardEvent> events = new CopyOnWriteArrayList<>();
    final TestApplication application;
    final String dubboAddress;
    final String tripleAddress;
    final String httpAddress;
    private final Gateway gateway;
    private final List<TestApplication> callers = new ArrayList<>();

    GuardedIsland(String... keysAndValues) {
        Map<String, String> keys = new HashMap<>(Map.of("highway.island", "shanghai"));
        for (int i = 0; i < keysAndValues.length; i += 2) {
            keys.put(keysAndValues[i], keysAndValues[i + 1]);
        }
        int httpPort = FreePorts.next();
        keys.put("highway.http.port", String.valueOf(httpPort));
        application = new TestApplication("shanghai", keys);
        application.model().getBeanFactory().registerBean((HighwayCustomizer)
                setup -> setup.guardListener(events::add));
        dubboAddress = application.listen("dubbo");
        tripleAddress = application.listen("tri");
        httpAddress = tripleAddress.replaceFirst("[0-9]+$", String.valueOf(httpPort));
        application
                .export(Shop.class, shop, service -> {})
                .export(Shop.class, shop, service -> {
                    service.setGroup("blue");
                    service.setVersion("2.0.0");
                })
                .export(Feed.class, shop, service -> service.setProtocolIds("tri"))
                .start();
        gateway = Gateway.start(GatewayConfig.builder()
                .island("shanghai")
                .listen("gateway.shanghai.test", 0)
                .source(GATEWAY)
                .withoutIsland("shanghai")
                .providers("shanghai", "*", List.of(dubboAddress), List.of(tripleAddress))
                .build());
    }

    String gatewayAddress() {
        return "gateway.shanghai.test:" + gateway.port();
    }

    /** What its servers buffer. */
    MemoryBudget buffered() {
        return MemoryBudget.of(application.model().getFrameworkModel());
    }

    /** The URL of the gateway for a caller without the SDK. */
    String gatewayUrl(Tunnel tunnel) {
        return url(tunnel, gatewayAddress());
    }

    /** The URL of the provider. */
    String providerUrl(Tunnel tunnel) {
        return url(tunnel, tunnel == Tunnel.DUBBO ? dubboAddress : tripleAddress);
    }

    private static String url(Tunnel tunnel, String address) {
        return (tunnel == Tunnel.DUBBO ? "dubbo://" : "tri://") + address;
    }

    /** An application of another island with the SDK, whose home gateway is that of shanghai. */
    TestApplication caller(String island, Tunnel tunnel, String... more) {
        Map<String, String> keys = new HashMap<>(Map.of(
                "highway.island",
                island,
                "highway.gateways.dubbo",
                gatewayAddress(),
                "highway.gateways.triple",
                gatewayAddress(),
                "highway.islands.shanghai.tunnel",
                tunnel.key(),
                "highway.islands.shanghai.timeout",
                "10s",
                "highway.islands.beijing.tunnel",
                tunnel.key(),
                "highway.heartbeat.interval",
                "none"));
        for (int i = 0; i < more.length; i += 2) {
            keys.put(more[i], more[i + 1]);
        }
        return keep(new TestApplication(island + "-app", island, keys));
    }

    /** An application without the SDK's configuration. */
    TestApplication plain() {
        return keep(new TestApplication("zhejiang", Map.of("highway.enabled", "false")));
    }

    /** Closes an application with the island. */
    private TestApplication keep(TestApplication caller) {
        callers.add(caller);
        return caller;
    }

    List<GuardEvent> events(Result result) {
        return events.stream().filter(event -> event.result() == result).toList();
    }

    @Override
    public void close() {
        callers.forEach(TestApplication::close);
        gateway.closeNow();
        application.close();
    }
}
