// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static io.highway.sdk.dubbo.it.FeatureRow.Effect.APPLIED;
import static io.highway.sdk.dubbo.it.FeatureRow.Effect.NOT_APPLIED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.highway.sdk.Highway;
import io.highway.sdk.HighwayAttachments;
import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.Reason;
import io.highway.tools.fixtures.logs.CapturedLog;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.dubbo.common.config.configcenter.DynamicConfiguration;
import org.apache.dubbo.common.config.configcenter.wrapper.CompositeDynamicConfiguration;
import org.apache.dubbo.config.ReferenceConfig;
import org.apache.dubbo.rpc.RpcContext;
import org.apache.dubbo.rpc.RpcException;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Rules that an operator publishes to Dubbo's config centre, a real ZooKeeper: the second table of {@code
 * docs/reference/dubbo-features.md}.
 */
@Tag("network")
class DynamicRulesTest {

    private static final String GROUP = "blue";
    private static final String VERSION = "2.0.0";
    private static final String CONSUMER = "rules-consumer";
    private static final String PROVIDER = "rules-provider";
    private static final String SERVICE = Shop.class.getName() + ":" + VERSION + ":" + GROUP;
    private static final String OF_THE_SERVICE = SERVICE + ".configurators";
    private static final String OF_THE_APPLICATION = CONSUMER + ".configurators";

    /** Registries by their ids, see {@code TestApplication}. */
    private static final String FULL = "registry0";

    private static final String EMPTY = "registry1";

    private static Star star;
    private static RegistryServer registry;
    private static RegistryServer emptyRegistry;

    /**
     * The only one that listens to these rules in this JVM: Dubbo's ZooKeeper client keeps the nodes that are watched
     * in a static map, and notifies the first one.
     */
    private static TestApplication consumer;

    private static DynamicConfiguration centre;

    @BeforeAll
    static void start() {
        star = new Star();
        registry = new RegistryServer();
        emptyRegistry = new RegistryServer();
        TestApplication provider = star.closing(new TestApplication(
                PROVIDER, "zhejiang", Map.of("highway.island", "zhejiang", "enable-configuration-listen", "false")));
        provider.registries(registry.url());
        provider.listen("dubbo");
        provider.export(Shop.class, new ShopKeeper("registered"), service -> {
                    service.setGroup(GROUP);
                    service.setVersion(VERSION);
                })
                .start();
        Map<String, String> properties = star.properties(
                Tunnel.DUBBO, "highway.islands.beijing.tunnel", "triple"); // so each island represents a tunnel
        properties.remove("highway.defaults.timeout"); // an island's timeout is stronger than a reference's
        consumer = star.closing(new TestApplication(CONSUMER, "zhejiang", properties));
        consumer.registries(registry.url(), emptyRegistry.url());
        shop("FORCE_INTERFACE", config -> {}, FULL);
        centre = consumer.model()
                .getDefaultModule()
                .modelEnvironment()
                .getDynamicConfiguration()
                .orElseThrow();
        publish(
                "kept",
                "for the group: each minute ZooKeeper removes groups without keys, and Dubbo does not make them again");
    }

    @AfterEach
    void removeRules() {
        Stream.of(OF_THE_SERVICE, OF_THE_APPLICATION).forEach(DynamicRulesTest::remove);
        Stream.of(SERVICE + ".condition-router", PROVIDER + ".tag-router", PROVIDER + ".script-router")
                .forEach(DynamicRulesTest::remove);
    }

    @AfterAll
    static void stop() {
        star.close();
        registry.close();
        emptyRegistry.close();
    }

    private static Shop shop(String step, Consumer<ReferenceConfig<Shop>> customizer, String... registries) {
        return consumer.reference(Shop.class, config -> {
                    config.setGroup(GROUP);
                    config.setVersion(VERSION);
                    config.setTimeout(20_000);
                    config.setCheck(false);
                    config.setRegistryIds(String.join(",", registries));
                    config.setParameters(new HashMap<>(Map.of("migration.step", step)));
                    customizer.accept(config);
                })
                .get();
    }

    private static Shop shop() {
        return shop("FORCE_INTERFACE", config -> {}, FULL);
    }

    private static String island(Tunnel tunnel) {
        return tunnel == Tunnel.DUBBO ? "shanghai" : "beijing";
    }

    private static Shop far(Tunnel tunnel, Shop shop) {
        return Highway.to(island(tunnel)).bind(Shop.class, shop);
    }

    private static void publish(String key, String content) {
        await().atMost(Duration.ofSeconds(20)) // its client may be connecting again
                .until(() -> centre.publishConfig(key, DynamicConfiguration.DEFAULT_GROUP, content));
    }

    private static void remove(String key) {
        ((CompositeDynamicConfiguration) centre)
                .getInnerConfigurations()
                .forEach(one -> one.removeConfig(key, DynamicConfiguration.DEFAULT_GROUP));
    }

    private static String override(String scope, String key, String parameters) {
        return """
                configVersion: v3.0
                scope: %s
                key: %s
                enabled: true
                configs:
                  - side: consumer
                    parameters: {%s}
                """
                .formatted(scope, key, parameters);
    }

    private static String override(String parameters) {
        return override("service", GROUP + "/" + Shop.class.getName() + ":" + VERSION, parameters);
    }

    private static ConditionFactory inTime() {
        return await().atMost(Duration.ofSeconds(20)).pollInterval(Duration.ofMillis(50));
    }

    private static void awaitTimeout(Shop far) {
        inTime().untilAsserted(() -> assertThatThrownBy(() -> far.slow(1_000))
                .isInstanceOfSatisfying(
                        HighwayException.class, e -> assertThat(e.reason()).isEqualTo(Reason.TIMEOUT)));
    }

    private static void awaitNoTimeout(Shop far) {
        inTime().ignoreExceptionsInstanceOf(HighwayException.class)
                .untilAsserted(() -> assertThat(far.slow(600)).endsWith(":600"));
    }

    static Stream<Arguments> tunnelsAndDiscoveries() {
        return Stream.of(Tunnel.values())
                .flatMap(tunnel -> Stream.of("FORCE_INTERFACE", "APPLICATION_FIRST", "FORCE_APPLICATION")
                        .map(step -> Arguments.of(tunnel, step)));
    }

    @ParameterizedTest
    @MethodSource("tunnelsAndDiscoveries")
    @FeatureRow(value = "override of a service: `timeout` and other parameters", on = APPLIED)
    void followsAServicesOverride_whenItIsPublishedLater_andRemoved(Tunnel tunnel, String step) {
        Shop far = far(tunnel, shop(step, config -> {}, FULL));
        awaitNoTimeout(far);

        publish(OF_THE_SERVICE, override("timeout: 200"));
        awaitTimeout(far);
        remove(OF_THE_SERVICE);
        awaitNoTimeout(far);
    }

    @ParameterizedTest
    @EnumSource
    @FeatureRow(value = "override that is active when the reference starts", on = APPLIED)
    void followsAnOverride_whenItWasThereFirst_andIsRemoved(Tunnel tunnel) {
        publish(OF_THE_SERVICE, override("timeout: 200"));
        Shop far = far(tunnel, shop("FORCE_APPLICATION", config -> {}, FULL));

        awaitTimeout(far);
        remove(OF_THE_SERVICE);
        awaitNoTimeout(far);
    }

    @ParameterizedTest
    @EnumSource
    @FeatureRow(value = "override of an application", on = APPLIED)
    void followsAnApplicationsOverride(Tunnel tunnel) {
        Shop far = far(tunnel, shop());
        awaitNoTimeout(far);

        publish(OF_THE_APPLICATION, override("application", CONSUMER, "timeout: 200"));
        awaitTimeout(far);
        remove(OF_THE_APPLICATION);
        awaitNoTimeout(far);
    }

    @ParameterizedTest
    @EnumSource
    @FeatureRow(value = "override, with several registries", on = APPLIED)
    void followsAnOverride_withTwoRegistries(Tunnel tunnel) {
        Shop far = far(tunnel, shop("FORCE_INTERFACE", config -> {}, FULL, EMPTY));
        awaitNoTimeout(far);

        publish(OF_THE_SERVICE, override("timeout: 200"));
        awaitTimeout(far);
        remove(OF_THE_SERVICE);
        awaitNoTimeout(far);
    }

    @ParameterizedTest
    @EnumSource
    @FeatureRow(value = "override of a service that home does not have", on = APPLIED)
    void followsAnOverride_whenHomeHasNoProvider(Tunnel tunnel) {
        Shop far = shop(
                "APPLICATION_FIRST",
                config -> config.getParameters().put(HighwayAttachments.ISLAND, island(tunnel)),
                EMPTY);
        awaitNoTimeout(far);

        publish(OF_THE_SERVICE, override("timeout: 200"));
        awaitTimeout(far);
        remove(OF_THE_SERVICE);
        awaitNoTimeout(far);
    }

    @ParameterizedTest
    @EnumSource
    @FeatureRow(value = "override of a method: `slow.timeout`", on = APPLIED)
    void losesNoCall_whenRulesChangeUnderLoad(Tunnel tunnel) {
        Shop far = far(tunnel, shop());
        awaitNoTimeout(far);

        for (Callers.CallForm form : Callers.CallForm.values()) {
            try (Callers callers = new Callers(far, form)) {
                for (int i = 0; i < 20; i++) {
                    publish(OF_THE_SERVICE, override("sell.timeout: 1%d000, slow.timeout: 200".formatted(i)));
                    callers.awaitMoreOfEach(5);
                }
                awaitTimeout(far);
                callers.assertNothingFailed();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    @FeatureRow(value = "override with `mock: fail:...`", on = APPLIED)
    void followsAMock(Tunnel tunnel) {
        Shop shop = shop();
        Shop atlantis = Highway.to("atlantis").bind(Shop.class, shop);
        assertThatThrownBy(() -> atlantis.sell("tea")).isInstanceOf(HighwayException.class);

        publish(OF_THE_SERVICE, override("mock: 'fail:return mocked'"));
        inTime().untilAsserted(() ->
                assertThat(catchThrowable(() -> atlantis.sell("tea"))).isNull());
        assertThat(atlantis.sell("tea")).isEqualTo("mocked");
        assertThat(far(tunnel, shop).sell("tea")).endsWith(":tea");
        remove(OF_THE_SERVICE);
        inTime().untilAsserted(
                        () -> assertThatThrownBy(() -> atlantis.sell("tea")).isInstanceOf(HighwayException.class));
    }

    @ParameterizedTest
    @EnumSource
    @FeatureRow(value = "override with `mock: force:...`", on = NOT_APPLIED)
    void passesOverAForcedMock(Tunnel tunnel) {
        Shop shop = shop();

        publish(OF_THE_SERVICE, override("mock: 'force:return mocked'"));

        inTime().untilAsserted(() -> assertThat(shop.sell("tea")).isEqualTo("mocked"));
        assertThat(far(tunnel, shop).sell("tea")).endsWith(":tea");
    }

    @ParameterizedTest
    @EnumSource
    @FeatureRow(value = "override with `cache`, `actives`, `cluster`, `loadbalance`, `retries`", on = NOT_APPLIED)
    void passesOverWhatBelongsToHome(Tunnel tunnel) {
        Shop shop = shop();

        publish(OF_THE_SERVICE, override("cache: threadlocal, timeout: 200, cluster: failsafe, retries: 5"));
        awaitTimeout(far(tunnel, shop));

        String item = "cached-" + tunnel;
        inTime().ignoreExceptionsInstanceOf(RpcException.class) // a busy machine may need more than 200 ms
                .untilAsserted(() -> {
                    assertThat(Highway.to("shanghai").call(() -> shop.sell(item)))
                            .isEqualTo("shanghai-blue:" + item);
                    assertThat(Highway.to("beijing").call(() -> shop.sell(item)))
                            .isEqualTo("beijing-blue:" + item);
                    assertThat(shop.sell(item)).isEqualTo("registered:" + item);
                });
    }

    @ParameterizedTest
    @EnumSource
    @FeatureRow(value = "override with `highway-island`, `highway-when`", on = NOT_APPLIED)
    void passesOverAnIslandInARule(Tunnel tunnel) {
        publish(OF_THE_SERVICE, override("highway-island: beijing, timeout: 200"));
        Shop shop = shop("FORCE_APPLICATION", config -> {}, FULL);
        awaitTimeout(far(tunnel, shop));

        assertThat(shop.sell("tea")).isEqualTo("registered:tea");
    }

    @ParameterizedTest
    @EnumSource
    @FeatureRow(value = "override with `disabled: true`", on = NOT_APPLIED)
    void reachesTheIsland_whenHomesProvidersAreDisabled(Tunnel tunnel) {
        Shop far = far(tunnel, shop());

        publish(OF_THE_SERVICE, override("disabled: true, timeout: 200"));
        awaitTimeout(far);

        assertThat(far.sell("tea")).endsWith("-blue:tea");
    }

    private static void awaitNoProvider(Shop shop) {
        inTime().untilAsserted(() -> assertThatThrownBy(() -> shop.sell("tea"))
                .isExactlyInstanceOf(RpcException.class)
                .hasMessageContaining("No provider"));
    }

    @ParameterizedTest
    @EnumSource
    @FeatureRow(value = "condition route", on = NOT_APPLIED)
    void reachesTheIsland_whenAConditionAllowsNoProvider(Tunnel tunnel) {
        Shop shop = shop();

        publish(
                SERVICE + ".condition-router",
                """
                configVersion: v3.0
                scope: service
                key: %s
                force: true
                enabled: true
                runtime: true
                conditions: ["=> host = 192.0.2.1"]
                """
                        .formatted(Shop.class.getName()));

        awaitNoProvider(shop);
        assertThat(far(tunnel, shop).sell("tea")).endsWith("-blue:tea");
    }

    private static String tagged(Shop shop) {
        RpcContext.getClientAttachment().setAttachment("dubbo.tag", "gray");
        return shop.sell("tea");
    }

    @ParameterizedTest
    @EnumSource
    @FeatureRow(value = "tag route", on = NOT_APPLIED)
    void reachesTheIsland_whenATagAllowsNoProvider(Tunnel tunnel) {
        Shop shop = shop();

        publish(
                PROVIDER + ".tag-router",
                """
                configVersion: v3.0
                key: %s
                force: true
                enabled: true
                runtime: true
                tags:
                  - name: gray
                    addresses: ["192.0.2.1:20880"]
                """
                        .formatted(PROVIDER));

        inTime().untilAsserted(() -> assertThatThrownBy(() -> tagged(shop)).hasMessageContaining("No provider"));
        assertThat(tagged(far(tunnel, shop))).endsWith("-blue:tea");
    }

    @ParameterizedTest
    @EnumSource
    @FeatureRow(value = "script route", on = NOT_APPLIED)
    void reachesTheIsland_whateverAScriptRoutes(Tunnel tunnel) {
        Shop shop = shop();
        assertThat(shop.sell("tea")).isEqualTo("registered:tea");

        try (CapturedLog log = new CapturedLog()) {
            publish(
                    PROVIDER + ".script-router",
                    """
                    configVersion: v3.0
                    key: %s
                    force: true
                    enabled: true
                    runtime: true
                    type: javascript
                    script: "[]"
                    """
                            .formatted(PROVIDER));
            // The JDK has no engine for it, so all that shows of the rule at home is that it cannot be read.
            inTime().untilAsserted(
                            () -> assertThat(log.lines("AppScriptStateRouter")).isNotEmpty());
        }

        assertThat(far(tunnel, shop).sell("tea")).endsWith("-blue:tea");
    }
}
