// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.route;

import io.highway.sdk.dubbo.Intent;
import io.highway.sdk.dubbo.internal.intent.CallState;
import org.apache.dubbo.rpc.Invocation;
import org.jspecify.annotations.Nullable;

/**
 * The intent and decision of one call. It is kept in the invocation's attributes, which never leave the process.
 *
 * @param intent what the call asks for
 * @param decision where it goes
 * @param policy the version of the policy that decided; null if none is configured
 */
public record Routed(Intent intent, RouteDecision decision, @Nullable String policy) {

    /** Records the decision on the call, and the version of the policy that decided. */
    public static void mark(Invocation invocation, Intent intent, RouteDecision decision, @Nullable String policy) {
        CallState.put(invocation, Routed.class, new Routed(intent, decision, policy));
    }

    /** What was decided, in words, with the version of the policy. */
    public String decided(String what) {
        return policy == null ? what : what + " (policy " + policy + ")";
    }

    /** The intent and decision of the call, or null if there is no decision yet. */
    public static @Nullable Routed of(Invocation invocation) {
        return CallState.get(invocation, Routed.class);
    }

    /** Whether an outer invoker has decided that the call stays home. */
    public static boolean isHome(Invocation invocation) {
        Routed routed = of(invocation);
        return routed != null && routed.decision instanceof RouteDecision.Home;
    }
}
