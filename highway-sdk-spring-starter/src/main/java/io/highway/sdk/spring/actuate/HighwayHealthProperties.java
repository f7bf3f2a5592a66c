// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.spring.actuate;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How the health of islands affects the application's health.
 *
 * @param unreachableIsland Health of the application while an island cannot be reached and home's gateway can.
 */
@ConfigurationProperties("management.health.highway")
public record HighwayHealthProperties(@DefaultValue("up") UnreachableIsland unreachableIsland) {

    /** The status of an unreachable island. */
    public enum UnreachableIsland {
        /** The island's details are DEGRADED, and nothing else changes. */
        UP,
        /** The application is out of service. */
        OUT_OF_SERVICE,
        /** The application is down. */
        DOWN
    }
}
