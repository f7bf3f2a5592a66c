// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.route;

import org.jspecify.annotations.Nullable;

/** Observes the rules of {@link RouteDecider} while they are applied in order. */
@FunctionalInterface
public interface DecisionTrace {

    /** For calls: observes nothing. */
    DecisionTrace NONE = (rule, decision) -> {};

    /**
     * Called after each rule that is applied.
     *
     * @param decision the decision, which ends the sequence, or null if the next rule is applied
     */
    void applied(Rule rule, @Nullable RouteDecision decision);
}
