// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.spring.actuate;

import io.highway.sdk.dubbo.internal.application.HighwayRuntime;
import io.highway.sdk.spring.HighwayAutoConfiguration;
import io.highway.sdk.spring.internal.OnHighwayCondition.ConditionalOnHighway;
import io.highway.sdk.spring.internal.OnHighwayCondition.State;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.autoconfigure.health.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.actuate.health.AbstractHealthIndicator;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Endpoint, health and info for applications with the actuator; the endpoint is empty while the highway is off. */
@AutoConfiguration(after = HighwayAutoConfiguration.class)
@ConditionalOnClass(
        name = {
            "org.springframework.boot.actuate.endpoint.annotation.Endpoint",
            "org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint"
        })
@ConditionalOnBean(HighwayRuntime.class)
@ConditionalOnHighway({State.ON, State.SWITCHED_OFF})
@EnableConfigurationProperties(HighwayHealthProperties.class)
public class HighwayActuatorAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean(name = "highwayEndpoint")
    @ConditionalOnAvailableEndpoint(endpoint = HighwayEndpoint.class)
    HighwayEndpoint highwayEndpoint(HighwayRuntime runtime) {
        return new HighwayEndpoint(runtime);
    }

    @Bean
    @ConditionalOnMissingBean(name = "highwayStarEndpoint")
    @ConditionalOnAvailableEndpoint(endpoint = HighwayStarEndpoint.class)
    HighwayStarEndpoint highwayStarEndpoint() {
        return new HighwayStarEndpoint();
    }

    @Bean
    @ConditionalOnMissingBean(name = "highwayExplainEndpoint")
    @ConditionalOnAvailableEndpoint(endpoint = HighwayExplainEndpoint.class)
    HighwayExplainEndpoint highwayExplainEndpoint(ApplicationModel application) {
        return new HighwayExplainEndpoint(application);
    }

    @Bean
    @ConditionalOnMissingBean(name = "highwayProbeEndpoint")
    @ConditionalOnAvailableEndpoint(endpoint = HighwayProbeEndpoint.class)
    HighwayProbeEndpoint highwayProbeEndpoint(ApplicationModel application) {
        return new HighwayProbeEndpoint(application);
    }

    /** Applies in Spring Boot 2.7 and 3. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(AbstractHealthIndicator.class)
    @ConditionalOnHighway
    static class Health {

        @Bean
        @ConditionalOnMissingBean(name = "highwayHealthIndicator")
        @ConditionalOnEnabledHealthIndicator("highway")
        HighwayHealthIndicator highwayHealthIndicator(HighwayRuntime runtime, HighwayHealthProperties properties) {
            return new HighwayHealthIndicator(runtime, properties);
        }
    }

    /** Applies in Spring Boot 4, where these types have other packages. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(org.springframework.boot.health.contributor.AbstractHealthIndicator.class)
    @ConditionalOnHighway
    static class HealthOfBoot4 {

        @Bean
        @ConditionalOnMissingBean(name = "highwayHealthIndicator")
        @org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator("highway")
        HighwayHealthIndicatorOfBoot4 highwayHealthIndicator(
                HighwayRuntime runtime, HighwayHealthProperties properties) {
            return new HighwayHealthIndicatorOfBoot4(runtime, properties);
        }
    }
}
