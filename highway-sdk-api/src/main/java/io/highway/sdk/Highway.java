// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk;

import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Sets the destination of the calls that a piece of code makes.
 *
 * <pre>{@code
 * Highway.to("shanghai").call(() -> sms.send(message)); // every call that this thread starts inside
 * Highway.to("shanghai").callChecked(() -> files.read(name)); // the same for code that throws checked exceptions
 * Highway.home().run(() -> ...); // force home
 * SmsService shanghai = Highway.to("shanghai").bind(SmsService.class, sms); // a proxy that always goes there
 * executor.submit(Highway.wrapCallable(() -> sms.send(message))); // carry the scope to another thread
 * }</pre>
 *
 * <p>The island of a call is the first of: the attachment {@link HighwayAttachments#ISLAND}, the innermost scope or
 * bound proxy, the {@link IslandKey} argument, the method's {@link Island}, the reference's, the interface's,
 * {@code highway.services.<interface>}; without any of them the call stays home.
 */
public final class Highway {

    private Highway() {}

    /**
     * {@return the route to an island}
     *
     * @param island its id
     * @throws IllegalArgumentException if it is not an island id, see {@link IslandId}; each call checks whether the
     *     island is known
     */
    public static HighwayRoute to(String island) {
        return HighwayRoute.to(island);
    }

    /** {@return the route that keeps calls home; it overrides annotations and configuration} */
    public static HighwayRoute home() {
        return HighwayRoute.HOME;
    }

    /**
     * {@return the caller of the request that a provider serves now; empty for calls from home and outside of a call}
     * {@code wrap} carries it to other threads.
     */
    public static Optional<Caller> caller() {
        return Optional.ofNullable(ThreadContext.capture().caller());
    }

    /**
     * {@return a task that runs with the current scope and caller, on any thread; a scope that it leaves open ends with
     * it} What has a value has a separate name, {@link #wrapCallable} and {@link #wrapSupplier}: compilers cannot tell
     * which of them a lambda means.
     *
     * @param task the task to wrap
     */
    public static Runnable wrap(Runnable task) {
        return ThreadContext.capture().wrap(task);
    }

    /**
     * {@return a task with a value that runs with the current scope and caller, on any thread}
     *
     * @param <T> the type of its value
     * @param task the task to wrap
     */
    public static <T extends @Nullable Object> Callable<T> wrapCallable(Callable<T> task) {
        return ThreadContext.capture().wrap(task);
    }

    /**
     * {@return a supplier that runs with the current scope and caller, on any thread}
     *
     * @param <T> the type of its value
     * @param supplier the supplier to wrap
     */
    public static <T extends @Nullable Object> Supplier<T> wrapSupplier(Supplier<T> supplier) {
        return ThreadContext.capture().wrap(supplier);
    }

    /**
     * {@return an executor that runs each task with the scope and caller of the thread that submits it}
     *
     * @param executor the executor to wrap
     */
    public static Executor wrapExecutor(Executor executor) {
        Objects.requireNonNull(executor, "executor");
        return task -> executor.execute(wrap(task));
    }

    /**
     * {@return an executor service that runs each task with the scope and caller of the thread that submits it}
     * Shutting down or closing it does so with the wrapped one. The wrapped one gets each task inside another object, so
     * its queue must not compare tasks.
     *
     * @param executor the executor to wrap
     */
    public static ExecutorService wrapExecutor(ExecutorService executor) {
        return CarryingExecutor.of(ExecutorService.class, executor);
    }

    /**
     * {@return a scheduler that runs each task with the scope and caller of the thread that schedules it, every run of
     * a periodic task included} Shutting down or closing it does so with the wrapped one.
     *
     * @param executor the executor to wrap
     */
    public static ScheduledExecutorService wrapExecutor(ScheduledExecutorService executor) {
        return CarryingExecutor.of(ScheduledExecutorService.class, executor);
    }
}
