// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.caller.route;

import io.highway.sdk.internal.Texts;

/** The rules of {@link RouteDecider}, in order. Rule 7 has three checks, each with a separate name. */
public enum Rule {
    NO_ISLAND(1, "the call names an island"),
    HOME_REQUESTED(2, "it does not ask for home"),
    ISLAND_ID(3, "the value is an island's id"),
    ISLAND_IS_HOME(4, "the island is not home"),
    KNOWN_ISLAND(5, "the island is known"),
    HOME_FIRST(6, "home does not come first, or has no provider"),
    DENY(7, "no pattern of the island's deny matches the method"),
    MAX_HOPS(7, "the chain of calls is within max-hops"),
    TUNNELLABLE(7, "no callback argument, no group or version pattern, no broadcast"),
    TUNNEL(8, "a tunnel carries the call");

    private final int number;
    private final String passed;

    Rule(int number, String passed) {
        this.number = number;
        this.passed = passed;
    }

    /** Its number in the documentation, 1 to 8. */
    public int number() {
        return number;
    }

    /** What is known of a call that it lets pass, in words. */
    public String passed() {
        return passed;
    }

    /** The word used in explanations and docs, such as {@code known-island}. */
    public String word() {
        return Texts.word(this);
    }

    @Override
    public String toString() {
        return Texts.word(this);
    }
}
