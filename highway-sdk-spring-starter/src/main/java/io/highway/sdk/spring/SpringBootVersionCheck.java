// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.spring;

import io.highway.sdk.dubbo.policy.HighwayConfigurationException;
import org.apache.dubbo.common.Version;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.core.Ordered;

/** Says in one sentence that a Spring Boot is too new for Dubbo, before anything fails on it. */
final class SpringBootVersionCheck implements ApplicationListener<ApplicationEnvironmentPreparedEvent>, Ordered {

    private static final int FIRST_UNSUPPORTED = 4;

    @Override
    public int getOrder() {
        return Ordered.HIGHEST_PRECEDENCE; // before Dubbo's own listeners, which fail there
    }

    @Override
    public void onApplicationEvent(ApplicationEnvironmentPreparedEvent event) {
        require(SpringBootVersion.getVersion());
    }

    static void require(String version) {
        int major = Integer.parseInt(version.substring(0, version.indexOf('.')));
        if (major >= FIRST_UNSUPPORTED) {
            throw new HighwayConfigurationException(
                    "Spring Boot " + version,
                    "Dubbo " + Version.getVersion() + " does not support Spring Boot 4",
                    "Use Spring Boot 3.5 (or 2.7), or a Dubbo that says it supports Spring Boot 4 with a newer"
                            + " Highway SDK");
        }
    }
}
