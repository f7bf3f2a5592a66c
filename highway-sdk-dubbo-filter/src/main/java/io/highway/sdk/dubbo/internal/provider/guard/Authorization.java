// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.provider.guard;

import io.highway.sdk.Caller;
import io.highway.sdk.dubbo.internal.policy.GuardRule;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the rules decide about one call.
 *
 * @param verdict whether it is allowed
 * @param rule the rule that allows or denies it: the first by name; null if none applies
 * @param limits the rules that allow it and have a rate: it counts for each of them
 * @param audit the rule with the action {@code audit} that matches it, the first by name, or null
 */
record Authorization(Verdict verdict, @Nullable GuardRule rule, List<GuardRule> limits, @Nullable GuardRule audit) {

    /** Whether a call is allowed. */
    enum Verdict {
        /** A rule allows it, or there is no rule with the action {@code allow}. */
        ALLOWED,
        /** A rule denies it. */
        DENIED,
        /** There are rules with the action {@code allow}, and none of them matches. */
        NOT_ALLOWED
    }

    /**
     * Decides, as Istio's authorization policies do.
     *
     * <ol>
     *   <li>A call that a {@code deny} rule matches is refused.
     *   <li>If there is any {@code allow} rule, a call that none of them matches is refused.
     *   <li>Every other call is allowed.
     * </ol>
     *
     * The result depends on nothing but the arguments.
     *
     * @param rules the rules, by name
     * @param demandsSignature whether {@code allow} rules apply to verified callers only
     * @param caller the caller, or null if it is unknown
     * @param methodName the name of the method; of a generic call, the one that it names
     * @param sentName the name that was sent, which may begin with another case: it counts too, except to allow a call
     */
    static Authorization decide(
            List<GuardRule> rules,
            boolean demandsSignature,
            @Nullable Caller caller,
            String interfaceName,
            String methodName,
            String sentName) {
        GuardRule allowedBy = null;
        GuardRule deniedBy = null;
        GuardRule audit = null;
        boolean anyAllows = false;
        List<GuardRule> limits = new ArrayList<>();
        for (GuardRule rule : rules) {
            boolean matches = rule.matches(caller, demandsSignature, interfaceName, methodName)
                    || (rule.action() != GuardRule.Action.ALLOW
                            && rule.matches(caller, demandsSignature, interfaceName, sentName));
            switch (rule.action()) {
                case DENY -> deniedBy = matches && deniedBy == null ? rule : deniedBy;
                case AUDIT -> audit = matches && audit == null ? rule : audit;
                case ALLOW -> {
                    anyAllows = true;
                    allowedBy = matches && allowedBy == null ? rule : allowedBy;
                    if (matches && rule.rate() > 0) {
                        limits.add(rule);
                    }
                }
            }
        }
        if (deniedBy != null) {
            return new Authorization(Verdict.DENIED, deniedBy, List.of(), audit);
        }
        return anyAllows && allowedBy == null
                ? new Authorization(Verdict.NOT_ALLOWED, null, List.of(), audit)
                : new Authorization(Verdict.ALLOWED, allowedBy, limits, audit);
    }
}
