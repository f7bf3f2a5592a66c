// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.spring.actuate;

import org.springframework.boot.context.properties.ConfigurationProperties;

/** How the health of islands counts in the application's. */
@ConfigurationProperties("management.health.highway")
public class HighwayHealthProperties {

    /** What the application's health is while a far island cannot be reached and home's gateway can. */
    private UnreachableIsland unreachableIsland = UnreachableIsland.UP;

    public UnreachableIsland getUnreachableIsland() {
        return unreachableIsland;
    }

    public void setUnreachableIsland(UnreachableIsland unreachableIsland) {
        this.unreachableIsland = unreachableIsland;
    }

    /** A status. */
    public enum UnreachableIsland {
        /** The island's details say DEGRADED, and nothing else changes. */
        UP,
        /** The application is out of service. */
        OUT_OF_SERVICE,
        /** The application is down. */
        DOWN
    }
}
