// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.spring;

import io.highway.sdk.dubbo.internal.application.HighwayRuntime;
import io.highway.sdk.spring.internal.OnHighwayCondition;
import io.highway.sdk.spring.internal.OnHighwayCondition.ConditionalOnHighway;
import io.highway.sdk.spring.internal.OnHighwayCondition.State;
import io.highway.sdk.spring.reference.EagerReferenceStarter;
import io.highway.sdk.spring.reference.IslandPlacementCheck;
import io.highway.sdk.spring.reference.IslandQualifiers;
import io.highway.sdk.spring.reference.IslandReferenceRegistrar;
import io.highway.sdk.spring.reference.IslandReferences;
import org.apache.dubbo.config.spring.ReferenceBean;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.apache.dubbo.rpc.model.ModuleModel;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/**
 * Auto-configuration for applications with Dubbo and Spring Boot. Without any {@code highway.*} key, and with
 * {@code highway.enabled=false}, the application uses plain Dubbo. Without any key, start-up fails if something asks
 * for an island.
 */
@AutoConfiguration
@ConditionalOnClass({ReferenceBean.class, HighwayRuntime.class})
@EnableConfigurationProperties(HighwayProperties.class)
public class HighwayAutoConfiguration {

    /** Passes the keys of Spring's environment and the application's beans to the SDK. */
    @Bean
    static SpringHighwayCustomizer springHighway(ConfigurableEnvironment environment) {
        return new SpringHighwayCustomizer(environment);
    }

    /** {@code @Island} on an injected parameter chooses among the references of {@code @Bean} methods. */
    @Bean
    static IslandQualifiers islandQualifiers() {
        return new IslandQualifiers();
    }

    /** Reads {@code @Island} on references; without any key, start-up fails if there is one. */
    @Bean
    @ConditionalOnHighway({State.ON, State.UNCONFIGURED})
    static IslandReferenceRegistrar islandReferenceRegistrar(
            ConfigurableEnvironment environment, ConfigurableListableBeanFactory beanFactory) {
        State state = OnHighwayCondition.state(environment, beanFactory.getBeanClassLoader());
        return new IslandReferenceRegistrar(state == State.ON);
    }

    /** The runtime of the application that Dubbo has bound to this context; created on demand. */
    @Bean
    @Lazy
    @ConditionalOnProperty(name = "dubbo.enabled", havingValue = "true", matchIfMissing = true)
    HighwayRuntime highwayRouting(ApplicationModel application) {
        return HighwayRuntime.of(application);
    }

    /** Applies if some key is set and {@code highway.enabled} is not false. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnHighway
    static class Enabled {

        @Bean
        IslandPlacementCheck islandPlacementCheck(
                ConfigurableListableBeanFactory beanFactory, ObjectProvider<IslandReferences> references) {
            return new IslandPlacementCheck(beanFactory, references);
        }

        @Bean
        EagerReferenceStarter everyReferenceStarts(ApplicationContext context, ModuleModel module) {
            return new EagerReferenceStarter(context, module);
        }
    }

    /** Applies in Spring MVC. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(WebMvcConfigurer.class)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    @ConditionalOnHighway
    static class WebMvc {

        @Bean
        RequestScopes highwayRequestScopes() {
            return new RequestScopes();
        }
    }
}
