// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.spring;

import io.highway.sdk.dubbo.HighwayRouting;
import io.highway.sdk.spring.reference.EveryReferenceStarts;
import io.highway.sdk.spring.reference.IslandPlacementCheck;
import io.highway.sdk.spring.reference.IslandReferenceRegistrar;
import io.highway.sdk.spring.reference.IslandReferences;
import org.apache.dubbo.config.spring.ReferenceBean;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.apache.dubbo.rpc.model.ModuleModel;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.ConfigurableEnvironment;

/**
 * Highway for an application with Dubbo and Spring Boot. Without any {@code highway.*} key, and with
 * {@code highway.enabled=false}, the application is what it was without the jar.
 */
@AutoConfiguration
@ConditionalOnClass({ReferenceBean.class, HighwayRouting.class})
@EnableConfigurationProperties(HighwayProperties.class)
public class HighwayAutoConfiguration {

    /** Lets Dubbo's side read the keys of Spring's environment, and find the application's beans. */
    @Bean
    static SpringHighway springHighway(ConfigurableEnvironment environment) {
        return new SpringHighway(environment);
    }

    /** What holds only where some key is set and {@code highway.enabled} is not false. */
    @Configuration(proxyBeanMethods = false)
    @Conditional(OnHighway.class)
    static class Enabled {

        @Bean
        static IslandReferenceRegistrar islandReferenceRegistrar() {
            return new IslandReferenceRegistrar();
        }

        /** The routing of the application that Dubbo has bound to this context. */
        @Bean
        @ConditionalOnMissingBean
        HighwayRouting highwayRouting(ApplicationModel application) {
            return HighwayRouting.of(application);
        }

        @Bean
        IslandPlacementCheck islandPlacementCheck(
                ConfigurableListableBeanFactory beanFactory, ObjectProvider<IslandReferences> references) {
            return new IslandPlacementCheck(beanFactory, references);
        }

        @Bean
        EveryReferenceStarts everyReferenceStarts(ApplicationContext context, ModuleModel module) {
            return new EveryReferenceStarts(context, module);
        }
    }
}
