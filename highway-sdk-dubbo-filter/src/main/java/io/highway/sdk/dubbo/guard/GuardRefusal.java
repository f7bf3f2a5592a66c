// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.guard;

import org.jspecify.annotations.Nullable;

/**
 * Why the guard refuses a call.
 *
 * @param reason a word, such as {@code wrong-island}; it starts the message
 * @param detail the cause and what to do, for people, without a full stop
 * @param rule the name of the rule that refuses, or null
 * @param mayHaveRun whether the same request may have run before, so that the refusal proves nothing
 */
record GuardRefusal(String reason, String detail, @Nullable String rule, boolean mayHaveRun) {

    GuardRefusal(String reason, String detail, @Nullable String rule) {
        this(reason, detail, rule, false);
    }

    /** One that no rule caused. */
    static GuardRefusal of(String reason, String detail) {
        return new GuardRefusal(reason, detail, null);
    }

    /** The text that both ends see. */
    String message() {
        return reason + "; " + detail;
    }
}
