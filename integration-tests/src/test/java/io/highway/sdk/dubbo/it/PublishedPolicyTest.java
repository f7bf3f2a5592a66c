// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.highway.sdk.Highway;
import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.HighwayReport;
import io.highway.sdk.dubbo.Reason;
import io.highway.tools.fixtures.logs.CapturedLog;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.dubbo.common.config.configcenter.DynamicConfiguration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Calls follow the policy that an operator publishes in Dubbo's config centre, a real ZooKeeper, without a restart. */
@Tag("network")
class PublishedPolicyTest {

    private static Star star;
    private static RegistryServer server;

    /** Of all tests, since the SDK writes there until its application is closed. */
    @TempDir
    static Path directory;

    @BeforeAll
    static void start() {
        star = new Star();
        server = new RegistryServer();
    }

    @AfterAll
    static void stop() {
        star.close();
        server.close();
    }

    private static void publish(TestApplication application, String rule) {
        DynamicConfiguration center =
                application.model().modelEnvironment().getDynamicConfiguration().orElseThrow();
        await().atMost(Duration.ofSeconds(20))
                .until(() -> center.publishConfig("highway.policy", DynamicConfiguration.DEFAULT_GROUP, rule));
    }

    private static HighwayReport.Policy policy(TestApplication application) {
        return HighwayReport.of(application.model()).orElseThrow().policy();
    }

    private static void awaitPolicy(TestApplication application, String state, String version) {
        await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> {
            assertThat(policy(application).state()).hasToString(state);
            assertThat(policy(application).version()).isEqualTo(version);
        });
    }

    @ParameterizedTest
    @EnumSource
    void callsFollowThePolicyThatIsPublished(Tunnel tunnel) {
        Map<String, String> properties = star.properties(tunnel);
        properties.keySet().removeIf(key -> key.startsWith("highway.islands."));
        properties.put("highway.islands.beijing.tunnel", tunnel.key());
        properties.put(
                "highway.policy.directory",
                directory.resolve("calls-" + tunnel.key()).toString());
        properties.put("dubbo.config-center.address", server.url());
        properties.put("dubbo.config-center.namespace", "calls-" + tunnel.key());
        TestApplication consumer = star.consumer(properties);
        Shop shop = consumer.reference(Shop.class, config -> config.setUrl("dubbo://" + star.homeDubbo))
                .get();
        Shop beijing = Highway.to("beijing").bind(Shop.class, shop);
        Shop shanghai = Highway.to("shanghai").bind(Shop.class, shop);
        assertThat(beijing.sell("tea")).isEqualTo("beijing:tea");
        assertUnknown(shanghai, "static");

        publish(
                consumer,
                "version: v1\nislands: {beijing: {tunnel: %s}, shanghai: {tunnel: %s}}"
                        .formatted(tunnel.key(), tunnel.key()));
        awaitPolicy(consumer, "accepted", "v1");
        assertThat(shanghai.sell("tea")).isEqualTo("shanghai:tea");
        publish(consumer, "version: v2\nislands:\n  shanghai: {tunnel: both}");
        awaitPolicy(consumer, "refused", "v1");
        assertThat(policy(consumer).refusal()).isNotNull().satisfies(refusal -> assertThat(refusal.key())
                .isEqualTo("highway.islands.shanghai.tunnel"));
        assertThat(Stream.of(beijing.sell("tea"), shanghai.sell("tea"))).containsExactly("beijing:tea", "shanghai:tea");
        publish(consumer, "version: v3\nislands: {shanghai: {tunnel: %s}}".formatted(tunnel.key()));
        awaitPolicy(consumer, "accepted", "v3");
        assertUnknown(beijing, "v3");
        publish(consumer, "version: v4\nuse-static: true");
        awaitPolicy(consumer, "accepted", "v4");
        assertThat(beijing.sell("tea")).isEqualTo("beijing:tea");
        assertUnknown(shanghai, "v4");
    }

    @Test
    void isMissedInTheLog_whenItsFileCannotBeReadAtTheStart() {
        Map<String, String> properties = star.properties(Tunnel.TRIPLE);
        properties.put("highway.policy.source", "file:" + directory); // no regular file
        try (CapturedLog log = new CapturedLog()) {
            TestApplication consumer = star.consumer(properties);
            Shop shop = consumer.reference(Shop.class, config -> config.setUrl("dubbo://" + star.homeDubbo))
                    .get();
            assertThat(Highway.to("shanghai").bind(Shop.class, shop).sell("tea"))
                    .isEqualTo("shanghai:tea");

            assertThat(log.lines("the active policy stays")).singleElement().satisfies(line -> assertThat(line)
                    .contains("WARN", "file:" + directory + " cannot be read", "not a regular file"));
        }
    }

    @ParameterizedTest
    @EnumSource
    void noRuleAllowsWhatIsDeniedStatically_norSetsWhatIsFixed(Tunnel tunnel) {
        Map<String, String> properties = star.properties(tunnel);
        properties.put("highway.islands.shanghai.deny", "sell");
        properties.put("highway.policy.fixed", "idempotent,fallback");
        properties.put(
                "highway.policy.directory",
                directory.resolve("fixed-" + tunnel.key()).toString());
        properties.put("dubbo.config-center.address", server.url());
        properties.put("dubbo.config-center.namespace", "fixed-" + tunnel.key());
        TestApplication consumer = star.consumer(properties);
        Shop shanghai = Highway.to("shanghai")
                .bind(
                        Shop.class,
                        consumer.reference(Shop.class, config -> config.setUrl("dubbo://" + star.homeDubbo))
                                .get());
        assertDenied(shanghai);

        publish(consumer, "version: v1\nislands: {shanghai: {tunnel: %s, deny: []}}".formatted(tunnel.key()));
        awaitPolicy(consumer, "accepted", "v1");
        assertDenied(shanghai);
        for (String key : List.of("idempotent: sell", "fallback: home")) {
            publish(consumer, "version: v2\nislands: {shanghai: {timeout: 5s, %s}}".formatted(key));
            awaitPolicy(consumer, "refused", "v1");
            assertThat(policy(consumer).refusal()).isNotNull().satisfies(refusal -> assertThat(refusal.reason())
                    .contains("highway.policy.fixed"));
            publish(consumer, "version: v1\nislands: {shanghai: {tunnel: %s, deny: []}}".formatted(tunnel.key()));
            awaitPolicy(consumer, "accepted", "v1");
        }
        assertDenied(shanghai);
    }

    private static void assertDenied(Shop shop) {
        assertThatThrownBy(() -> shop.sell("tea"))
                .isInstanceOfSatisfying(
                        HighwayException.class, e -> assertThat(e.reason()).isEqualTo(Reason.DENIED));
    }

    private static void assertUnknown(Shop shop, String version) {
        assertThatThrownBy(() -> shop.sell("tea"))
                .isInstanceOfSatisfying(
                        HighwayException.class, e -> assertThat(e.reason()).isEqualTo(Reason.UNKNOWN_ISLAND))
                .hasMessageContaining("policy " + version);
    }
}
