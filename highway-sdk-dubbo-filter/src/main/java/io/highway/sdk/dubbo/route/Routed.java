// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.route;

import io.highway.sdk.dubbo.Intent;
import org.apache.dubbo.rpc.Invocation;
import org.jspecify.annotations.Nullable;

/**
 * What was asked and decided for one call. It stands among the invocation's attributes, which never leave the process.
 *
 * @param intent what was asked
 * @param decision what was decided
 */
public record Routed(Intent intent, RouteDecision decision) {

    private static final String KEY = Routed.class.getName();

    /** Notes the decision on the call. */
    public static void mark(Invocation invocation, Intent intent, RouteDecision decision) {
        invocation.put(KEY, new Routed(intent, decision));
    }

    /** What was decided for the call, or null if nobody has decided yet. */
    public static @Nullable Routed of(Invocation invocation) {
        return (Routed) invocation.get(KEY);
    }

    /** Whether somebody further out has decided that the call stays home. */
    public static boolean isHome(Invocation invocation) {
        Routed routed = of(invocation);
        return routed != null && routed.decision instanceof RouteDecision.Home;
    }
}
