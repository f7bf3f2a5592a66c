// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.decision;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The scenarios, each measured in separate processes. For JMH it is public. */
public enum Scenario {
    ABSENT("without the SDK", null),
    HOME("with it, no island asked for", ABSENT),
    ATTACHMENT("home by attachment", ABSENT),
    SCOPE("home by scope", ABSENT),
    KEY("home by argument, @IslandKey", ABSENT),
    METHOD("home by @Island on the method", ABSENT),
    REFERENCE("home by the reference's parameter", ABSENT),
    INTERFACE("home by @Island on the interface", ABSENT),
    CONFIGURATION("home by highway.services.*", ABSENT),
    FIVE_PROVIDERS("five providers, without the SDK", null),
    TAG_ROUTER("Dubbo's tag router among them", FIVE_PROVIDERS),
    ONE_REGISTRY("one registry, without the SDK", null),
    ZONE_AWARE("Dubbo's zone-aware cluster over two", ONE_REGISTRY),
    DOOR_ABSENT("a stub in place of the cluster", null),
    DOOR_HOME("the SDK's entry point before the stub", DOOR_ABSENT),
    DOOR_OTHER_METHOD("the same, where another method has @Island", DOOR_ABSENT);

    private final String title;
    private final @Nullable Scenario base;

    Scenario(String title, @Nullable Scenario base) {
        this.title = title;
        this.base = base;
    }

    /** For people. */
    String title() {
        return title;
    }

    /** Its baseline, or null if it is one itself. */
    @Nullable
    Scenario base() {
        return base;
    }

    /** Whether the SDK is there. */
    boolean hasSdk() {
        return base == ABSENT || base == DOOR_ABSENT;
    }

    /** As files have it. */
    String key() {
        return name().toLowerCase(Locale.ROOT);
    }
}
