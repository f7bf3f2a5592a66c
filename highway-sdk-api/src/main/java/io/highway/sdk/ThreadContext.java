// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a thread has of open scopes and of the request that it serves; {@link HighwayContext} is its public form.
 *
 * @param isRouted whether a scope is open
 * @param island the island of the innermost open scope, or null for home
 * @param caller the caller of the request being served, or null if it is unknown or there is none
 * @param hops how many islands the chain of calls has crossed to get here
 */
record ThreadContext(boolean isRouted, @Nullable String island, @Nullable Caller caller, int hops) {

    static final ThreadContext EMPTY = new ThreadContext(false, null, null, 0);

    private static final ThreadLocal<@Nullable Scope> INNERMOST = new ThreadLocal<>();

    /** From this number of open scopes on, those that were closed out of order are removed. */
    private static final int MANY = 32;

    /** The maximum number of open scopes: more than this are a leak. */
    private static final int MOST = 1000;

    /** Of this thread now. */
    static ThreadContext capture() {
        Scope scope = innermost();
        return scope == null ? EMPTY : scope.context;
    }

    boolean isEmpty() {
        return !isRouted && caller == null && hops == 0;
    }

    /** This context with the scope of an island, or of home. */
    ThreadContext routedTo(@Nullable String destination) {
        return new ThreadContext(true, destination, caller, hops);
    }

    /** A task that runs in this context, on any thread; a scope that it leaves open ends with it. */
    Runnable wrap(Runnable task) {
        Objects.requireNonNull(task, "task");
        return () -> {
            Object unused = call(() -> {
                task.run();
                return task; // any value
            });
        };
    }

    /** A task with a value that runs in this context. */
    <T extends @Nullable Object> Callable<T> wrap(Callable<T> task) {
        Objects.requireNonNull(task, "task");
        return () -> call(task::call);
    }

    /** A supplier that runs in this context. */
    <T extends @Nullable Object> Supplier<T> wrap(Supplier<T> supplier) {
        Objects.requireNonNull(supplier, "supplier");
        return () -> call(supplier::get);
    }

    /** Code with a value. */
    interface Body<T extends @Nullable Object, X extends Throwable> {

        T run() throws X;
    }

    /** The value of code that runs in this context here; scopes that it leaves open end with it. */
    <T extends @Nullable Object, X extends Throwable> T call(Body<T, X> body) throws X {
        HighwayScope scope = open();
        try {
            return body.run();
        } finally {
            scope.close();
        }
    }

    /** Opens it on this thread; closing the scope also ends those that were opened inside it. */
    HighwayScope open() {
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

        private final ThreadContext context;
        private final boolean endsInner;
        private @Nullable Scope outer;
        private int depth;
        private volatile boolean closed;

        private Scope(ThreadContext context, @Nullable Scope outer, boolean endsInner) {
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
