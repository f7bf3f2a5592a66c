// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.highway.sdk.Highway;
import io.highway.sdk.HighwayAttachments;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.dubbo.config.ReferenceConfig;
import org.apache.dubbo.rpc.RpcException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Every kind of reference: registries and discoveries, direct, in the same JVM, with a mock, with nobody at home. */
@Tag("network")
class ReferencesTest {

    private static Star star;
    private static RegistryServer registry;
    private static RegistryServer emptyRegistry;
    private static RegistryServer fillingRegistry;

    @BeforeAll
    static void start() {
        star = new Star();
        registry = new RegistryServer();
        emptyRegistry = new RegistryServer();
        fillingRegistry = new RegistryServer();
        TestApplication provider = star.closing(new TestApplication("zhejiang", Map.of("highway.island", "zhejiang")));
        provider.registries(registry.url());
        provider.listen("dubbo");
        provider.export(Shop.class, new ShopKeeper("registered"), service -> {}).start();
    }

    @AfterAll
    static void stop() {
        star.close();
        registry.close();
        emptyRegistry.close();
        fillingRegistry.close();
    }

    static Stream<Arguments> tunnelsAndDiscoveries() {
        return Stream.of(Tunnel.values())
                .flatMap(tunnel -> Stream.of("FORCE_INTERFACE", "APPLICATION_FIRST", "FORCE_APPLICATION")
                        .map(step -> Arguments.of(tunnel, step)));
    }

    private static Shop registered(
            Tunnel tunnel, String step, Consumer<ReferenceConfig<Shop>> customizer, String... registries) {
        TestApplication consumer =
                star.consumer(star.properties(tunnel, "dubbo.application.service-discovery.migration", step));
        consumer.registries(registries);
        return consumer.reference(Shop.class, customizer).get();
    }

    @ParameterizedTest
    @MethodSource("tunnelsAndDiscoveries")
    void routesAndStaysHome_withARegistry(Tunnel tunnel, String step) {
        Shop shop = registered(tunnel, step, config -> {}, registry.url());

        assertThat(shop.sell("tea")).isEqualTo("registered:tea");
        assertThat(Highway.to("shanghai").call(() -> shop.sell("tea"))).isEqualTo("shanghai:tea");
        assertThat(shop.sell("tea")).isEqualTo("registered:tea");
    }

    @ParameterizedTest
    @MethodSource("tunnelsAndDiscoveries")
    void startsWithoutAHomeProvider_whenBoundToAnIsland(Tunnel tunnel, String step) {
        Shop shop = registered(
                tunnel,
                step,
                config -> {
                    config.setCheck(true);
                    config.setParameters(new HashMap<>(Map.of(HighwayAttachments.ISLAND, "shanghai")));
                },
                emptyRegistry.url());

        assertThat(shop.sell("tea")).isEqualTo("shanghai:tea");
    }

    @ParameterizedTest
    @EnumSource
    void failsAsPlainDubboDoes_whenUnboundAndHomeHasNoProvider(Tunnel tunnel) {
        assertThatThrownBy(() ->
                        registered(tunnel, "FORCE_INTERFACE", config -> config.setCheck(true), emptyRegistry.url()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("No provider available for the service");

        Shop unchecked = registered(tunnel, "FORCE_INTERFACE", config -> config.setCheck(false), emptyRegistry.url());
        assertThatThrownBy(() -> unchecked.sell("tea"))
                .isExactlyInstanceOf(RpcException.class)
                .hasMessageContaining("No provider available");
        assertThat(Highway.to("shanghai").call(() -> unchecked.sell("tea"))).isEqualTo("shanghai:tea");
    }

    @Test
    void failsAsPlainDubboDoes_whenBoundToHomeWithoutProvider() {
        assertThatThrownBy(() -> registered(
                        Tunnel.DUBBO,
                        "FORCE_INTERFACE",
                        config -> {
                            config.setCheck(true);
                            config.setParameters(new HashMap<>(Map.of(HighwayAttachments.ISLAND, "zhejiang")));
                        },
                        emptyRegistry.url()))
                .isInstanceOf(IllegalStateException.class);
    }

    @ParameterizedTest
    @EnumSource
    void routesForEver_withTwoRegistries_whenAHomeCallFailedOnce(Tunnel tunnel) {
        Shop shop = registered(
                tunnel,
                "FORCE_INTERFACE",
                config -> config.setCheck(false),
                emptyRegistry.url(),
                "zookeeper://registry2.test:" + emptyRegistry.url().replaceAll(".*:", ""));

        assertThat(Highway.to("shanghai").call(() -> shop.sell("tea"))).isEqualTo("shanghai:tea");
        assertThatThrownBy(() -> shop.sell("tea")).isInstanceOf(RpcException.class);
        for (int i = 0; i < 5; i++) {
            assertThat(Highway.to("shanghai").call(() -> shop.sell("tea"))).isEqualTo("shanghai:tea");
        }
    }

    @ParameterizedTest
    @EnumSource
    void staysHome_withTwoRegistries_whereOneIsEmpty(Tunnel tunnel) {
        Shop shop = registered(tunnel, "FORCE_INTERFACE", config -> {}, registry.url(), emptyRegistry.url());

        for (int i = 0; i < 20; i++) {
            assertThat(shop.sell("tea")).isEqualTo("registered:tea");
        }
        assertThat(Highway.to("beijing").call(() -> shop.sell("tea"))).isEqualTo("beijing:tea");
    }

    @ParameterizedTest
    @EnumSource
    void staysHome_withTwoRegistriesAndABoundReference_whenHomeIsForced(Tunnel tunnel) {
        Shop shop = registered(
                tunnel,
                "FORCE_INTERFACE",
                config -> config.setParameters(new HashMap<>(Map.of(HighwayAttachments.ISLAND, "shanghai"))),
                registry.url(),
                emptyRegistry.url());

        assertThat(shop.sell("tea")).isEqualTo("shanghai:tea");
        for (int i = 0; i < 20; i++) {
            assertThat(Highway.home().call(() -> shop.sell("tea"))).isEqualTo("registered:tea");
        }
    }

    @ParameterizedTest
    @EnumSource
    void leavesTheJvm_whenTheServiceIsExportedInIt(Tunnel tunnel) {
        TestApplication both = star.consumer(star.properties(tunnel));
        both.registries(emptyRegistry.url());
        both.listen("dubbo");
        both.export(Shop.class, new ShopKeeper("same-jvm"), service -> service.setRegister(false))
                .start();
        Shop shop = both.reference(Shop.class, config -> config.setCheck(false)).get();

        assertThat(shop.sell("tea")).isEqualTo("same-jvm:tea");
        assertThat(Highway.to("shanghai").call(() -> shop.sell("tea"))).isEqualTo("shanghai:tea");
        assertThat(shop.sell("tea")).isEqualTo("same-jvm:tea");
    }

    @ParameterizedTest
    @EnumSource
    void reachesTheIsland_whenTheReferenceHasAMock(Tunnel tunnel) {
        // By registry: Dubbo takes the provider of a direct reference for its mock.
        Shop forced =
                registered(tunnel, "FORCE_INTERFACE", config -> config.setMock("force:return mocked"), registry.url());
        Shop onFailure =
                registered(tunnel, "FORCE_INTERFACE", config -> config.setMock("fail:return mocked"), registry.url());

        assertThat(forced.sell("tea")).isEqualTo("mocked");
        assertThat(Highway.to("shanghai").call(() -> forced.sell("tea"))).isEqualTo("shanghai:tea");
        assertThat(Highway.to("shanghai").call(() -> onFailure.sell("tea"))).isEqualTo("shanghai:tea");
        assertThat(Highway.to("atlantis").call(() -> onFailure.sell("tea"))).isEqualTo("mocked");
    }

    @ParameterizedTest
    @EnumSource
    void isServedByTheMockOfTheMethod_whenTheReferenceHasNone(Tunnel tunnel) {
        Map<String, String> mock = Map.of("sell.mock", "fail:return mocked");
        Shop shop = registered(
                tunnel, "FORCE_INTERFACE", config -> config.setParameters(new HashMap<>(mock)), registry.url());

        assertThat(Highway.to("shanghai").call(() -> shop.sell("tea"))).isEqualTo("shanghai:tea");
        assertThat(Highway.to("atlantis").call(() -> shop.sell("tea"))).isEqualTo("mocked");
    }

    @ParameterizedTest
    @EnumSource
    void prefersHome_whenTheIslandIsForAnAbsentServiceOnly(Tunnel tunnel) {
        Map<String, String> homeAbsent = Map.of(HighwayAttachments.ISLAND, "shanghai", "highway-when", "home-absent");
        Shop present = registered(
                tunnel, "FORCE_INTERFACE", config -> config.setParameters(new HashMap<>(homeAbsent)), registry.url());
        Shop absent = registered(
                tunnel,
                "FORCE_INTERFACE",
                config -> config.setParameters(new HashMap<>(homeAbsent)),
                emptyRegistry.url());

        assertThat(present.sell("tea")).isEqualTo("registered:tea");
        assertThat(absent.sell("tea")).isEqualTo("shanghai:tea");
    }

    @Test
    void comesHome_whenTheServiceAppearsThere() {
        Map<String, String> homeAbsent = Map.of(HighwayAttachments.ISLAND, "shanghai", "highway-when", "home-absent");
        Shop shop = registered(
                Tunnel.DUBBO,
                "APPLICATION_FIRST",
                config -> config.setParameters(new HashMap<>(homeAbsent)),
                fillingRegistry.url());
        assertThat(shop.sell("tea")).isEqualTo("shanghai:tea");

        TestApplication late = star.closing(new TestApplication("zhejiang", Map.of("highway.island", "zhejiang")));
        late.registries(fillingRegistry.url());
        late.listen("dubbo");
        late.export(Shop.class, new ShopKeeper("late"), service -> {}).start();

        await().untilAsserted(() -> assertThat(shop.sell("tea")).isEqualTo("late:tea"));
    }
}
