// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.highway.sdk.Island;
import io.highway.sdk.IslandResolver;
import io.highway.sdk.dubbo.HighwayConfigurationException;
import io.highway.sdk.dubbo.HighwayCustomizer;
import io.highway.sdk.dubbo.HighwayReport;
import io.highway.sdk.dubbo.OutcomeListener;
import io.highway.sdk.dubbo.internal.application.HighwayRuntime;
import io.highway.sdk.dubbo.internal.policy.Policy;
import io.highway.sdk.spring.StartedBeans.AutowiredSetter;
import io.highway.sdk.spring.StartedBeans.AutowiredSms;
import io.highway.sdk.spring.StartedBeans.OnlyAReferenceThatPrefersHome;
import io.highway.sdk.spring.StartedBeans.OnlyLateReportsOfOthers;
import io.highway.sdk.spring.StartedBeans.OnlyReportsOfOthers;
import io.highway.sdk.spring.StartedBeans.ParameterWithoutItsReference;
import io.highway.sdk.spring.actuate.HighwayActuatorAutoConfiguration;
import io.highway.sdk.spring.actuate.HighwayHealthProperties;
import io.highway.sdk.spring.actuate.HighwayHealthProperties.UnreachableIsland;
import io.highway.sdk.spring.actuate.HighwayMetricsAutoConfiguration;
import io.highway.sdk.spring.actuate.HighwaySanitizingAutoConfiguration;
import io.highway.sdk.spring.reference.EagerReferenceStarter;
import io.highway.sdk.spring.reference.IslandPlacementCheck;
import io.highway.sdk.spring.reference.IslandReferenceRegistrar;
import io.highway.sdk.spring.reference.IslandReferences;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.apache.dubbo.common.Version;
import org.apache.dubbo.config.annotation.DubboReference;
import org.apache.dubbo.config.spring.ReferenceBean;
import org.apache.dubbo.config.spring.beans.factory.annotation.ReferenceAnnotationBeanPostProcessor;
import org.apache.dubbo.config.spring.context.DubboSpringInitCustomizerHolder;
import org.apache.dubbo.config.spring.context.annotation.EnableDubbo;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.apache.dubbo.rpc.model.ModuleModel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.support.AbstractBeanFactory;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.MapPropertySource;
import org.springframework.util.ClassUtils;

class HighwayAutoConfigurationTest {

    private static final String WITH_AOT =
            "org.apache.dubbo.config.spring6.beans.factory.annotation.ReferenceAnnotationWithAotBeanPostProcessor";
    private static final boolean AOT_IS_THERE = ClassUtils.isPresent(WITH_AOT, null);

    private final List<FrameworkModel> frameworks = new ArrayList<>();

    /** An application with Dubbo; its models are its own: else the first context of this JVM would take the default ones. */
    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withInitializer(any ->
                    DubboSpringInitCustomizerHolder.get().addCustomizer(context -> context.setModuleModel(ownModule())))
            .withConfiguration(AutoConfigurations.of(
                    HighwayAutoConfiguration.class,
                    HighwayActuatorAutoConfiguration.class,
                    HighwayMetricsAutoConfiguration.class,
                    HighwaySanitizingAutoConfiguration.class))
            .withPropertyValues(
                    "dubbo.application.name=orders",
                    "dubbo.application.qos-enable=false",
                    "dubbo.registry.address=N/A",
                    "dubbo.protocol.port=-1",
                    "dubbo.service.shutdown.wait=100",
                    "management.endpoints.web.exposure.include=*");

    private final ApplicationContextRunner orders = runner.withPropertyValues(
            "highway.island=zhejiang",
            "highway.gateways.dubbo=gateway.zhejiang.test:1",
            "highway.islands.shanghai.tunnel=dubbo");

    @AfterEach
    void stop() {
        DubboSpringInitCustomizerHolder.get().clearCustomizers();
        frameworks.forEach(FrameworkModel::destroy);
    }

    private ModuleModel ownModule() {
        FrameworkModel framework = new FrameworkModel();
        frameworks.add(framework);
        return framework.newApplication().getDefaultModule();
    }

    /** Dubbo's own starter, and all that is on the class path. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class WithDubboStarter {}

    /** Dubbo by its annotation alone. */
    @Configuration(proxyBeanMethods = false)
    @EnableDubbo
    static class WithEnableDubbo {}

    /** An application that has meters. */
    @Configuration(proxyBeanMethods = false)
    static class Meters {

        @Bean
        MeterRegistry meterRegistry() {
            return new SimpleMeterRegistry();
        }
    }

    interface Sms {

        String send(String text);
    }

    /** {@code @Island} where it is never read. */
    static class MisplacedIsland {

        @DubboReference
        @Island("nowhere")
        private static Sms sms;
    }

    /** The reader of references in use; Dubbo removes its definition. */
    private static String readerOf(AssertableApplicationContext context) {
        return ((AbstractBeanFactory) context.getBeanFactory())
                .getBeanPostProcessors().stream()
                        .filter(ReferenceAnnotationBeanPostProcessor.class::isInstance)
                        .map(reader -> reader.getClass().getName())
                        .collect(Collectors.joining(" and "));
    }

    private static Policy policy(ApplicationContext context) {
        return Objects.requireNonNull(context.getBean(HighwayRuntime.class).policyIfEnabled());
    }

    private static void assertSupplied(AssertableApplicationContext context) {
        assertThat(context)
                .hasNotFailed()
                .hasSingleBean(HighwayRuntime.class)
                .hasSingleBean(IslandReferences.class)
                .hasSingleBean(IslandPlacementCheck.class)
                .hasSingleBean(EagerReferenceStarter.class)
                .hasBean("highwayEndpoint")
                .hasBean("highwayStarEndpoint")
                .hasBean("highwayHealthIndicator")
                .hasBean("highwayMeters")
                .hasBean("highwaySecrets");
        assertThat(context.getBean(HighwayRuntime.class))
                .isSameAs(HighwayRuntime.of(context.getBean(ApplicationModel.class)));
        assertThat(policy(context).home()).isEqualTo("zhejiang");
        assertThat(policy(context).knownIslands()).containsExactly("shanghai");
    }

    private static void assertNothing(AssertableApplicationContext context) {
        assertThat(context).hasNotFailed().doesNotHaveBean("highwayEndpoint").doesNotHaveBean("highwayMeters");
        assertNoRouting(context);
    }

    private static void assertNoRouting(AssertableApplicationContext context) {
        assertThat(context)
                .hasNotFailed()
                .doesNotHaveBean(IslandPlacementCheck.class)
                .doesNotHaveBean(EagerReferenceStarter.class)
                .doesNotHaveBean("highwayHealthIndicator");
    }

    /** Plain Dubbo, and the beans that an application may inject. */
    private static void assertSwitchedOff(AssertableApplicationContext context) {
        assertNoRouting(context);
        assertThat(context)
                .doesNotHaveBean(IslandReferenceRegistrar.class)
                .doesNotHaveBean(IslandReferences.class)
                .hasSingleBean(HighwayRuntime.class)
                .hasBean("highwayEndpoint");
        assertThat(context.getBean(HighwayRuntime.class).policyIfEnabled()).isNull();
        assertThat(context.getBean(HighwayRuntime.class).isUnconfigured()).isFalse();
        assertThat(HighwayReport.of(context.getBean(ApplicationModel.class))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(classes = {WithDubboStarter.class, WithEnableDubbo.class})
    void suppliesAll_whereDubboIs(Class<?> application) {
        orders.withUserConfiguration(application, Meters.class).run(HighwayAutoConfigurationTest::assertSupplied);
    }

    @ParameterizedTest
    @ValueSource(classes = {WithDubboStarter.class, WithEnableDubbo.class})
    void takesThePlaceOfTheReaderThatDubboHas(Class<?> application) {
        AtomicReference<String> dubbos = new AtomicReference<>("");
        runner.withUserConfiguration(application)
                .withPropertyValues("highway.enabled=false")
                .run(context -> dubbos.set(readerOf(context)));

        orders.withUserConfiguration(application).run(context -> assertThat(readerOf(context))
                .isEqualTo(
                        dubbos.get().equals(WITH_AOT)
                                ? "io.highway.sdk.spring.reference.IslandReferenceWithAotPostProcessor"
                                : "io.highway.sdk.spring.reference.IslandReferencePostProcessor"));
        assertThat(dubbos.get())
                .isEqualTo(
                        AOT_IS_THERE && Version.getVersion().startsWith("3.3")
                                ? WITH_AOT
                                : ReferenceAnnotationBeanPostProcessor.class.getName());
    }

    @ParameterizedTest
    @ValueSource(classes = {WithDubboStarter.class, WithEnableDubbo.class})
    void isPlainDubbo_withoutAnyKey(Class<?> application) {
        runner.withUserConfiguration(application, Meters.class).run(context -> {
            assertNothing(context);
            assertThat(context.getBean(HighwayRuntime.class).policyIfEnabled()).isNull();
            assertThat(context.getBean(HighwayRuntime.class).isUnconfigured()).isTrue();
        });
    }

    /** {@code @Island} on a reference. */
    static class IslandAtAReference {

        @DubboReference(url = "dubbo://zhejiang.test:1", check = false, init = false)
        @Island("shanghai")
        private Sms sms;
    }

    /** {@code @Island} on a method that makes a reference. */
    @Configuration(proxyBeanMethods = false)
    static class IslandAtABean {

        @Bean
        @DubboReference(url = "dubbo://zhejiang.test:1", check = false, init = false)
        @Island("shanghai")
        ReferenceBean<Sms> sms() {
            return new ReferenceBean<>();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "IslandAtAReference, .sms",
        "IslandAtABean, .sms",
        "MisplacedIsland, .sms",
    })
    void failsWithoutAnyKey_whereAnIslandIsAskedFor(String beans, String member) throws ClassNotFoundException {
        Class<?> asking = Class.forName(getClass().getName() + "$" + beans);

        runner.withUserConfiguration(WithEnableDubbo.class, asking)
                .run(context -> assertThat(context).getFailure().satisfies(failure -> assertThat(
                                NestedExceptionUtils.getMostSpecificCause(failure))
                        .isInstanceOf(HighwayConfigurationException.class)
                        .hasMessageStartingWith("@Island on " + asking.getName() + member)
                        .hasMessageContaining("but no highway.* key is set")
                        .hasMessageContaining("highway.enabled=false")));
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                AutowiredSms.class,
                AutowiredSetter.class,
                ParameterWithoutItsReference.class,
                OnlyAReferenceThatPrefersHome.class,
                OnlyReportsOfOthers.class,
                OnlyLateReportsOfOthers.class
            })
    void injectsNoOtherBean_whereAnIslandIsAskedFor(Class<?> beans) {
        orders.withUserConfiguration(WithEnableDubbo.class, beans)
                .run(context ->
                        assertThat(context).getFailure().hasRootCauseInstanceOf(NoSuchBeanDefinitionException.class));
    }

    /** Answers a call while beans are still made. */
    static class CallsWhileItIsMade implements InitializingBean {

        @DubboReference(
                url = "dubbo://zhejiang.test:1",
                check = false,
                init = false,
                parameters = {"highway-island", "shanghai"})
        private Sms sms;

        @Override
        public void afterPropertiesSet() {
            sms.send("a");
        }
    }

    @Test
    void failsWithoutAnyKey_beforeABeanCanCall() {
        runner.withUserConfiguration(WithEnableDubbo.class, CallsWhileItIsMade.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasStackTraceContaining("it asks for island \"shanghai\" (from reference)"));
    }

    @ParameterizedTest
    @ValueSource(classes = {WithDubboStarter.class, WithEnableDubbo.class})
    void isPlainDubbo_ifItIsSwitchedOff(Class<?> application) {
        orders.withUserConfiguration(application, Meters.class, MisplacedIsland.class, NeedsReport.class)
                .withPropertyValues("highway.enabled=false", "highway.islands.shanghai.timeout=fast")
                .run(context -> {
                    assertSwitchedOff(context);
                    assertThat(context).hasBean("highwayMeters");
                    assertThat(HighwayReport.of(context.getBean(NeedsReport.class).application))
                            .isEmpty();
                    assertThat(readerOf(context)).startsWith("org.apache.dubbo.");
                });
    }

    /** An application that injects what the documentation names. */
    static class NeedsReport {

        private final ApplicationModel application;

        NeedsReport(ApplicationModel application) {
            this.application = application;
        }
    }

    @ParameterizedTest
    @CsvSource(
            ignoreLeadingAndTrailingWhitespace = false,
            value = {"highway.Enabled,false", "highway.enabled,false ", "highway.enabled,${off:false}"})
    void isSwitchedOff_howeverThatIsWritten(String key, String value) {
        orders.withInitializer(context -> context.getEnvironment()
                        .getPropertySources()
                        .addFirst(new MapPropertySource("written", Map.of(key, value))))
                .withUserConfiguration(WithEnableDubbo.class)
                .run(HighwayAutoConfigurationTest::assertSwitchedOff);
    }

    @Test
    void isPlainDubbo_whateverElseIsWritten() {
        orders.withUserConfiguration(WithEnableDubbo.class)
                .withPropertyValues("highway.enabled=false", "highway.islands.wuhan=dubbo")
                .run(context -> {
                    assertSwitchedOff(context);
                    assertThat(context).as("secrets stay secret").hasBean("highwaySecrets");
                });
    }

    @ParameterizedTest
    @ValueSource(strings = {"false", "FALSE"})
    void isOff_whereDubboIsSwitchedOff(String no) {
        orders.withPropertyValues("dubbo.enabled=" + no).run(HighwayAutoConfigurationTest::assertNothing);
    }

    @Test
    void fails_whereACustomizerIsTheOnlySourceOfKeys() {
        runner.withUserConfiguration(WithEnableDubbo.class)
                .withBean(HighwayCustomizer.class, () -> setup -> setup.set("highway.island", "zhejiang"))
                .run(context -> assertThat(context)
                        .getFailure()
                        .isInstanceOf(HighwayConfigurationException.class)
                        .hasMessageContaining("or only set by a HighwayCustomizer"));
    }

    @Test
    void fails_whereNothingResolvesAnIsland() {
        orders.withUserConfiguration(WithEnableDubbo.class, UnresolvedIsland.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasRootCauseInstanceOf(HighwayConfigurationException.class)
                        .rootCause()
                        .hasMessageContaining("nothing resolves \"${sms.island}\""));
    }

    static class UnresolvedIsland {

        @DubboReference
        @Island("${sms.island}")
        private Sms sms;
    }

    @Test
    void isNothing_whereNeitherAKeyNorDubboIs() {
        runner.run(HighwayAutoConfigurationTest::assertNothing);
    }

    @Test
    void isNothing_withoutDubboOnTheClassPath() {
        orders.withClassLoader(new FilteredClassLoader("org.apache.dubbo"))
                .run(HighwayAutoConfigurationTest::assertNothing);
    }

    @Test
    void fails_whereAKeyIsAndNoDubbo() {
        orders.run(context -> assertThat(context)
                .getFailure()
                .isInstanceOf(HighwayConfigurationException.class)
                .hasMessage("@Island: Dubbo's reader of @DubboReference (bean "
                        + ReferenceAnnotationBeanPostProcessor.BEAN_NAME
                        + ") is not in this application context, so nothing would read @Island on a reference."
                        + " Add dubbo-spring-boot-starter or @EnableDubbo, or write highway.enabled=false"));
    }

    /** A reader of another library. */
    static class OtherReader extends ReferenceAnnotationBeanPostProcessor {}

    @Configuration(proxyBeanMethods = false)
    static class OtherReaderByMethod {

        @Bean(name = "org.apache.dubbo.config.spring.beans.factory.annotation.ReferenceAnnotationBeanPostProcessor")
        OtherReader readerOfDubbo33() {
            return new OtherReader();
        }

        @Bean(name = "referenceAnnotationBeanPostProcessor")
        OtherReader readerOfDubbo32() {
            return new OtherReader();
        }
    }

    @Test
    void fails_whereSomebodyElseHasReplacedDubbosReader() {
        orders.withBean(ReferenceAnnotationBeanPostProcessor.BEAN_NAME, OtherReader.class)
                .withUserConfiguration(WithEnableDubbo.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .isInstanceOf(HighwayConfigurationException.class)
                        .hasMessage("@Island: Dubbo's reader of @DubboReference was replaced by "
                                + OtherReader.class.getName()
                                + ", so nothing would read @Island on a reference. Remove that replacement, or"
                                + " write highway.enabled=false"));
    }

    @Test
    void fails_whereABeanMethodHasReplacedDubbosReader() {
        orders.withUserConfiguration(OtherReaderByMethod.class).run(context -> assertThat(context)
                .getFailure()
                .isInstanceOf(HighwayConfigurationException.class)
                .hasMessageContaining("was replaced by " + OtherReaderByMethod.class.getName() + ".readerOfDubbo3"));
    }

    @Test
    void fails_beforeDubboStarts_ifAValueCannotHold() {
        orders.withUserConfiguration(WithEnableDubbo.class)
                .withPropertyValues("highway.islands.shanghai.timeout=fast")
                .run(context -> assertThat(context)
                        .getFailure()
                        .isInstanceOfSatisfying(
                                HighwayConfigurationException.class,
                                failure -> assertThat(failure.key()).isEqualTo("highway.islands.shanghai.timeout")));
    }

    /** What an application may bring itself. */
    @Configuration(proxyBeanMethods = false)
    static class Own {

        /** Replaces the SDK's by its name. */
        @Endpoint(id = "highway")
        static final class OwnEndpoint {

            @ReadOperation
            public String highway() {
                return "own";
            }
        }

        @Bean
        OwnEndpoint highwayEndpoint() {
            return new OwnEndpoint();
        }

        @Bean
        OutcomeListener highwayMeters() {
            return (outcome, invocation) -> {};
        }

        @Bean
        HealthIndicator highwayHealthIndicator() {
            return () -> Health.up().build();
        }
    }

    @Test
    void backsOff_whereTheApplicationHasItsOwn() {
        orders.withUserConfiguration(WithEnableDubbo.class, Meters.class, Own.class)
                .run(context -> {
                    assertThat(context)
                            .hasNotFailed()
                            .hasSingleBean(HighwayRuntime.class)
                            .hasSingleBean(OutcomeListener.class);
                    assertThat(context.getBean("highwayEndpoint")).isInstanceOf(Own.OwnEndpoint.class);
                    assertThat(context.getBean("highwayHealthIndicator", HealthIndicator.class)
                                    .health())
                            .isEqualTo(Health.up().build());
                });
    }

    @Test
    void healthCanBeSwitchedOff() {
        orders.withUserConfiguration(WithEnableDubbo.class)
                .withPropertyValues("management.health.highway.enabled=false")
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .doesNotHaveBean("highwayHealthIndicator")
                        .hasBean("highwayEndpoint"));
    }

    @Test
    void theEndpointIsOnlyThere_whereItIsExposed() {
        orders.withUserConfiguration(WithEnableDubbo.class)
                .withPropertyValues("management.endpoints.web.exposure.include=health")
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .doesNotHaveBean("highwayEndpoint")
                        .doesNotHaveBean("highwayStarEndpoint"));
    }

    @Test
    void anUnreachableIslandCountsAsConfigured() {
        orders.withUserConfiguration(WithEnableDubbo.class)
                .withPropertyValues("management.health.highway.unreachable-island=out-of-service")
                .run(context -> assertThat(
                                context.getBean(HighwayHealthProperties.class).unreachableIsland())
                        .isEqualTo(UnreachableIsland.OUT_OF_SERVICE));
    }

    @Test
    void routes_withoutActuator() {
        orders.withUserConfiguration(WithEnableDubbo.class, Meters.class)
                .withClassLoader(new FilteredClassLoader("org.springframework.boot.actuate"))
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(HighwayRuntime.class)
                        .hasBean("highwayMeters")
                        .doesNotHaveBean("highwayEndpoint")
                        .doesNotHaveBean("highwayHealthIndicator")
                        .doesNotHaveBean("highwaySecrets"));
    }

    @Test
    void routes_withoutMicrometer() {
        orders.withUserConfiguration(WithEnableDubbo.class)
                .withClassLoader(new FilteredClassLoader("io.micrometer"))
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(HighwayRuntime.class)
                        .hasBean("highwayEndpoint")
                        .doesNotHaveBean("highwayMeters"));
    }

    @Test
    void hasNoMeters_withoutARegistryForThem() {
        orders.withUserConfiguration(WithEnableDubbo.class).run(context -> assertThat(context)
                .hasNotFailed()
                .hasSingleBean(HighwayRuntime.class)
                .doesNotHaveBean("highwayMeters"));
    }

    /** What extends the runtime. */
    @Configuration(proxyBeanMethods = false)
    static class Extensions {

        @Bean
        IslandResolver byPrefix() {
            return key -> key.startsWith("sh-") ? "shanghai" : null;
        }

        @Bean
        OutcomeListener listener() {
            return (outcome, invocation) -> {};
        }

        @Bean
        @Order(1)
        HighwayCustomizer first() {
            return setup ->
                    setup.set("highway.islands.beijing.timeout", "1s").set("highway.islands.beijing.retries", "1");
        }

        @Bean
        @Order(2)
        HighwayCustomizer second() {
            return setup -> setup.set("highway.islands.beijing.timeout", "2s");
        }
    }

    @Test
    void usesTheApplicationsResolverListenersAndCustomizers() {
        orders.withUserConfiguration(WithEnableDubbo.class, Meters.class, Extensions.class)
                .withPropertyValues("highway.islands.beijing.timeout=9s")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    HighwayRuntime runtime = context.getBean(HighwayRuntime.class);
                    Policy policy = policy(context);

                    assertThat(policy.islandOfKey("sh-42")).isEqualTo("shanghai");
                    assertThat(policy.forIsland("beijing").calls().timeoutMillis())
                            .isEqualTo(2000);
                    assertThat(policy.forIsland("beijing").calls().retries()).isEqualTo(1);
                    assertThat(policy.settings()
                                    .get("highway.islands.beijing.timeout")
                                    .origin())
                            .isEqualTo("customizer");
                    List<OutcomeListener> listeners = new ArrayList<>();
                    runtime.listeners().forEach(listeners::add);
                    assertThat(listeners)
                            .containsExactlyInAnyOrderElementsOf(List.of(
                                    context.getBean("listener", OutcomeListener.class),
                                    runtime.activity(),
                                    context.getBean("highwayMeters", OutcomeListener.class)));
                });
    }

    @Test
    void twoContextsSideBySide_haveTheirOwnRouting() {
        orders.withUserConfiguration(WithEnableDubbo.class)
                .run(first -> orders.withUserConfiguration(WithEnableDubbo.class)
                        .withPropertyValues("highway.island=beijing")
                        .run(second -> {
                            assertThat(policy(first).home()).isEqualTo("zhejiang");
                            assertThat(policy(second).home()).isEqualTo("beijing");
                        }));
    }
}
