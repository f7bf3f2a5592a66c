// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A destination for calls: one island, or home. Immutable, safe to share; get one from {@link Highway#to} or
 * {@link Highway#home}.
 */
public final class HighwayRoute {

    static final HighwayRoute HOME = new HighwayRoute(null);

    private static final StackWalker FRAMES = StackWalker.getInstance();

    private final @Nullable String island;

    private HighwayRoute(@Nullable String island) {
        this.island = island;
    }

    static HighwayRoute to(String island) {
        return new HighwayRoute(IslandId.requireValid("island", island));
    }

    static HighwayRoute of(@Nullable String island) {
        return island == null ? HOME : new HighwayRoute(island);
    }

    /** {@return the island's id, or null for home} */
    public @Nullable String island() {
        return island;
    }

    /**
     * Opens a scope on this thread: every call started in it, sync or async, takes this route. {@link #call} and {@link
     * #run} need no close. A scope that is never closed is logged with the line that opened it.
     *
     * @return the scope, to be closed on this thread
     * @throws IllegalStateException if 1000 scopes are open on this thread, because they are not closed
     */
    public HighwayScope open() {
        return new OpenedScope(
                ThreadContext.capture().routedTo(island).openAlone(),
                FRAMES.walk(frames -> frames.skip(1).findFirst().orElseThrow()));
    }

    /**
     * Runs {@code body} in a scope of this route and returns its value. Scopes that it leaves open end with it. {@link
     * #callChecked} takes code that throws checked exceptions.
     *
     * @param <T> the type of its value
     * @param body the code to run
     * @return the value of the body
     */
    public <T extends @Nullable Object> T call(Supplier<T> body) {
        return callChecked(Objects.requireNonNull(body, "body")::get);
    }

    /**
     * Runs {@code body} in a scope of this route. Scopes that it leaves open end with it. {@link #runChecked} takes
     * code that throws checked exceptions.
     *
     * @param body the code to run
     */
    public void run(Runnable body) {
        runChecked(Objects.requireNonNull(body, "body")::run);
    }

    /**
     * As {@link #call}, for code that throws checked exceptions. It has a separate name, because other languages,
     * such as Kotlin, cannot infer which exceptions a lambda throws.
     *
     * @param <T> the type of its value
     * @param <X> what it throws
     * @param body the code to run
     * @return the value of the body
     * @throws X whatever the body throws, unchanged
     */
    public <T extends @Nullable Object, X extends Throwable> T callChecked(CheckedCallable<T, X> body) throws X {
        Objects.requireNonNull(body, "body");
        return ThreadContext.capture().routedTo(island).call(body::call);
    }

    /**
     * As {@link #run}, for code that throws checked exceptions.
     *
     * @param <X> what it throws
     * @param body the code to run
     * @throws X whatever the body throws, unchanged
     */
    public <X extends Throwable> void runChecked(CheckedRunnable<X> body) throws X {
        Objects.requireNonNull(body, "body");
        Object unused = callChecked(() -> {
            body.run();
            return body; // any value
        });
    }

    /**
     * {@return a proxy of {@code service} whose calls always take this route, even inside other scopes}
     *
     * @param <T> the type of its value
     * @param type the service's interface
     * @param service the reference to call, as Dubbo made it
     * @throws IllegalArgumentException if {@code type} is not an interface, or its module does not let the SDK call it
     */
    public <T> T bind(Class<T> type, T service) {
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(service, "service");
        if (!type.isInterface()) {
            throw new IllegalArgumentException("type: " + type.getName() + " is not an interface; bind the service's"
                    + " interface, such as SmsService.class");
        }
        for (Method method : type.getMethods()) {
            if (!Modifier.isStatic(method.getModifiers()) && !method.trySetAccessible()) {
                throw new IllegalArgumentException("type: " + type.getName() + " cannot be called: its module "
                        + method.getDeclaringClass().getModule().getName() + " does not open or export "
                        + method.getDeclaringClass().getPackageName() + "; export the package, or open it");
            }
        }
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, new BoundService(this, type, service)));
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof HighwayRoute route && Objects.equals(island, route.island);
    }

    @Override
    public int hashCode() {
        return Objects.hashCode(island);
    }

    @Override
    public String toString() {
        return island == null ? "home" : island;
    }

    /**
     * Code that returns a value and may throw a checked exception.
     *
     * @param <T> the type of the value
     * @param <X> what it throws
     */
    @FunctionalInterface
    public interface CheckedCallable<T extends @Nullable Object, X extends Throwable> {

        /**
         * Runs the code.
         *
         * @return its value
         * @throws X if it fails
         */
        T call() throws X;
    }

    /**
     * Code that returns nothing and may throw a checked exception.
     *
     * @param <X> what it throws
     */
    @FunctionalInterface
    public interface CheckedRunnable<X extends Throwable> {

        /**
         * Runs the code.
         *
         * @throws X if it fails
         */
        void run() throws X;
    }

    /** What a proxy answers for a method that every object has: it equals itself only. */
    static Object ofObject(Object proxy, Method method, Object @Nullable [] arguments, String text) {
        return switch (method.getName()) {
            case "equals" -> arguments != null && proxy == arguments[0];
            case "hashCode" -> System.identityHashCode(proxy);
            default -> text;
        };
    }

    private record BoundService(HighwayRoute route, Class<?> type, Object service) implements InvocationHandler {

        @Override
        public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
            if (method.getDeclaringClass() == Object.class) {
                return ofObject(proxy, method, arguments, type.getName() + " bound to " + route);
            }
            method.trySetAccessible(); // the interface, or the one it inherits the method from, may not be public
            try {
                return route.callChecked(() -> method.invoke(service, arguments));
            } catch (InvocationTargetException e) {
                throw Objects.requireNonNullElse(e.getCause(), e);
            }
        }
    }
}
