// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.spring.actuate;

import org.springframework.boot.actuate.endpoint.SanitizingFunction;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.ConfigurableEnvironment;

/** Hides secrets in {@code /actuator/env} and {@code /actuator/configprops}, also while the highway is off. */
@AutoConfiguration
@ConditionalOnClass(
        name = {
            "org.springframework.boot.actuate.endpoint.SanitizingFunction",
            "io.highway.sdk.dubbo.internal.application.HighwayRuntime",
            "org.apache.dubbo.common.config.Environment"
        })
public class HighwaySanitizingAutoConfiguration {

    @Bean
    SanitizingFunction highwaySecrets(ConfigurableEnvironment environment) {
        return new HighwaySanitizingFunction(environment);
    }
}
