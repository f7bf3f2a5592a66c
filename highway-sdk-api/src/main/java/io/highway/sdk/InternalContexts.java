// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What the SDK's other modules need of contexts; not public API. */
public final class InternalContexts {

    private InternalContexts() {}

    /**
     * {@return the context of a request from another island: no scope is open in it}
     *
     * @param caller the caller, or null if unknown
     * @param hops how many islands the chain of calls has crossed, at least 1
     * @throws IllegalArgumentException if {@code hops} is less than 1
     */
    public static HighwayContext servedFor(@Nullable Caller caller, int hops) {
        return HighwayContext.servedFor(caller, hops);
    }

    /**
     * {@return how many islands the chain of calls has crossed; 0 for a call from home and outside of a call}
     *
     * @param context the context of the request
     */
    public static int hops(HighwayContext context) {
        return context.hops();
    }

    /**
     * Passes on the lines of code that have opened scopes by {@link HighwayRoute#open} and lost them without closing
     * them, each line once in the life of the process. Known after a garbage collection.
     *
     * @param report receives lines such as {@code com.foo.Orders.send(Orders.java:42)}
     */
    public static void reportLostScopes(Consumer<String> report) {
        OpenedScope.reportLost(report);
    }
}
