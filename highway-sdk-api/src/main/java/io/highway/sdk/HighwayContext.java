// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk;

import org.jspecify.annotations.Nullable;

/**
 * What holds on a thread: the route of the innermost open scope and the caller of the request being served.
 *
 * <p>An instance is an immutable snapshot that another thread can open. Applications use {@link Highway}; this class is
 * for code that moves work between threads or builds on the SDK.
 */
public final class HighwayContext {

    private static final ThreadLocal<@Nullable Scope> INNERMOST = new ThreadLocal<>();
    private static final HighwayContext EMPTY = new HighwayContext(null, null, 0);

    private final @Nullable HighwayRoute route;
    private final @Nullable Caller caller;
    private final int hops;

    private HighwayContext(@Nullable HighwayRoute route, @Nullable Caller caller, int hops) {
        this.route = route;
        this.caller = caller;
        this.hops = hops;
    }

    /**
     * The context of a request from another island: no scope is open in it.
     *
     * @param caller who called, or null if unknown
     * @param hops how many islands the chain of calls has crossed, at least 1
     */
    public static HighwayContext servedFor(@Nullable Caller caller, int hops) {
        return new HighwayContext(null, caller, hops);
    }

    /** The context outside of any scope and any served request. */
    public static HighwayContext empty() {
        return EMPTY;
    }

    /** Whether nothing holds: no scope is open, and no request from another island is served. */
    public boolean isEmpty() {
        return route == null && caller == null && hops == 0;
    }

    /** What holds on this thread now. */
    public static HighwayContext capture() {
        Scope scope = innermost();
        return scope == null ? EMPTY : scope.context;
    }

    /** The route of the innermost scope open on this thread, or null if none is. */
    public static @Nullable HighwayRoute currentRoute() {
        Scope scope = innermost();
        return scope == null ? null : scope.context.route;
    }

    /** How many islands the chain of calls has crossed to get here; 0 for a call from home and outside of a call. */
    public int hops() {
        return hops;
    }

    static @Nullable Caller currentCaller() {
        Scope scope = innermost();
        return scope == null ? null : scope.context.caller;
    }

    /** Makes this snapshot hold on the current thread until the scope is closed, in place of what held before. */
    public HighwayScope open() {
        Scope scope = new Scope(this, innermost());
        INNERMOST.set(scope);
        return scope;
    }

    HighwayContext with(HighwayRoute next) {
        return new HighwayContext(next, caller, hops);
    }

    /** Scopes may be closed out of order or by another thread, so closed ones are dropped here, by their owner. */
    private static @Nullable Scope innermost() {
        Scope scope = INNERMOST.get();
        if (scope == null || !scope.closed) {
            return scope;
        }
        while (scope != null && scope.closed) {
            scope = scope.outer;
        }
        if (scope == null) {
            INNERMOST.remove();
        } else {
            INNERMOST.set(scope);
        }
        return scope;
    }

    private static final class Scope implements HighwayScope {

        private final HighwayContext context;
        private final @Nullable Scope outer;
        private volatile boolean closed;

        private Scope(HighwayContext context, @Nullable Scope outer) {
            this.context = context;
            this.outer = outer;
        }

        @Override
        public void close() {
            closed = true;
            innermost();
        }
    }
}
