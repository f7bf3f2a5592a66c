// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.highway.sdk.Highway;
import io.highway.sdk.HighwayAttachments;
import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.HighwayOutcome;
import io.highway.sdk.dubbo.HighwayReport;
import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.internal.application.HighwayRuntime;
import io.highway.sdk.dubbo.internal.policy.Policy;
import io.highway.tools.fixtures.logs.CapturedLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A rule that leaves out islands or services that the static configuration names: said, at the swap and at a start. */
class LeftOutTest {

    private static final String NAMES_BEIJING = "version: b\nislands: {beijing: {tunnel: dubbo}}\nservices: {}\n";

    private static final String REFUSED = "policy b (file:";

    @TempDir
    Path directory;

    private final CapturedLog log = new CapturedLog();
    private Islands islands;

    @AfterEach
    void close() {
        islands.close();
        log.close();
    }

    private void publish(String rule) throws IOException {
        Path written = Files.writeString(directory.resolve("new"), rule);
        Files.move(written, rule(), StandardCopyOption.ATOMIC_MOVE);
    }

    private Path rule() {
        return directory.resolve("rule.yaml");
    }

    private Shop start(String... more) {
        Map<String, String> keys = new HashMap<>(Map.of(
                "highway.gateways.dubbo",
                "gateway.zhejiang.test:1",
                "highway.islands.shanghai.tunnel",
                "dubbo",
                "highway.services." + Shop.class.getName() + ".island",
                "shanghai",
                "highway.policy.source",
                "file:" + rule(),
                "highway.policy.directory",
                directory.toString()));
        for (int i = 0; i < more.length; i += 2) {
            keys.put(more[i], more[i + 1]);
        }
        keys.values().removeIf(String::isEmpty);
        Islands.Builder builder = Islands.builder().home("zhejiang");
        keys.forEach(builder::property);
        islands = builder.start();
        return shop(Map.of(HighwayAttachments.ISLAND, "shanghai"));
    }

    private Shop shop(Map<String, String> parameters) {
        return Shops.reference(islands, Shop.class, config -> {
            config.setCheck(false);
            config.setParameters(parameters);
        });
    }

    private Policy policy() {
        return HighwayRuntime.of(islands.application()).policy();
    }

    private String problem() {
        return HighwayReport.of(islands.application()).orElseThrow().policy().problem();
    }

    private void assertRefused(Shop shop) {
        assertThatThrownBy(() -> shop.sell("tea")).isInstanceOfSatisfying(HighwayException.class, e -> {
            assertThat(e.reason()).isEqualTo(Reason.UNKNOWN_ISLAND);
            assertThat(e.mayHaveRun()).isFalse();
            assertThat(e).hasMessageContaining(REFUSED).hasMessageContaining("leaves out island \"shanghai\"");
        });
        assertThat(HighwayOutcome.last().orElseThrow().island())
                .as("for meters")
                .isEqualTo("shanghai");
    }

    private void assertSaid() {
        assertThat(policy().missing()).satisfies(missing -> {
            assertThat(missing.islands()).containsExactly("shanghai");
            assertThat(missing.services()).containsExactly(Shop.class.getName());
        });
        assertThat(problem())
                .contains("leaves out what the static configuration names: island shanghai, services."
                        + Shop.class.getName());
        assertThat(log.lines("policy b drops the island shanghai")).hasSize(1);
        assertThat(log.lines("policy b drops services." + Shop.class.getName() + ".island"))
                .hasSize(1);
    }

    @Test
    void isSaid_whenTheRuleArrives() throws IOException {
        publish("version: a\nislands: {shanghai: {tunnel: dubbo}, beijing: {tunnel: dubbo}}\n");
        Shop shop = start();
        assertThatThrownBy(() -> shop.sell("tea"))
                .isInstanceOfSatisfying(
                        HighwayException.class, e -> assertThat(e.reason()).isEqualTo(Reason.GATEWAY_DOWN));
        assertThat(problem()).isNull();

        publish(NAMES_BEIJING);

        await().untilAsserted(() -> assertThat(log.lines("policy b refuses every call of these references (1): "
                        + Shop.class.getName() + ": island \"shanghai\" (from reference)"))
                .hasSize(1));
        assertSaid();
        assertThat(log.lines("policy b changes: "))
                .extracting(line -> line.replaceAll(".*changes: |, dubbo version.*", ""))
                .containsExactlyElementsOf(List.of(
                        "- island shanghai",
                        "- highway.islands.shanghai.tunnel: dubbo",
                        "- highway.services." + Shop.class.getName() + ".island: shanghai"));
        assertRefused(shop);

        publish("version: c\nuse-static: true\n");

        await().until(() -> policy().version().equals("c"));
        assertThat(problem()).isNull();
    }

    @Test
    void isSaid_andStartsTheApplication_whenItBeginsWithTheRule() throws IOException {
        publish(NAMES_BEIJING);

        Shop shop = start();

        assertSaid();
        assertThat(log.lines("reference to " + Shop.class.getName() + " asks for island \"shanghai\" (from reference)"))
                .singleElement()
                .asString()
                .contains("its calls are refused: " + REFUSED)
                .contains("Publish a rule with islands.shanghai");
        assertRefused(shop);
    }

    @ParameterizedTest
    @ValueSource(strings = {"310000", "31 01"}) // the second one cannot be an island's id
    void isSaid_ofKeys_whenTheRuleHasTheIslandWithoutThem(String key) throws IOException {
        publish("version: b\nislands: {shanghai: {tunnel: dubbo}, beijing: {tunnel: dubbo}}\n");
        Object unused = start("highway.islands.shanghai.keys", "310000,31*", "highway.islands.zhejiang.keys", "330000");
        Shop shop = shop(Map.of());

        assertThatThrownBy(() -> shop.sellIn(key, "tea")).isInstanceOfSatisfying(HighwayException.class, e -> {
            assertThat(e.reason()).isEqualTo(Reason.UNKNOWN_ISLAND);
            assertThat(e)
                    .hasMessageContaining(REFUSED)
                    .hasMessageContaining("which means shanghai in the static configuration");
        });
        assertThat(HighwayOutcome.last().orElseThrow().island()).isEqualTo("shanghai");
        assertThat(log.lines("policy b drops keys of the island shanghai")).hasSize(1);
        assertThat(problem()).endsWith("names: keys of shanghai, keys of zhejiang"); // home itself is not left out
    }

    @Test
    void startsTheApplication_whenTheRuleHasTheIslandWithoutAGateway() throws IOException {
        String there = "gateway.zhejiang.test:1";
        publish("version: b\nislands:\n  shanghai: {tunnel: dubbo}\n  beijing: {gateways: {dubbo: '%s'}}\n"
                .formatted(there));

        Shop shop = start(
                "highway.gateways.dubbo", "",
                "highway.islands.shanghai.gateways.dubbo", there,
                "highway.islands.beijing.gateways.dubbo", there);

        assertThat(log.lines("reference to " + Shop.class.getName() + " asks for island \"shanghai\" (from reference)"))
                .singleElement()
                .asString()
                .contains("its calls are refused: no gateway is configured")
                .contains("(policy b from file:");
        assertThatThrownBy(() -> shop.sell("tea"))
                .isInstanceOfSatisfying(
                        HighwayException.class, e -> assertThat(e.reason()).isEqualTo(Reason.NO_GATEWAY));
    }

    @Test
    void isNamedInMeters_whenOnlyAnEarlierRuleHadTheIsland() throws IOException {
        publish("version: a\nislands: {shanghai: {retries: 0}, beijing: {retries: 0}, hangzhou: {retries: 0}}\n");
        Shop shop = start();

        publish("version: b\nislands: {shanghai: {retries: 0}, beijing: {retries: 0}}\n");

        await().until(() -> policy().version().equals("b"));
        assertThatThrownBy(() -> Highway.to("hangzhou").call(() -> shop.sell("tea")))
                .isInstanceOfSatisfying(
                        HighwayException.class, e -> assertThat(e.reason()).isEqualTo(Reason.UNKNOWN_ISLAND));
        assertThat(HighwayOutcome.last().orElseThrow().island()).isEqualTo("hangzhou");
        assertThat(problem()).as("an island may leave").isNull();
    }

    @Test
    void isNamedInMeters_whenOnlyARuleHadTheIsland_andTheStaticConfigurationReturns() throws IOException {
        publish("version: a\nislands: {shanghai: {retries: 0}, beijing: {retries: 0}, hangzhou: {retries: 0}}\n");
        Shop shop = start("highway.islands.beijing.retries", "0");

        publish("version: b\nuse-static: true\n");

        await().until(() -> policy().version().equals("b"));
        assertThatThrownBy(() -> Highway.to("hangzhou").call(() -> shop.sell("tea")))
                .isInstanceOfSatisfying(
                        HighwayException.class, e -> assertThat(e.reason()).isEqualTo(Reason.UNKNOWN_ISLAND));
        assertThat(HighwayOutcome.last().orElseThrow().island()).isEqualTo("hangzhou");
    }

    @Test
    void isNotSaid_ofKeysThatMeanTheSame_byAnotherPattern() throws IOException {
        publish(
                "version: b\nislands: {shanghai: {tunnel: dubbo, keys: '3*'}, beijing: {tunnel: dubbo, keys: '4401'}}\n");

        Object unused = start(
                "highway.islands.shanghai.keys", "310000,31*,shanghai",
                "highway.islands.beijing.keys", "3101,4401");

        assertThat(policy().missing().keys()).as("3101 means shanghai now").isEqualTo(Map.of("3101", "beijing"));
    }
}
