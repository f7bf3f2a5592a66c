// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.spring.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.highway.sdk.Highway;
import io.highway.sdk.HighwayAttachments;
import io.highway.sdk.Island;
import io.highway.sdk.Island.When;
import io.highway.sdk.dubbo.HighwayConfigurationException;
import io.highway.sdk.spring.HighwayAutoConfiguration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.dubbo.config.annotation.DubboReference;
import org.apache.dubbo.config.spring.ReferenceBean;
import org.apache.dubbo.config.spring.context.annotation.EnableDubbo;
import org.apache.dubbo.config.spring.reference.ReferenceBeanBuilder;
import org.apache.dubbo.rpc.RpcContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.ObjectFactory;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.CustomScopeConfigurer;
import org.springframework.beans.factory.config.Scope;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportResource;
import org.springframework.core.env.MapPropertySource;

/** {@code @Island} wherever Dubbo injects a reference; home's registry knows no provider and {@code check} is Dubbo's default. */
@Tag("network")
class InjectionPointsTest {

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

    /** What every injection point is tried with. */
    static class Orders {

        @DubboReference
        @Island("shanghai")
        private Sms inShanghai;

        @Island("beijing")
        @DubboReference
        private Sms inBeijing;

        @DubboReference(url = "${home.url}")
        private Sms atHome;

        @ShanghaiSms
        private Sms byMetaAnnotation;

        @DubboReference
        @Island("${far.island}")
        private Sms byPlaceholder;

        @DubboReference(parameters = {"highway-island", "beijing"})
        private Sms byParameter;

        @DubboReference(url = "${home.url}")
        @Island(value = "beijing", when = When.HOME_ABSENT)
        private Sms homeFirst;

        @DubboReference
        @Island(value = "beijing", when = When.HOME_ABSENT)
        private Sms homeFirstButAbsent;

        @DubboReference
        private Files byInterface;

        @Island("shanghai")
        @DubboReference
        private Files byReferenceNotInterface;

        private Sms bySetter;
        private Sms byOtherSetter;
        private final Sms byConstructor;
        private final Sms byBeanParameter;

        @Autowired
        private Sms beijingByBuilder;

        @Autowired
        @Qualifier("shanghaiByXml")
        private Sms byXml;

        @Autowired
        @Qualifier("beijingByEmptyBean")
        private Sms byEmptyBean;

        Orders(Sms byConstructor, Sms byBeanParameter) {
            this.byConstructor = byConstructor;
            this.byBeanParameter = byBeanParameter;
        }

        @DubboReference
        @Island("shanghai")
        public void setBySetter(Sms sms) {
            this.bySetter = sms;
        }

        @DubboReference
        @Island("beijing")
        public void setByOtherSetter(Sms sms) {
            this.byOtherSetter = sms;
        }
    }

    /** Parameters of a constructor, and a field of the same name as another class, for another island. */
    static class Reports {

        @DubboReference
        @Island("beijing")
        private Sms inShanghai;

        private final Sms byPlaceholder;
        private final Sms homeFirst;

        private Sms byAutowiredMethod;

        Reports(
                @Island("${far.island}") Sms byPlaceholder,
                @Island(value = "beijing", when = When.HOME_ABSENT) Sms homeFirst) {
            this.byPlaceholder = byPlaceholder;
            this.homeFirst = homeFirst;
        }

        @Autowired
        void use(@Island("shanghai") Sms sms) {
            byAutowiredMethod = sms;
        }
    }

    /** The annotation is on its field and its accessor, too. */
    record Copied(@Island("shanghai") Sms sms) {}

    @Configuration
    @Import({Reports.class, Copied.class})
    static class Beans {

        @Bean
        @DubboReference
        @Island("shanghai")
        ReferenceBean<Sms> shanghaiByBean() {
            return new ReferenceBean<>();
        }

        @Bean
        @Island("beijing")
        ReferenceBean<Sms> beijingByBuilder() {
            return new ReferenceBeanBuilder().setInterface(Sms.class.getName()).build();
        }

        @Bean
        @Island("beijing")
        ReferenceBean<Sms> beijingByEmptyBean() {
            return new ReferenceBean<>();
        }

        @Bean
        Orders orders(@Qualifier("shanghaiByBean") Sms byConstructor, @Island("shanghai") Sms byBeanParameter) {
            return new Orders(byConstructor, byBeanParameter);
        }

        @Bean
        @DubboReference
        @Island("${far.island}")
        ReferenceBean<Sms> farByBean() {
            return new ReferenceBean<>();
        }

        @Bean
        @DubboReference(url = "${home.url}")
        @Island(value = "beijing", when = When.HOME_ABSENT)
        ReferenceBean<Sms> homeFirstByBean() {
            return new ReferenceBean<>();
        }
    }

    /** Dubbo's own starter is on the class path and configures itself. */
    @Configuration
    @EnableAutoConfiguration
    @Import(Beans.class)
    @ImportResource("classpath:sms-references.xml")
    static class WithDubboStarter {}

    /** Dubbo by its annotation alone. */
    @Configuration
    @EnableDubbo
    @EnableAutoConfiguration(
            excludeName = {
                "org.apache.dubbo.spring.boot.autoconfigure.DubboAutoConfiguration",
                "org.apache.dubbo.spring.boot.autoconfigure.DubboRelaxedBindingAutoConfiguration",
                "org.apache.dubbo.spring.boot.autoconfigure.DubboRelaxedBinding2AutoConfiguration",
                "org.apache.dubbo.spring.boot.autoconfigure.DubboListenerAutoConfiguration"
            })
    @Import(Beans.class)
    @ImportResource("classpath:sms-references.xml")
    static class WithEnableDubbo {}

    @ParameterizedTest
    @ValueSource(classes = {WithDubboStarter.class, WithEnableDubbo.class})
    void everyInjectionPointReachesItsOwnIsland(Class<?> application) {
        ConfigurableApplicationContext context = star.start(application, "far.island=shanghai");
        Orders orders = context.getBean(Orders.class);
        Reports reports = context.getBean(Reports.class);

        Map<String, String> answers = Map.ofEntries(
                Map.entry("inShanghai", orders.inShanghai.send("a")),
                Map.entry("inBeijing", orders.inBeijing.send("a")),
                Map.entry("atHome", orders.atHome.send("a")),
                Map.entry("byMetaAnnotation", orders.byMetaAnnotation.send("a")),
                Map.entry("byPlaceholder", orders.byPlaceholder.send("a")),
                Map.entry("byParameter", orders.byParameter.send("a")),
                Map.entry("homeFirst", orders.homeFirst.send("a")),
                Map.entry("homeFirstButAbsent", orders.homeFirstButAbsent.send("a")),
                Map.entry("byInterface", orders.byInterface.read("a")),
                Map.entry("byReferenceNotInterface", orders.byReferenceNotInterface.read("a")),
                Map.entry("bySetter", orders.bySetter.send("a")),
                Map.entry("byOtherSetter", orders.byOtherSetter.send("a")),
                Map.entry("byConstructor", orders.byConstructor.send("a")),
                Map.entry("beijingByBuilder", orders.beijingByBuilder.send("a")),
                Map.entry("byEmptyBean", orders.byEmptyBean.send("a")),
                Map.entry("byXml", orders.byXml.send("a")),
                Map.entry("byBeanParameter", orders.byBeanParameter.send("a")),
                Map.entry("ofRecord", context.getBean(Copied.class).sms().send("a")),
                Map.entry("ofParameter.byPlaceholder", reports.byPlaceholder.send("a")),
                Map.entry("ofParameter.homeFirst", reports.homeFirst.send("a")),
                Map.entry("byAutowiredMethod", reports.byAutowiredMethod.send("a")),
                Map.entry("sameFieldName", reports.inShanghai.send("a")));

        assertThat(answers)
                .containsOnly(
                        Map.entry("inShanghai", "a in shanghai from zhejiang"),
                        Map.entry("inBeijing", "a in beijing from zhejiang"),
                        Map.entry("atHome", "a in zhejiang"),
                        Map.entry("byMetaAnnotation", "a in shanghai from zhejiang"),
                        Map.entry("byPlaceholder", "a in shanghai from zhejiang"),
                        Map.entry("byParameter", "a in beijing from zhejiang"),
                        Map.entry("homeFirst", "a in zhejiang"),
                        Map.entry("homeFirstButAbsent", "a in beijing from zhejiang"),
                        Map.entry("byInterface", "a in beijing from zhejiang"),
                        Map.entry("byReferenceNotInterface", "a in shanghai from zhejiang"),
                        Map.entry("bySetter", "a in shanghai from zhejiang"),
                        Map.entry("byOtherSetter", "a in beijing from zhejiang"),
                        Map.entry("byConstructor", "a in shanghai from zhejiang"),
                        Map.entry("beijingByBuilder", "a in beijing from zhejiang"),
                        Map.entry("byEmptyBean", "a in beijing from zhejiang"),
                        Map.entry("byXml", "a in shanghai from zhejiang"),
                        Map.entry("byBeanParameter", "a in shanghai from zhejiang"),
                        Map.entry("ofRecord", "a in shanghai from zhejiang"),
                        Map.entry("ofParameter.byPlaceholder", "a in shanghai from zhejiang"),
                        Map.entry("ofParameter.homeFirst", "a in zhejiang"),
                        Map.entry("byAutowiredMethod", "a in shanghai from zhejiang"),
                        Map.entry("sameFieldName", "a in beijing from zhejiang"));
    }

    /** Its calls would go home. */
    @Configuration
    @EnableAutoConfiguration
    static class Unread {

        @DubboReference(check = false)
        @Island("shanghai")
        Sms inShanghai;
    }

    @Test
    void failsTheStart_whereTheStarterIsExcluded() {
        Throwable thrown = catchThrowable(() ->
                star.start(Unread.class, "spring.autoconfigure.exclude=" + HighwayAutoConfiguration.class.getName()));

        assertThat(thrown)
                .hasStackTraceContaining("@Island on " + Unread.class.getName())
                .hasStackTraceContaining("nothing reads it");
    }

    @Test
    void sharesOneReferenceAmongEqualInjectionPoints() {
        Orders orders =
                star.start(WithDubboStarter.class, "far.island=shanghai").getBean(Orders.class);

        assertThat(orders.inShanghai).isSameAs(orders.byMetaAnnotation).isSameAs(orders.bySetter);
        assertThat(orders.inBeijing).isSameAs(orders.byOtherSetter).isSameAs(orders.byParameter);
    }

    @Test
    void yieldsToAnAttachmentAndToAScope() {
        Orders orders =
                star.start(WithDubboStarter.class, "far.island=shanghai").getBean(Orders.class);

        RpcContext.getClientAttachment().setAttachment(HighwayAttachments.ISLAND, "beijing");
        String byAttachment = orders.inShanghai.send("a");
        String byScope = Highway.to("beijing").call(() -> orders.inShanghai.send("b"));
        String byKey = orders.inShanghai.sendTo("beijing", "c");

        assertThat(byAttachment).isEqualTo("a in beijing from zhejiang");
        assertThat(byScope).isEqualTo("b in beijing from zhejiang");
        assertThat(byKey).isEqualTo("c in beijing from zhejiang");
    }

    /** As a refresh scope: beans are made again after it was cleared. */
    private static final class RenewedScope implements Scope {

        private final Map<String, Object> beans = new ConcurrentHashMap<>();

        @Override
        public Object get(String name, ObjectFactory<?> factory) {
            return beans.computeIfAbsent(name, any -> factory.getObject());
        }

        @Override
        public Object remove(String name) {
            return beans.remove(name);
        }

        @Override
        public void registerDestructionCallback(String name, Runnable callback) {
            // nothing to destroy
        }

        @Override
        public Object resolveContextualObject(String key) {
            return null;
        }

        @Override
        public String getConversationId() {
            return "renewed";
        }
    }

    static class Renewed {

        @DubboReference
        @Island("${renewed.island}")
        private Sms byField;

        private Sms bySetter;

        @DubboReference
        @Island("${renewed.island}")
        public void setBySetter(Sms sms) {
            this.bySetter = sms;
        }
    }

    static class RenewedWithId {

        @DubboReference(id = "smsOfRenewed")
        @Island("${renewed.island}")
        private Sms sms;
    }

    @Configuration
    @EnableAutoConfiguration
    static class WithRenewedScope {

        @Bean
        static CustomScopeConfigurer scopes() {
            CustomScopeConfigurer scopes = new CustomScopeConfigurer();
            scopes.addScope("renewed", new RenewedScope());
            return scopes;
        }

        @Bean
        @org.springframework.context.annotation.Scope("renewed")
        Renewed renewed() {
            return new Renewed();
        }

        @Bean
        @org.springframework.context.annotation.Scope("renewed")
        RenewedWithId renewedWithId() {
            return new RenewedWithId();
        }
    }

    private static void renew(ConfigurableApplicationContext context, String island) {
        context.getEnvironment()
                .getPropertySources()
                .addFirst(new MapPropertySource("refreshed", Map.of("renewed.island", island)));
        RenewedScope scope = (RenewedScope) context.getBeanFactory().getRegisteredScope("renewed");
        scope.beans.clear();
    }

    @Test
    void resolvesAPlaceholderAnew_whenABeanIsMadeAgain() {
        ConfigurableApplicationContext context = star.start(WithRenewedScope.class, "renewed.island=shanghai");
        Renewed first = context.getBean(Renewed.class);
        Sms firstById = context.getBean(RenewedWithId.class).sms;

        renew(context, "shanghai");
        Renewed same = context.getBean(Renewed.class);
        renew(context, "beijing");
        Renewed second = context.getBean(Renewed.class);
        Throwable withId = catchThrowable(() -> context.getBean(RenewedWithId.class));
        Throwable unknown = catchThrowable(() -> {
            renew(context, "Wuhan");
            context.getBean(Renewed.class);
        });
        renew(context, "shanghai");
        Renewed third = context.getBean(Renewed.class);

        assertThat(firstById.send("a")).isEqualTo("a in shanghai from zhejiang");
        for (Renewed inShanghai : List.of(first, same, third)) {
            assertThat(inShanghai.byField.send("a")).isEqualTo("a in shanghai from zhejiang");
            assertThat(inShanghai.bySetter.send("a")).isEqualTo("a in shanghai from zhejiang");
        }
        assertThat(second.byField.send("a")).isEqualTo("a in beijing from zhejiang");
        assertThat(second.bySetter.send("a")).isEqualTo("a in beijing from zhejiang");
        assertThat(second.byField).isSameAs(second.bySetter);
        assertThat(first.byField).isSameAs(third.byField);
        assertThat(withId)
                .hasRootCauseInstanceOf(HighwayConfigurationException.class)
                .rootCause()
                .hasMessageContaining("named \"shanghai\" when the application started and names \"beijing\" now");
        assertThat(unknown).rootCause().hasMessageContaining("\"Wuhan\" is not an island id");
    }
}
