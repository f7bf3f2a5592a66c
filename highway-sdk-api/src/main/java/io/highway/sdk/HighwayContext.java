// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk;

import org.jspecify.annotations.Nullable;

/**
 * The context of a thread: the route of the innermost open scope and the caller of the request being served.
 *
 * <p>An instance is an immutable snapshot that any thread can open: after {@code context.open()}, {@link #capture()}
 * equals {@code context} until the scope is closed, which restores what was before. Applications use {@link Highway};
 * this class is for code that moves work between threads or builds on the SDK.
 */
public final class HighwayContext {

    private static final HighwayContext EMPTY = new HighwayContext(ThreadContext.EMPTY);

    private final ThreadContext context;

    private HighwayContext(ThreadContext context) {
        this.context = context;
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
        return new HighwayContext(new ThreadContext(false, null, caller, hops));
    }

    /** {@return the context outside of any scope and any served request} */
    public static HighwayContext empty() {
        return EMPTY;
    }

    /** {@return whether no scope is open and no request from another island is served} */
    public boolean isEmpty() {
        return context.isEmpty();
    }

    /** {@return the current context of this thread} */
    public static HighwayContext capture() {
        ThreadContext current = ThreadContext.capture();
        return current.isEmpty() ? EMPTY : new HighwayContext(current);
    }

    /** {@return the route of the innermost open scope, or null if none is open} */
    public @Nullable HighwayRoute route() {
        return context.isRouted() ? HighwayRoute.of(context.island()) : null;
    }

    /** {@return the caller of the request being served, or null for calls from home and outside of a call} */
    public @Nullable Caller caller() {
        return context.caller();
    }

    /**
     * {@return how many islands the chain of calls has crossed to get here; 0 for a call from home and outside of a
     * call}
     */
    int hops() {
        return context.hops();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof HighwayContext same && context.equals(same.context);
    }

    @Override
    public int hashCode() {
        return context.hashCode();
    }

    @Override
    public String toString() {
        if (isEmpty()) {
            return "empty";
        }
        int hops = context.hops();
        return (context.isRouted() ? "scope " + route() : "no scope")
                + (hops == 0 ? "" : ", request of " + (caller() == null ? "an unknown caller" : caller()))
                + (hops == 0 ? "" : ", hops " + hops);
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
        return context.open();
    }
}
