// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.provider.guard;

import io.highway.sdk.dubbo.internal.policy.Policy;
import org.jspecify.annotations.Nullable;

/**
 * Why the guard refuses a call.
 *
 * @param reason a word, such as {@code wrong-island}; it starts the message
 * @param detail the cause and what to do, for people, without a full stop
 * @param rule the name of the rule that refuses, or null
 * @param mayHaveRun whether the same request may have run before, so that the refusal proves nothing
 * @param shadow the key by which it is only reported, and the call passes, or null
 */
record GuardRefusal(String reason, String detail, @Nullable String rule, boolean mayHaveRun, @Nullable String shadow) {

    /** One that applies in every mode. */
    static GuardRefusal of(String reason, String detail) {
        return new GuardRefusal(reason, detail, null, false, null);
    }

    /** One that is only reported if the policy's {@code guard.mode} is {@code shadow}. */
    static GuardRefusal unlessShadow(Policy policy, String reason, String detail, @Nullable String rule) {
        return new GuardRefusal(reason, detail, rule, false, policy.guard().isShadow() ? "guard.mode" : null);
    }

    boolean isShadow() {
        return shadow != null;
    }

    /** The text that both ends see. */
    String message() {
        return reason + "; " + detail + (shadow == null ? "" : "; served, since highway." + shadow + " is shadow");
    }
}
