// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.spring.actuate;

import org.springframework.boot.context.properties.ConfigurationProperties;

/** How the health of islands affects the application's health. */
@ConfigurationProperties("management.health.highway")
public class HighwayHealthProperties {

    /** Health of the application while an island cannot be reached and home's gateway can. */
    private UnreachableIsland unreachableIsland = UnreachableIsland.UP;

    public UnreachableIsland getUnreachableIsland() {
        return unreachableIsland;
    }

    public void setUnreachableIsland(UnreachableIsland unreachableIsland) {
        this.unreachableIsland = unreachableIsland;
    }

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
