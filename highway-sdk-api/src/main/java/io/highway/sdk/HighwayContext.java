// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The context of a thread: the route of the innermost open scope and the caller of the request being served.
 *
 * <p>An instance is an immutable snapshot that any thread can open: after {@code context.open()}, {@link #capture()}
 * equals {@code context} until the scope is closed, which restores what was before. Applications use {@link Highway};
 * this class is for code that moves work between threads or builds on the SDK.
 */
public final class HighwayContext {

    private static final ThreadLocal<@Nullable Scope> INNERMOST = new ThreadLocal<>();

    /** From this number of open scopes on, those that were closed out of order are removed. */
    private static final int MANY = 32;

    /** The maximum number of open scopes: more than this are a leak. */
    private static final int MOST = 1000;

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
     * {@return the context of a request from another island: no scope is open in it}
     *
     * @param caller the caller, or null if unknown
     * @param hops how many islands the chain of calls has crossed, at least 1
     * @throws IllegalArgumentException if {@code hops} is less than 1
     */
    static HighwayContext servedFor(@Nullable Caller caller, int hops) {
        if (hops < 1) {
            throw new IllegalArgumentException("hops: " + hops + " is not allowed; a request from another island has"
                    + " crossed at least 1. For a request from home use HighwayContext.empty()");
        }
        return new HighwayContext(null, caller, hops);
    }

    /** {@return the context outside of any scope and any served request} */
    public static HighwayContext empty() {
        return EMPTY;
    }

    /** {@return whether no scope is open and no request from another island is served} */
    public boolean isEmpty() {
        return route == null && caller == null && hops == 0;
    }

    /** {@return the current context of this thread} */
    public static HighwayContext capture() {
        Scope scope = innermost();
        return scope == null ? EMPTY : scope.context;
    }

    /** {@return the route of the innermost scope open on this thread, or null if none is} */
    public static @Nullable HighwayRoute currentRoute() {
        Scope scope = innermost();
        return scope == null ? null : scope.context.route;
    }

    /**
     * {@return the route of the innermost open scope, or empty if none is open; {@link #currentRoute} is the thread's
     * now}
     */
    public Optional<HighwayRoute> route() {
        return Optional.ofNullable(route);
    }

    /** {@return the caller of the request being served; empty for calls from home and outside of a call} */
    public Optional<Caller> caller() {
        return Optional.ofNullable(caller);
    }

    /**
     * {@return how many islands the chain of calls has crossed to get here; 0 for a call from home and outside of a
     * call}
     */
    int hops() {
        return hops;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof HighwayContext context
                && hops == context.hops
                && Objects.equals(route, context.route)
                && Objects.equals(caller, context.caller);
    }

    @Override
    public int hashCode() {
        return Objects.hash(route, caller, hops);
    }

    @Override
    public String toString() {
        if (isEmpty()) {
            return "empty";
        }
        return (route == null ? "no scope" : "scope " + route)
                + (hops == 0 ? "" : ", request " + (caller == null ? "of an unknown caller" : "of " + caller))
                + (hops == 0 ? "" : ", hops " + hops);
    }

    static @Nullable Caller currentCaller() {
        Scope scope = innermost();
        return scope == null ? null : scope.context.caller;
    }

    /**
     * Makes this snapshot the context of the current thread until the scope is closed. Closing it on this thread also
     * ends scopes that were opened inside it and are still open, so that a task which leaves one open does not change
     * the destination of the thread's next task.
     *
     * @return the scope, to be closed on this thread
     * @throws IllegalStateException if 1000 scopes are open on this thread
     */
    public HighwayScope open() {
        return open(true);
    }

    /** As {@link #open}, but scopes opened inside stay open when this one is closed first. */
    HighwayScope openAlone() {
        return open(false);
    }

    private HighwayScope open(boolean endsInner) {
        Scope outer = innermost();
        if (outer != null && outer.depth >= MANY) {
            outer.forgetClosed();
            if (outer.depth >= MOST) {
                throw new IllegalStateException(
                        MOST + " scopes are open on this thread, because code opens them and does not"
                                + " close them. Close what Highway.to(..).open() returns, by try-with-resources, or use call or run");
            }
        }
        Scope scope = new Scope(this, outer, endsInner);
        INNERMOST.set(scope);
        return scope;
    }

    HighwayContext with(HighwayRoute next) {
        return new HighwayContext(next, caller, hops);
    }

    /** Scopes may be closed out of order or by another thread, so the owning thread drops closed ones here. */
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

    /** Belongs to the thread that opened it; any thread may close it. */
    private static final class Scope implements HighwayScope {

        private final HighwayContext context;
        private final boolean endsInner;
        private @Nullable Scope outer;
        private int depth;
        private volatile boolean closed;

        private Scope(HighwayContext context, @Nullable Scope outer, boolean endsInner) {
            this.context = context;
            this.endsInner = endsInner;
            this.outer = outer;
            this.depth = outer == null ? 1 : outer.depth + 1;
        }

        @Override
        public void close() {
            closed = true;
            if (endsInner) {
                endInner();
            }
            innermost();
        }

        /** Only if this scope belongs to the current thread. */
        private void endInner() {
            Scope scope = INNERMOST.get();
            while (scope != null && scope != this) {
                scope = scope.outer;
            }
            if (scope != null) {
                INNERMOST.set(scope);
            }
        }

        /** Drops the closed ones below and counts again. */
        private void forgetClosed() {
            Deque<Scope> open = new ArrayDeque<>();
            for (Scope scope = this; scope != null; scope = scope.outer) {
                if (scope == this || !scope.closed) {
                    open.push(scope);
                }
            }
            Scope below = null;
            for (Scope scope : open) {
                scope.outer = below;
                scope.depth = below == null ? 1 : below.depth + 1;
                below = scope;
            }
        }
    }
}
