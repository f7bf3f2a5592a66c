// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.awaitility.Awaitility.await;

import io.highway.sdk.Highway;
import io.highway.sdk.dubbo.HighwayReport.Gateway.State;
import io.highway.sdk.dubbo.TunnelKind;
import io.highway.sdk.dubbo.internal.application.HighwayRuntime;
import io.highway.tools.fixtures.faults.FaultyLink;
import io.highway.tools.fixtures.faults.FaultyLinks;
import io.highway.tools.gateway.Gateway;
import io.highway.tools.gateway.GatewayConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** A star for several tests: each has separate links, gateways and consumers, which fail on demand. */
final class FaultyStar implements AutoCloseable {

    final Star star = new Star();
    private FaultyLinks links = new FaultyLinks();
    private final List<Gateway> gateways = new ArrayList<>();

    /** Consumers of earlier tests still try to connect to these. */
    private final Set<Integer> ports = new HashSet<>();

    private TestApplication consumer;

    /** A link to the gateway, to be put in its place. */
    FaultyLink link(Gateway gateway) {
        return link(gateway.port());
    }

    /** The link to what listens at this port, to be put in its place. */
    FaultyLink link(int port) {
        FaultyLink link = links.link(0, port);
        if (ports.add(link.port())) {
            return link;
        }
        link.close();
        return link(port);
    }

    /** Another gateway of home. */
    Gateway gateway() {
        return atNewPort(star::anotherGateway);
    }

    /** Another gateway of home, with other settings. */
    Gateway gateway(Consumer<GatewayConfig.Builder> customizer) {
        return atNewPort(() -> star.anotherGateway(0, customizer));
    }

    /** A gateway of home that knows no other island. */
    Gateway gatewayWithoutRoutes() {
        return atNewPort(FaultyStar::deadEnd);
    }

    /** A gateway of home without routes; the caller closes it. */
    static Gateway deadEnd() {
        return Gateway.start(GatewayConfig.builder()
                .island("zhejiang")
                .listen("gateway.zhejiang.test", 0)
                .build());
    }

    /** A gateway of home that reaches shanghai over this link. */
    Gateway gatewayOver(FaultyLink toShanghai) {
        return atNewPort(() -> Gateway.start(GatewayConfig.builder()
                .island("zhejiang")
                .listen("gateway.zhejiang.test", 0)
                .next("shanghai", List.of("gateway.shanghai.test:" + toShanghai.port()))
                .build()));
    }

    /** A gateway of home whose route to shanghai leads to this island. */
    Gateway gatewayTo(TestIsland island) {
        return atNewPort(() -> Gateway.start(GatewayConfig.builder()
                .island("zhejiang")
                .listen("gateway.zhejiang.test", 0)
                .providers(
                        "shanghai",
                        "*",
                        List.of(island.dubboAddress),
                        List.of(island.tripleAddress),
                        List.of(island.httpAddress))
                .build()));
    }

    Gateway gatewayAgain(Gateway gone) {
        return keep(star.anotherGateway(gone.port()));
    }

    private Gateway atNewPort(Supplier<Gateway> start) {
        Gateway gateway = start.get();
        if (ports.add(gateway.port())) {
            return keep(gateway);
        }
        gateway.closeNow();
        return atNewPort(start);
    }

    private Gateway keep(Gateway gateway) {
        gateways.add(gateway);
        return gateway;
    }

    static String address(int port) {
        return "gateway.zhejiang.test:" + port;
    }

    /** A reference whose calls all go to shanghai, over these addresses for each protocol. */
    Shop shop(RecordedEvents events, Tunnel tunnel, String addresses, String... more) {
        return shop(events, tunnel.kind(), addresses, more);
    }

    /** The same. */
    Shop shop(RecordedEvents events, TunnelKind tunnel, String addresses, String... more) {
        return Highway.to("shanghai").bind(Shop.class, free(events, tunnel, addresses, more));
    }

    /** A reference whose calls go where they ask to, over these addresses for each protocol. */
    Shop free(RecordedEvents events, Tunnel tunnel, String addresses, String... more) {
        return free(events, tunnel.kind(), addresses, more);
    }

    /** The same. */
    Shop free(RecordedEvents events, TunnelKind tunnel, String addresses, String... more) {
        Shop shop = connecting(events, tunnel, addresses, more);
        await().atMost(Duration.ofSeconds(20))
                .pollInterval(Duration.ofMillis(5))
                .until(this::isUp); // a busy machine may need a second try
        return shop;
    }

    /** As {@link #free}; its connections may not be up yet. */
    Shop connecting(RecordedEvents events, Tunnel tunnel, String addresses, String... more) {
        return connecting(events, tunnel.kind(), addresses, more);
    }

    /** The same. */
    Shop connecting(RecordedEvents events, TunnelKind tunnel, String addresses, String... more) {
        Map<String, String> properties = new HashMap<>(star.properties(tunnel, Star.gateways(tunnel, addresses)));
        for (int i = 0; i < more.length; i += 2) {
            properties.put(more[i], more[i + 1]);
        }
        consumer = star.consumer(properties);
        consumer.model().getBeanFactory().registerBean(events);
        return consumer.reference(Shop.class, config -> config.setUrl("dubbo://" + star.homeDubbo))
                .get();
    }

    /** How the connections are of the consumer made last, to gateways that it uses. */
    private Stream<State> states() {
        HighwayRuntime runtime = HighwayRuntime.of(consumer.model());
        return runtime.policyIfEnabled().gateways().stream()
                .map(address -> runtime.gatewayState(address).state())
                .filter(state -> state != State.UNUSED);
    }

    /** Whether the consumer made last is connected to all gateways that it uses. */
    boolean isUp() {
        return states().allMatch(state -> state == State.UP);
    }

    /** The consumer made last. */
    TestApplication consumer() {
        return consumer;
    }

    ShopKeeper shanghai() {
        return star.shanghai.shop;
    }

    /** Lets shanghai answer the slow calls that it has received. */
    void hurry() {
        shanghai().hurry();
    }

    /** Ends the links and gateways of one test; what it has called with ends with the star. */
    void forget() {
        hurry();
        links.close();
        links = new FaultyLinks();
        gateways.forEach(Gateway::closeNow);
        gateways.clear();
        shanghai().received.clear();
        star.homeShop.received.clear();
    }

    @Override
    public void close() {
        links.close();
        gateways.forEach(Gateway::closeNow);
        star.close();
    }
}
