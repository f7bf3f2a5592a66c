// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.highway.sdk.Highway;
import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.HighwayReport.Gateway.State;
import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.internal.application.HighwayRuntime;
import io.highway.tools.gateway.Gateway;
import io.highway.tools.gateway.GatewayConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.dubbo.common.Version;
import org.apache.dubbo.rpc.service.GenericService;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A service that is not where a call arrives: an instance is being rolled, or has it over the other protocol only. */
@Tag("network")
class MissingServiceTest {

    private static final List<AutoCloseable> opened = new ArrayList<>();
    private static final ShopKeeper shanghai = new ShopKeeper("shanghai");
    private static String with;
    private static String without;
    private static String byTripleOnly;
    private static String homeDubbo;

    /** Another service, which every instance has. */
    public interface Kiosk {

        String sell(String item);
    }

    @BeforeAll
    static void start() {
        with = gateway("dubbo", "tri");
        without = gateway();
        byTripleOnly = gateway("tri");
        TestApplication home = keep(new TestApplication("zhejiang", Map.of("highway.island", "zhejiang")));
        homeDubbo = home.listen("dubbo");
        home.export(Shop.class, new ShopKeeper("zhejiang"), service -> {}).start();
    }

    @AfterAll
    static void end() throws Exception {
        for (AutoCloseable one : opened) {
            one.close();
        }
    }

    /** A gateway before one instance, which has the shop over these protocols. */
    private static String gateway(String... protocols) {
        TestApplication instance = keep(new TestApplication("shanghai", Map.of("highway.island", "shanghai")));
        String dubbo = instance.listen("dubbo");
        String triple = instance.listen("tri");
        if (protocols.length > 0) {
            instance.export(Shop.class, shanghai, service -> service.setProtocolIds(String.join(",", protocols)));
        }
        instance.export(Kiosk.class, text -> text, service -> {}).start(); // Dubbo listens where it has a service
        Gateway gateway = keep(Gateway.start(GatewayConfig.builder()
                .island("shanghai")
                .listen("gateway.shanghai.test", 0)
                .providers("shanghai", "*", List.of(dubbo), List.of(triple))
                .build()));
        return "gateway.shanghai.test:" + gateway.port();
    }

    private static <C extends AutoCloseable> C keep(C one) {
        opened.add(0, one);
        return one;
    }

    private static TestApplication caller(String tunnel, String addresses, String fallback) {
        Map<String, String> properties = new HashMap<>();
        properties.put("highway.island", "zhejiang");
        properties.put("highway.gateways.dubbo", addresses);
        properties.put("highway.gateways.triple", addresses);
        properties.put("highway.defaults.tunnel", tunnel);
        properties.put("highway.defaults.timeout", "5s");
        properties.put("highway.islands.shanghai.fallback", fallback);
        properties.put("highway.islands.beijing.keys", "110000");
        properties.put("highway.heartbeat.interval", "none");
        return keep(new TestApplication("zhejiang", properties));
    }

    private static Shop shop(TestApplication caller) {
        Shop shop = caller.reference(Shop.class, config -> config.setUrl("dubbo://" + homeDubbo))
                .get();
        HighwayRuntime runtime = HighwayRuntime.of(caller.model());
        await().atMost(Duration.ofSeconds(20)).until(() -> runtime.policyIfEnabled().gateways().stream()
                .map(address -> runtime.gatewayState(address).state())
                .allMatch(state -> state == State.UP || state == State.UNUSED));
        return shop;
    }

    private static GenericService generic(TestApplication caller) {
        return caller.reference(GenericService.class, config -> {
                    config.setUrl("dubbo://" + homeDubbo);
                    config.setInterface(Shop.class.getName());
                    config.setGeneric("true");
                })
                .get();
    }

    /** The Triple server of Dubbo 3.2 reports a missing service by a status, as a service may. */
    static Stream<Tunnel> tunnels() {
        return Stream.of(Tunnel.values())
                .filter(tunnel -> tunnel == Tunnel.DUBBO || Version.getVersion().startsWith("3.3"));
    }

    static Stream<Arguments> tunnelsAndModes() {
        return tunnels().flatMap(tunnel -> Stream.of(Mode.values()).map(mode -> Arguments.of(tunnel, mode)));
    }

    @ParameterizedTest
    @MethodSource("tunnelsAndModes")
    void triesTheNextEndpoint_whenAnInstanceDoesNotHaveTheService(Tunnel tunnel, Mode mode) throws Throwable {
        TestApplication caller = caller(tunnel.key(), without + "," + with, "none");
        Shop shop = shop(caller);
        GenericService generic = generic(caller);
        shanghai.received.clear();

        for (int i = 0; i < 4; i++) { // both endpoints come first
            assertThat(Highway.to("shanghai").callChecked(() -> mode.sell(shop, generic, "tea")))
                    .isEqualTo("shanghai:tea");
        }

        assertThat(shanghai.received).hasSize(4);
    }

    @ParameterizedTest
    @EnumSource
    void triesTheOtherTunnel_whenAServiceIsExportedOverOneProtocolOnly(Mode mode) throws Throwable {
        TestApplication caller = caller("auto", byTripleOnly, "none");
        Shop shop = shop(caller);
        GenericService generic = generic(caller);

        assertThat(Highway.to("shanghai").callChecked(() -> mode.sell(shop, generic, "tea")))
                .isEqualTo("shanghai:tea");
    }

    @ParameterizedTest
    @MethodSource("tunnelsAndModes")
    void servesAtHome_whenNoInstanceHasTheService(Tunnel tunnel, Mode mode) throws Throwable {
        TestApplication caller = caller(tunnel.key(), without, "home");
        Shop shop = shop(caller);
        GenericService generic = generic(caller);

        assertThat(Highway.to("shanghai").callChecked(() -> mode.sell(shop, generic, "tea")))
                .isEqualTo("zhejiang:tea");
    }

    @ParameterizedTest
    @MethodSource("tunnels")
    void advises_whenNoInstanceHasTheService(Tunnel tunnel) {
        Shop shop = shop(caller(tunnel.key(), without, "none"));

        HighwayException failure = catchThrowableOfType(
                HighwayException.class, () -> Highway.to("shanghai").call(() -> shop.sell("tea")));

        assertThat(failure.reason()).isEqualTo(Reason.NO_SUCH_SERVICE);
        assertThat(failure.mayHaveRun()).isFalse();
        assertThat(failure)
                .hasMessageContaining("being restarted in shanghai, or is not deployed there")
                .hasMessageContaining("highway.islands.shanghai.fallback=home");
    }
}
