// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.spring;

import io.highway.sdk.HighwayContext;
import io.highway.sdk.HighwayScope;
import io.micrometer.context.ThreadLocalAccessor;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Lets Micrometer's context propagation carry scopes to other threads: Reactor with automatic propagation,
 * {@code ContextExecutorService}, {@code @Async} with {@code ContextPropagatingTaskDecorator}. Found by the service
 * loader.
 */
public final class HighwayThreadLocalAccessor implements ThreadLocalAccessor<HighwayContext> {

    /** The key of {@link HighwayContext} in a context snapshot. */
    public static final String KEY = "io.highway.sdk";

    /** The scopes that this class has opened on this thread, the innermost first. */
    private static final ThreadLocal<@Nullable Deque<HighwayScope>> OPENED = new ThreadLocal<>();

    @Override
    public Object key() {
        return KEY;
    }

    @Override
    public @Nullable HighwayContext getValue() {
        HighwayContext context = HighwayContext.capture();
        return context.isEmpty() ? null : context;
    }

    @Override
    public void setValue(HighwayContext context) {
        Deque<HighwayScope> opened = OPENED.get();
        if (opened == null) {
            opened = new ArrayDeque<>();
            OPENED.set(opened);
        }
        opened.push(context.open());
    }

    @Override
    public void setValue() {
        setValue(HighwayContext.empty());
    }

    @Override
    public void restore(HighwayContext previous) {
        restore();
    }

    /** Closing a scope restores the previous context. */
    @Override
    public void restore() {
        Deque<HighwayScope> opened = OPENED.get();
        if (opened != null) {
            opened.pop().close();
            if (opened.isEmpty()) {
                OPENED.remove();
            }
        }
    }
}
