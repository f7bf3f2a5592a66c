// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.spring;

import io.highway.sdk.dubbo.HighwayConfigurationException;
import io.highway.sdk.spring.internal.OnHighwayCondition;
import org.apache.dubbo.common.Version;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.context.event.ApplicationContextInitializedEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.Ordered;

/**
 * Reports a Spring Boot version that Dubbo does not support, before any bean fails on it; without any key it does
 * nothing.
 */
final class SpringBootVersionCheck implements ApplicationListener<ApplicationContextInitializedEvent>, Ordered {

    private static final int FIRST_UNSUPPORTED = 4;

    private final String version;

    SpringBootVersionCheck() {
        this(SpringBootVersion.getVersion());
    }

    SpringBootVersionCheck(String version) {
        this.version = version;
    }

    @Override
    public int getOrder() {
        return Ordered.HIGHEST_PRECEDENCE;
    }

    @Override
    public void onApplicationEvent(ApplicationContextInitializedEvent event) {
        ConfigurableApplicationContext context = event.getApplicationContext();
        if (OnHighwayCondition.state(context.getEnvironment(), context.getClassLoader())
                == OnHighwayCondition.State.ON) {
            require(version);
        }
    }

    static void require(String version) {
        int major = Integer.parseInt(version.substring(0, version.indexOf('.')));
        if (major >= FIRST_UNSUPPORTED) {
            throw new HighwayConfigurationException(
                    "Spring Boot " + version,
                    "Dubbo " + Version.getVersion() + " does not support Spring Boot 4",
                    "Use Spring Boot 3.5 (or 2.7), or a Dubbo version that supports Spring Boot 4 with a newer"
                            + " Highway SDK");
        }
    }
}
