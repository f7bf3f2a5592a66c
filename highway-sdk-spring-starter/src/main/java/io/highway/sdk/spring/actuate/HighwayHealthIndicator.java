// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.spring.actuate;

import io.highway.sdk.dubbo.internal.application.HighwayRuntime;
import org.springframework.boot.actuate.health.AbstractHealthIndicator;
import org.springframework.boot.actuate.health.Health;

/** {@link HighwayHealth} in Spring Boot 2.7 and 3. */
class HighwayHealthIndicator extends AbstractHealthIndicator {

    private final HighwayHealth health;

    /** For the application that {@code runtime} belongs to. */
    HighwayHealthIndicator(HighwayRuntime runtime, HighwayHealthProperties properties) {
        super("Highway health check failed");
        this.health = new HighwayHealth(runtime, properties);
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) {
        health.check(builder::status, builder::withDetail);
    }
}
