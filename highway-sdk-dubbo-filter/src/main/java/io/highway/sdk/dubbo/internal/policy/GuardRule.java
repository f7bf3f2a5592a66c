// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.policy;

import io.highway.sdk.Caller;
import io.highway.sdk.internal.Texts;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A rule of the guard about calls from other islands.
 *
 * @param name its name, from the key
 * @param action what it does with the calls that it matches
 * @param from the callers that it matches; empty for every call, also of an unknown caller
 * @param to the methods that it matches; empty for every method
 * @param rate the calls per second that each caller may make by this rule, or 0 for no limit
 */
public record GuardRule(String name, Action action, List<CallerPattern> from, MethodPatterns to, int rate) {

    /** What a rule does with a call. */
    public enum Action {
        /** Allows it. */
        ALLOW,
        /** Refuses it, whatever other rules allow. */
        DENY,
        /** Marks it. */
        AUDIT;

        @Override
        public String toString() {
            return Texts.word(this);
        }
    }

    public GuardRule {
        from = List.copyOf(from);
    }

    /**
     * Whether the rule applies to a call. An {@code allow} rule applies to verified callers only where signatures are
     * demanded; the others apply to what a caller claims to be, since a false claim gains nothing.
     *
     * @param caller the caller, or null if it is unknown
     * @param demandsSignature whether signatures are demanded
     */
    public boolean matches(@Nullable Caller caller, boolean demandsSignature, String interfaceName, String methodName) {
        return isFrom(caller, demandsSignature && action == Action.ALLOW)
                && (to.isEmpty() || to.matches(interfaceName, methodName));
    }

    private boolean isFrom(@Nullable Caller caller, boolean verifiedOnly) {
        return from.isEmpty()
                || (caller != null && from.stream().anyMatch(pattern -> pattern.matches(caller, verifiedOnly)));
    }
}
