// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.highway.sdk.HighwayAttachments;
import io.highway.sdk.dubbo.HighwayConfigurationException;
import io.highway.tools.fixtures.logs.CapturedLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.dubbo.config.ReferenceConfig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a wrong configuration does to a start-up. */
@Tag("network")
class StartUpTest {

    private final List<TestApplication> opened = new ArrayList<>();

    @AfterEach
    void stop() {
        opened.forEach(TestApplication::close);
    }

    private TestApplication application(Map<String, String> properties) {
        TestApplication application = new TestApplication("zhejiang", properties);
        opened.add(application);
        return application;
    }

    private static Map<String, String> valid() {
        return new HashMap<>(Map.of(
                "highway.island", "zhejiang",
                "highway.gateways.dubbo", "gateway.zhejiang.test:1",
                "highway.islands.shanghai.tunnel", "auto"));
    }

    private ReferenceConfig<Shop> reference(Map<String, String> properties, String... parameters) {
        Map<String, String> all = new HashMap<>();
        for (int i = 0; i < parameters.length; i += 2) {
            all.put(parameters[i], parameters[i + 1]);
        }
        return application(properties).reference(Shop.class, config -> {
            config.setUrl("dubbo://zhejiang.test:1");
            config.setCheck(false);
            config.setParameters(all);
        });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "highway.island|Zhejiang|is not an island id",
                "highway.islands.shanghai.tunnel|dubo|Did you mean \"dubbo\"?",
                "highway.gateways.dubbo|gateway.zhejiang.test|host:port",
                "highway.islands.shanghai.timeout|fast|a duration",
                "highway.islands.shanghai.tunel|auto|Did you mean \"tunnel\"?",
                "highway.islands.shanghai.tunnel|triple|contradicts the gateways",
            })
    void failsTheReference(String key, String value, String sentence) {
        Map<String, String> properties = valid();
        properties.put(key, value);

        assertThatThrownBy(() -> reference(properties).get())
                .isInstanceOf(HighwayConfigurationException.class)
                .hasMessageContaining(key)
                .hasMessageContaining(sentence);
    }

    @Test
    void failsTheService_whenHomeIsMissing() {
        TestApplication application = application(Map.of("highway.max-hops", "2"));
        application.listen("dubbo");
        application.export(Shop.class, new ShopKeeper("zhejiang"), service -> {});

        try (CapturedLog log = new CapturedLog()) {
            assertThatThrownBy(application::start).hasStackTraceContaining("highway.island: missing");

            assertThat(log.lines("NullPointerException")).isEmpty();
        }
    }

    @Test
    void failsTheReference_whenItsIslandIsNoId() {
        assertThatThrownBy(() -> reference(valid(), HighwayAttachments.ISLAND, "Shanghai")
                        .get())
                .hasMessageContaining("reference parameter highway-island")
                .hasMessageContaining("is not an island id");
    }

    private ReferenceConfig<Shop> referenceOf(String applicationName) {
        Map<String, String> properties = valid();
        properties.put("highway.islands.beijing.tunnel", "auto"); // a method of the interface names it
        TestApplication application = new TestApplication(applicationName, "zhejiang", properties);
        opened.add(application);
        return application.reference(Shop.class, config -> {
            config.setUrl("dubbo://zhejiang.test:1");
            config.setCheck(false);
        });
    }

    @Test
    void failsTheReference_whenNoGuardCouldReadTheNameOfItsApplication() {
        assertThatThrownBy(() -> referenceOf("a".repeat(201)).get())
                .isInstanceOf(HighwayConfigurationException.class)
                .hasMessage(
                        "dubbo.application.name: it has 201 characters, and calls to other islands carry at most 200."
                                + " Write a shorter name");
        assertThat(referenceOf("a".repeat(200)).get()).isNotNull();
    }

    @Test
    void warnsOnce_whenOthersCannotTellTheNameOfTheApplication() {
        try (CapturedLog log = new CapturedLog()) {
            assertThat(referenceOf("\u8ba2\u5355").get()).isNotNull();

            assertThat(log.lines("dubbo.application.name"))
                    .singleElement()
                    .asString()
                    .contains("is sent to other islands as \"__\"");
        }
        try (CapturedLog log = new CapturedLog()) {
            assertThat(referenceOf("orders-1").get()).isNotNull();

            assertThat(log.lines("dubbo.application.name")).isEmpty();
        }
    }

    @Test
    void failsTheReference_whenItsWhenIsUnknown() {
        assertThatThrownBy(() -> reference(valid(), HighwayAttachments.ISLAND, "shanghai", "highway-when", "sometimes")
                        .get())
                .hasMessageContaining("allowed: always, home-absent");
    }

    @Test
    void failsTheReference_whenItsIslandIsUnknown() {
        assertThatThrownBy(() ->
                        reference(valid(), HighwayAttachments.ISLAND, "shangai").get())
                .hasMessageContaining("did you mean \"shanghai\"?");
    }

    @Test
    void failsTheReference_whenItIsBoundAndThereIsNoGateway() {
        Map<String, String> properties = valid();
        properties.remove("highway.gateways.dubbo");

        assertThatThrownBy(() -> reference(properties, HighwayAttachments.ISLAND, "shanghai")
                        .get())
                .hasMessageContaining("highway.gateways.dubbo");
    }

    private static void startTwoReferences(TestApplication application) {
        for (int i = 0; i < 2; i++) {
            application
                    .reference(Shop.class, config -> {
                        config.setUrl("dubbo://zhejiang.test:1");
                        config.setCheck(false);
                    })
                    .get();
        }
    }

    @Test
    void warnsOnce_ofAPatternThatMatchesNoMethodOfAReference() {
        Map<String, String> properties = valid();
        properties.put("highway.islands.shanghai.deny", Shop.class.getName() + "#sel");
        properties.put("highway.islands.beijing.tunnel", "auto");
        TestApplication application = application(properties);

        String log = Log.of(() -> startTwoReferences(application));

        assertThat(log.lines().filter(line -> line.contains("matches no method")))
                .singleElement()
                .asString()
                .contains("WARN")
                .contains("highway.islands.shanghai.deny: \"" + Shop.class.getName() + "#sel\"")
                .contains("did you mean \"sell\"?");
    }

    @Test
    void warnsOnce_ofRetriesWithoutIdempotentMethods() {
        Map<String, String> properties = valid();
        properties.put("highway.islands.beijing.tunnel", "auto");
        properties.put("highway.islands.shanghai.retries", "2");
        TestApplication application = application(properties);

        String log = Log.of(() -> startTwoReferences(application));

        assertThat(log.lines().filter(line -> line.contains("has no effect")))
                .singleElement()
                .asString()
                .contains("WARN", "highway.islands.shanghai.retries", "highway.islands.<id>.idempotent");
    }

    private String logOfStart(String interfaceName, String key) {
        Map<String, String> properties = valid();
        properties.put("highway.services." + interfaceName + "." + key, key.equals("island") ? "shanghai" : "true");
        return logOfStart(properties);
    }

    private String logOfStart(Map<String, String> properties) {
        properties.put("highway.islands.beijing.tunnel", "auto");
        TestApplication application = application(properties);
        application.listen("dubbo");
        application.refer(application.reference(Shop.class, config -> {
            config.setUrl("dubbo://zhejiang.test:1");
            config.setCheck(false);
        }));
        application.export(Feed.class, new ShopKeeper("zhejiang"), service -> {});
        return Log.of(application::start);
    }

    @ParameterizedTest
    @CsvSource({
        "io.highway.sdk.dubbo.it.Shpo, require-island, io.highway.sdk.dubbo.it.Shop",
        "io.highway.sdk.dubo.it.Shop, island, io.highway.sdk.dubbo.it.Shop",
        "io.highway.sdk.dubbo.it.Fed, require-island, io.highway.sdk.dubbo.it.Feed"
    })
    void warnsOnce_ofAKeyOfAMisspeltInterface(String written, String key, String meant) {
        String log = logOfStart(written, key);

        assertThat(log.lines().filter(line -> line.contains("did you mean")))
                .singleElement()
                .asString()
                .contains("WARN")
                .contains("highway.services." + written + "." + key + ": no effect")
                .contains("neither references nor exports it; did you mean \"" + meant + "\"?");
    }

    @Test
    void warnsOnce_ofAKeyOfAnInterfaceThatDoesNotExist() {
        assertThat(logOfStart("com.foo.SmsService", "island").lines().filter(line -> line.contains("no effect")))
                .singleElement()
                .asString()
                .contains("WARN")
                .contains("highway.services.com.foo.SmsService.island: no effect, because there is no class");
    }

    @ParameterizedTest
    @CsvSource({"zhejiang, zhejiang, true", "zhejiang, shanghai, false"})
    void warnsOnce_whereEveryIslandOfReferencesIsHome(String one, String other, boolean warns) {
        TestApplication application = application(valid());
        for (String island : List.of(one, other)) {
            application.refer(application.reference(Feed.class, config -> {
                config.setUrl("dubbo://zhejiang.test:1");
                config.setCheck(false);
                config.setGroup(island.equals(other) ? "other" : "one");
                config.setParameters(new HashMap<>(Map.of(HighwayAttachments.ISLAND, island)));
            }));
        }

        String log = Log.of(application::start);

        assertThat(log.lines()
                        .filter(line -> line.contains("WARN") && line.contains("names \"zhejiang\", which is home")))
                .hasSize(warns ? 1 : 0);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"io.highway.sdk.dubbo.it.Shop", "io.highway.sdk.dubbo.it.Feed", "io.highway.sdk.dubbo.it.Ledger"
            })
    void warnsOfNoKey_whoseInterfaceIsUsedOrAnotherApplications(String interfaceName) {
        assertThat(logOfStart(interfaceName, "require-island")).doesNotContain("neither references nor exports");
    }

    @Test
    void warnsOfNoKeyOfTheDynamicPolicy_whichManyApplicationsShare(@TempDir Path folder) throws IOException {
        Path rule = Files.writeString(
                folder.resolve("policy.yaml"),
                """
                version: shared
                services:
                  io.highway.sdk.dubbo.it.Shpo: {require-island: true}
                """);
        Map<String, String> properties = valid();
        properties.put("highway.policy.source", "file:" + rule);
        properties.put("highway.policy.directory", folder.toString());

        String log = logOfStart(properties);

        assertThat(log).contains("shared").doesNotContain("neither references nor exports");
    }

    @Test
    void startsAProvider_withNoGateway() {
        TestApplication application = application(Map.of("highway.island", "zhejiang"));
        application.listen("dubbo");
        application.export(Shop.class, new ShopKeeper("zhejiang"), service -> {});

        assertThat(application.start()).isNotNull();
    }
}
