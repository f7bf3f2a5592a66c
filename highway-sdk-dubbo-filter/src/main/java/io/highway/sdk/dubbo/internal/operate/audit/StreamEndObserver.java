// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.operate.audit;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.dubbo.common.stream.StreamObserver;
import org.apache.dubbo.common.utils.ClassUtils;
import org.jspecify.annotations.Nullable;

/**
 * Reports the end of a stream that a service answers with. It has every interface of Dubbo's observer, since services
 * and Dubbo's reactive adapters cast it to set a compression or to control the flow.
 */
final class StreamEndObserver implements InvocationHandler {

    private final StreamObserver<?> observer;
    private final Consumer<@Nullable Throwable> ended;

    private StreamEndObserver(StreamObserver<?> observer, Consumer<@Nullable Throwable> ended) {
        this.observer = observer;
        this.ended = ended;
    }

    /** @param ended receives what the stream has ended with, or null */
    @SuppressWarnings("unchecked") // the array of the filter
    static StreamObserver<?> of(StreamObserver<?> observer, Consumer<@Nullable Throwable> ended) {
        Set<Class<?>> interfaces =
                ClassUtils.getAllInterfaces(observer.getClass(), type -> Modifier.isPublic(type.getModifiers()));
        return (StreamObserver<?>) Proxy.newProxyInstance(
                observer.getClass().getClassLoader(),
                interfaces.toArray(Class<?>[]::new),
                new StreamEndObserver(observer, ended));
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        try {
            return method.invoke(observer, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause() == null ? e : e.getCause();
        } finally {
            if (method.getDeclaringClass() != Object.class) {
                report(method.getName(), arguments);
            }
        }
    }

    private void report(String method, @Nullable Object @Nullable [] arguments) {
        if (method.equals("onCompleted")) {
            ended.accept(null);
        } else if (method.equals("onError")) {
            ended.accept(arguments != null && arguments.length > 0 && arguments[0] instanceof Throwable e ? e : null);
        }
    }
}
