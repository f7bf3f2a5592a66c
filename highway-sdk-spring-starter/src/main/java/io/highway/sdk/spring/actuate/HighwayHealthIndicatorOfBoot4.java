// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.spring.actuate;

import io.highway.sdk.dubbo.internal.application.HighwayRuntime;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/** {@link HighwayHealth} in Spring Boot 4. */
class HighwayHealthIndicatorOfBoot4 extends AbstractHealthIndicator {

    private final HighwayHealth health;

    /** For the application that {@code runtime} belongs to. */
    HighwayHealthIndicatorOfBoot4(HighwayRuntime runtime, HighwayHealthProperties properties) {
        super("Highway health check failed");
        this.health = new HighwayHealth(runtime, properties);
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) {
        health.check(builder::status, builder::withDetail);
    }
}
