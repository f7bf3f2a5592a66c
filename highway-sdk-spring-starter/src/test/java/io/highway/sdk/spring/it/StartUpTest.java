// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.spring.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.highway.sdk.Island;
import io.highway.sdk.dubbo.policy.HighwayConfigurationException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.dubbo.config.annotation.DubboReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What happens before the first call. */
class StartUpTest {

    private static Star star;

    @BeforeAll
    static void start() {
        star = new Star();
    }

    @AfterEach
    void stopApplications() {
        star.stopApplications();
    }

    @AfterAll
    static void stop() {
        star.close();
    }

    @Configuration
    @EnableAutoConfiguration
    static class TwoIslands {

        @DubboReference
        @Island("shanghai")
        private Sms inShanghai;

        @DubboReference
        @Island("beijing")
        private Sms inBeijing;
    }

    @Test
    void startsEveryReference_notOnlyTheFirstOfAService() throws Exception {
        star.start(TwoIslands.class);

        List<String> consumers = star.registered("/dubbo/" + Sms.class.getName() + "/consumers").stream()
                .map(url -> URLDecoder.decode(url, StandardCharsets.UTF_8))
                .toList();

        assertThat(consumers)
                .anyMatch(url -> url.contains("highway-island=shanghai"))
                .anyMatch(url -> url.contains("highway-island=beijing"));
    }

    @Configuration
    @EnableAutoConfiguration
    static class PlainOneLast {

        @DubboReference
        @Island("shanghai")
        private Sms inShanghai;

        @DubboReference
        private Sms atHome;
    }

    @Configuration
    @EnableAutoConfiguration
    static class PlainOneFirst {

        @DubboReference
        private Sms atHome;

        @DubboReference
        @Island("shanghai")
        private Sms inShanghai;
    }

    @ParameterizedTest
    @ValueSource(classes = {PlainOneLast.class, PlainOneFirst.class})
    void failsTheStartUp_whenAnyReferenceMissesItsProviderAtHome(Class<?> application) {
        assertThatThrownBy(() -> star.start(application, "dubbo.module.check-reference-timeout=100"))
                .hasStackTraceContaining("Failed to check the status of the service " + Sms.class.getName());
    }

    @Configuration
    @EnableAutoConfiguration
    static class LazyPlainOne {

        @DubboReference
        @Island("shanghai")
        private Sms inShanghai;

        @DubboReference(init = false)
        private Sms atHome;
    }

    @Test
    void leavesAReferenceAlone_thatAskedNotToBeStarted() {
        LazyPlainOne application = star.start(LazyPlainOne.class).getBean(LazyPlainOne.class);

        assertThat(application.inShanghai.send("a")).isEqualTo("a in shanghai from zhejiang");
    }

    @Configuration
    @EnableAutoConfiguration
    static class OneIsland {

        @DubboReference
        @Island("shanghai")
        private Sms inShanghai;
    }

    @Test
    void isPlainDubbo_whenSwitchedOff() {
        assertThatThrownBy(() -> star.start(
                        OneIsland.class, "highway.enabled=false", "dubbo.module.check-reference-timeout=100"))
                .hasStackTraceContaining("Failed to check the status of the service " + Sms.class.getName());
    }

    @Test
    void readsIslandsBesideReferences_whereKeysStandInDubbosFileOnly() throws Exception {
        Path file = Files.createTempFile("dubbo", ".properties");
        Files.writeString(file, star.keys(), StandardCharsets.UTF_8);
        System.setProperty("dubbo.properties.file", file.toString());
        try {
            OneIsland application = star.startWithoutKeys(OneIsland.class).getBean(OneIsland.class);

            assertThat(application.inShanghai.send("a")).isEqualTo("a in shanghai from zhejiang");
        } finally {
            System.clearProperty("dubbo.properties.file");
            Files.delete(file);
        }
    }

    @Test
    void failsTheStartUp_whereKeysComeTooLateForReferences() {
        star.beforeDubboStarts(module -> module.getApplicationModel()
                .modelEnvironment()
                .updateExternalConfigMap(Map.of("highway.island", "zhejiang")));

        assertThatThrownBy(() -> star.startWithoutKeys(NoReference.class))
                .isInstanceOf(HighwayConfigurationException.class)
                .hasMessageContaining("only in Dubbo's config centre");
    }

    @Configuration
    @EnableAutoConfiguration
    static class NoReference {}

    /** Makes a call while beans are still being made. */
    @Configuration
    @EnableAutoConfiguration
    static class EarlyCaller {

        @DubboReference
        @Island("shanghai")
        private Sms inShanghai;

        @Bean
        String answer() {
            return inShanghai.send("early");
        }
    }

    @Test
    void servesACallBeforeTheContextIsReady() {
        assertThat(star.start(EarlyCaller.class).getBean("answer")).isEqualTo("early in shanghai from zhejiang");
    }
}
