// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.caller.route;

import io.highway.sdk.internal.Texts;

/** The rules of {@link RouteDecider}, in order. Rule 9 has two checks, each with a separate name. */
public enum Rule {
    NO_ISLAND(1, "the call names an island"),
    HOME_REQUESTED(2, "it does not ask for home"),
    ISLAND_ID(3, "the value is an island's id"),
    ISLAND_IS_HOME(4, "the island is not home"),
    KNOWN_ISLAND(5, "the island is known"),
    HOME_FIRST(6, "home does not come first, or has no provider"),
    DENY(7, "no pattern of deny matches the method"),
    SERVED_BY(8, "an island answers the call, not home"),
    MAX_HOPS(9, "the chain of calls is within max-hops"),
    TUNNELLABLE(9, "no callback argument, no group or version pattern, no broadcast"),
    TUNNEL(10, "a tunnel carries the call");

    private final int number;
    private final String passed;

    Rule(int number, String passed) {
        this.number = number;
        this.passed = passed;
    }

    /** Its number in the documentation, 1 to 10. */
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
