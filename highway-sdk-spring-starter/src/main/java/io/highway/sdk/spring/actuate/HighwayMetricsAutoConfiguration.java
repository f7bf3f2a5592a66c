// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.spring.actuate;

import io.highway.sdk.dubbo.internal.application.HighwayRuntime;
import io.highway.sdk.spring.HighwayAutoConfiguration;
import io.highway.sdk.spring.internal.OnHighwayCondition.ConditionalOnHighway;
import io.highway.sdk.spring.internal.OnHighwayCondition.State;
import io.micrometer.core.instrument.MeterRegistry;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** Meters for applications with a registry, which Boot 4 configures elsewhere; none are registered while the highway is off. */
@AutoConfiguration(
        after = HighwayAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration"
        })
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnBean({MeterRegistry.class, HighwayRuntime.class})
@ConditionalOnHighway({State.ON, State.SWITCHED_OFF})
public class HighwayMetricsAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean(name = "highwayMeters")
    MicrometerMeters highwayMeters(MeterRegistry registry, ApplicationModel application) {
        return new MicrometerMeters(registry, application);
    }
}
