// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import io.highway.sdk.dubbo.TunnelKind;
import io.highway.tools.fixtures.ports.FreePorts;
import io.highway.tools.gateway.Gateway;
import io.highway.tools.gateway.GatewayConfig;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.dubbo.config.ReferenceConfig;

/** Home (zhejiang, with providers) and its gateway, joined with shanghai and beijing. */
final class Star implements AutoCloseable {

    final TestIsland shanghai = TestIsland.start("shanghai");
    final TestIsland beijing = TestIsland.start("beijing");
    final ShopKeeper homeShop = new ShopKeeper("zhejiang");
    final String homeDubbo;
    private final TestApplication homeProviders = new TestApplication("zhejiang", Map.of("highway.island", "zhejiang"));
    private final List<AutoCloseable> opened = new ArrayList<>();
    private Gateway gateway;

    Star() {
        homeDubbo = homeProviders.listen("dubbo");
        homeProviders.export(Shop.class, homeShop, service -> {}).start();
        gateway = startGateway(FreePorts.next()); // which nothing else takes while it is restarted
    }

    private Gateway startGateway(int port) {
        return startGateway(port, config -> {});
    }

    private Gateway startGateway(int port, Consumer<GatewayConfig.Builder> customizer) {
        GatewayConfig.Builder config = GatewayConfig.builder()
                .island("zhejiang")
                .listen("gateway.zhejiang.test", port)
                .next("shanghai", List.of(shanghai.gatewayAddress()))
                .next("beijing", List.of(beijing.gatewayAddress()));
        customizer.accept(config);
        return Gateway.start(config.build());
    }

    /** The connections of this tunnel to a gateway. */
    static int connections(Gateway gateway, TunnelKind tunnel) {
        return switch (tunnel) {
            case DUBBO -> gateway.stats().dubboConnections();
            case TRIPLE -> gateway.stats().tripleConnections();
            case HTTP -> Sockets.established(gateway.port()); // for those who use no other tunnel
        };
    }

    /** Keys that make this the gateway of each tunnel, for {@link #properties}. */
    static String[] gateways(TunnelKind tunnel, String addresses) {
        return new String[] {
            "highway.gateways.dubbo",
            addresses,
            "highway.gateways.triple",
            addresses,
            "highway.gateways." + tunnel,
            addresses
        };
    }

    String gatewayAddress() {
        return "gateway.zhejiang.test:" + gateway.port();
    }

    Gateway gateway() {
        return gateway;
    }

    Gateway anotherGateway() {
        return startGateway(0);
    }

    Gateway anotherGateway(int port) {
        return startGateway(port);
    }

    /** One with other settings, such as TLS; the caller closes it. */
    Gateway anotherGateway(int port, Consumer<GatewayConfig.Builder> customizer) {
        return startGateway(port, customizer);
    }

    /** Stops home's gateway and returns its port. */
    int stopGateway() {
        int port = gateway.port();
        gateway.closeNow();
        return port;
    }

    void restartGateway(int port) {
        gateway = startGateway(port);
    }

    /** What a consumer at home is configured with. */
    Map<String, String> properties(Tunnel tunnel, String... more) {
        return properties(tunnel.kind(), more);
    }

    /** The same; an address over HTTP is there for HTTP only, which {@code auto} would use, too. */
    Map<String, String> properties(TunnelKind tunnel, String... more) {
        Map<String, String> properties = new HashMap<>();
        properties.put("highway.island", "zhejiang");
        properties.put("highway.gateways.dubbo", gatewayAddress());
        properties.put("highway.gateways.triple", gatewayAddress());
        properties.put("highway.gateways." + tunnel, gatewayAddress());
        properties.put("highway.defaults.tunnel", tunnel.word());
        properties.put("highway.defaults.timeout", "5s");
        properties.put("highway.islands.shanghai.keys", "310000,31*");
        properties.put("highway.islands.beijing.keys", "110000");
        for (int i = 0; i < more.length; i += 2) {
            properties.put(more[i], more[i + 1]);
        }
        return properties;
    }

    /**
     * Lets something end with the star and not before: Dubbo keeps its Triple servers in a static map and closes them all
     * with the first framework model that ends.
     */
    <C extends AutoCloseable> C closing(C one) {
        opened.add(one);
        return one;
    }

    /** A consumer at home; closed with the star. */
    TestApplication consumer(Map<String, String> properties) {
        Map<String, String> all = new HashMap<>(properties);
        all.putIfAbsent("dubbo.service.shutdown.wait", "10000"); // as of an application that does not set it
        return closing(new TestApplication("zhejiang", all));
    }

    /** A reference of a new consumer at home, to home's own provider unless customized otherwise. */
    <S> S reference(Class<S> type, Map<String, String> properties, Consumer<ReferenceConfig<S>> customizer) {
        return consumer(properties)
                .reference(type, config -> {
                    config.setUrl("dubbo://" + homeDubbo);
                    customizer.accept(config);
                })
                .get();
    }

    Shop shop(Tunnel tunnel, String... more) {
        return shop(tunnel.kind(), more);
    }

    Shop shop(TunnelKind tunnel, String... more) {
        return reference(Shop.class, properties(tunnel, more), config -> {});
    }

    @Override
    public void close() {
        opened.forEach(Star::end);
        gateway.closeNow();
        homeProviders.close();
        shanghai.close();
        beijing.close();
    }

    private static void end(AutoCloseable one) {
        try {
            one.close();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
