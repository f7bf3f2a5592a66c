// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.spring.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.highway.sdk.Island;
import io.highway.sdk.IslandResolver;
import io.highway.sdk.dubbo.HighwayConfigurationException;
import io.highway.sdk.dubbo.HighwayCustomizer;
import io.highway.sdk.dubbo.OutcomeListener;
import io.highway.sdk.dubbo.internal.application.HighwayRuntime;
import io.highway.tools.fixtures.logs.CapturedLog;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.dubbo.config.ApplicationConfig;
import org.apache.dubbo.config.RegistryConfig;
import org.apache.dubbo.config.ServiceConfig;
import org.apache.dubbo.config.annotation.DubboReference;
import org.apache.dubbo.config.bootstrap.DubboBootstrap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What happens before the first call. */
@Tag("network")
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

    /** ZooKeeper is Dubbo's config centre, too, and has no rule. */
    @ParameterizedTest
    @ValueSource(strings = {"zookeeper://", "N/A"})
    void logsLittle_andNoWarning(String registry) {
        try (CapturedLog log = new CapturedLog()) {
            TwoIslands application = (registry.equals("N/A")
                            ? star.start(TwoIslands.class, "dubbo.registry.address=N/A")
                            : star.start(TwoIslands.class))
                    .getBean(TwoIslands.class);

            assertThat(application.inShanghai.send("a")).isEqualTo("a in shanghai from zhejiang");
            assertThat(application.inBeijing.send("a")).isEqualTo("a in beijing from zhejiang");
            List<String> lines = log.lines().stream()
                    .filter(line -> line.contains("highway: ") || line.matches(".* [A-Z]+ io\\.highway\\..*"))
                    .toList();
            assertThat(lines)
                    .isNotEmpty()
                    .allMatch(line -> line.contains(" INFO "))
                    .hasSizeLessThan(10);
            assertThat(log.lines("destroying")).isEmpty();
            assertThat(log.lines(" ERROR ")).isEmpty();
            if (registry.equals("N/A")) {
                assertThat(log.lines("empty address list")).isEmpty();
            }
        }
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

    private static final class EmbeddedSms implements Sms {

        @Override
        public String send(String text) {
            return text + " embedded";
        }

        @Override
        public String sendTo(String key, String text) {
            return send(text);
        }
    }

    /** As an embedded provider of a test does, or a bootstrap in main. */
    @Test
    void readsTheKeysOfSpring_thoughTheApplicationWasUsedBefore() {
        star.beforeDubboStarts(module -> {
            ServiceConfig<Sms> embedded = new ServiceConfig<>(module);
            embedded.setInterface(Sms.class);
            embedded.setRef(new EmbeddedSms());
            embedded.setScope("local");
            DubboBootstrap.getInstance(module.getApplicationModel())
                    .application(new ApplicationConfig("embedded"))
                    .registry(new RegistryConfig("N/A"))
                    .service(embedded)
                    .start();
            assertThat(HighwayRuntime.of(module.getApplicationModel()).isUnconfigured())
                    .isTrue();
        });

        OneIsland application = star.start(OneIsland.class).getBean(OneIsland.class);

        assertThat(application.inShanghai.send("a")).isEqualTo("a in shanghai from zhejiang");
    }

    @Configuration
    @EnableAutoConfiguration
    static class NoReference {}

    /** Calls from another thread while this one still makes beans, and calls, too; a listener takes its time to be made. */
    @Configuration
    @EnableAutoConfiguration
    static class CallsWhileBeansAreMade {

        private final CompletableFuture<String> fromOtherThread = new CompletableFuture<>();

        @DubboReference
        @Island("shanghai")
        private Sms inShanghai;

        @Bean
        String caller() {
            fromOtherThread.completeAsync(() -> inShanghai.send("other"));
            await().pollInSameThread() // Spring 5 lets no other thread make beans meanwhile
                    .atMost(20, TimeUnit.SECONDS)
                    .until(() -> inShanghai.send("this").equals("this in shanghai from zhejiang"));
            return "caller";
        }

        @Bean
        OutcomeListener listener() {
            return (outcome, invocation) -> {};
        }
    }

    @Test
    void servesCallsFromTwoThreadsWhileBeansAreMade() throws Exception {
        CallsWhileBeansAreMade application =
                star.start(CallsWhileBeansAreMade.class).getBean(CallsWhileBeansAreMade.class);

        assertThat(application.fromOtherThread.get(20, TimeUnit.SECONDS)).isEqualTo("other in shanghai from zhejiang");
    }

    @Configuration
    @EnableAutoConfiguration
    static class MadeFirst {

        private final List<String> made = new ArrayList<>();

        @Bean
        String first() {
            made.add("first");
            return "first";
        }

        @Bean
        OutcomeListener listener() {
            made.add("listener");
            return (outcome, invocation) -> {};
        }

        @Bean
        IslandResolver resolver() {
            made.add("resolver");
            return key -> null;
        }

        @Bean
        HighwayCustomizer customizer() {
            made.add("customizer");
            return setup -> {};
        }
    }

    @Test
    void makesWhatExtendsTheRoutingBeforeAllOtherBeans_soThatNoCallWaitsForSpring() {
        assertThat(star.start(MadeFirst.class).getBean(MadeFirst.class).made)
                .containsExactly("resolver", "listener", "customizer", "first");
    }

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

    @Configuration
    @EnableAutoConfiguration
    static class OneReference {

        @DubboReference
        @Island("shanghai")
        private Sms inShanghai;
    }
}
