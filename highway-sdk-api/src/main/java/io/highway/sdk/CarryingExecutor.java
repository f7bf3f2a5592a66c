// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import org.jspecify.annotations.Nullable;

/**
 * Carries the context to each task of an executor, whichever methods its Java version has. The wrapped executor makes the
 * futures, so that they are what its queue, {@code shutdownNow} and its own rules expect.
 */
record CarryingExecutor(ExecutorService executor) implements InvocationHandler {

    static <E extends ExecutorService> E of(Class<E> type, E executor) {
        Objects.requireNonNull(executor, "executor");
        return type.cast(Proxy.newProxyInstance(
                CarryingExecutor.class.getClassLoader(), new Class<?>[] {type}, new CarryingExecutor(executor)));
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
        if (method.getDeclaringClass() == Object.class) {
            return HighwayRoute.ofObject(proxy, method, arguments, "carrying " + executor);
        }
        Class<?>[] types = method.getParameterTypes();
        for (int i = 0; arguments != null && i < types.length; i++) {
            arguments[i] = carried(types[i], arguments[i]);
        }
        try {
            return method.invoke(executor, arguments);
        } catch (InvocationTargetException e) {
            throw Objects.requireNonNullElse(e.getCause(), e);
        }
    }

    private static Object carried(Class<?> type, Object argument) {
        if (type == Runnable.class) {
            return ThreadContext.capture().wrap((Runnable) argument);
        } else if (type == Callable.class) {
            return ThreadContext.capture().wrap((Callable<?>) argument);
        } else if (type == Collection.class) {
            List<Object> tasks = new ArrayList<>();
            ((Collection<?>) argument).forEach(task -> tasks.add(carried(Callable.class, task)));
            return tasks;
        }
        return argument;
    }
}
