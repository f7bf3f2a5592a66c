// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Carries the context to each task. The wrapped executor makes the futures, so that they are what its queue,
 * {@code shutdownNow} and its own rules expect.
 */
class CarryingExecutorService implements ExecutorService {

    /** {@code ExecutorService.close}, or null before Java 19. */
    private static final @Nullable MethodHandle CLOSE = closeMethod();

    private final ExecutorService executor;

    CarryingExecutorService(ExecutorService executor) {
        this.executor = executor;
    }

    private static @Nullable MethodHandle closeMethod() {
        try {
            return MethodHandles.publicLookup()
                    .findVirtual(ExecutorService.class, "close", MethodType.methodType(void.class));
        } catch (NoSuchMethodException | IllegalAccessException e) {
            return null;
        }
    }

    private static <T extends @Nullable Object> List<Callable<T>> wrapAll(Collection<? extends Callable<T>> tasks) {
        List<Callable<T>> wrapped = new ArrayList<>(tasks.size());
        for (Callable<T> task : tasks) {
            wrapped.add(ThreadContext.capture().wrap(task));
        }
        return wrapped;
    }

    @Override
    public void execute(Runnable task) {
        executor.execute(ThreadContext.capture().wrap(task));
    }

    @Override
    public <T extends @Nullable Object> Future<T> submit(Callable<T> task) {
        return executor.submit(ThreadContext.capture().wrap(task));
    }

    @Override
    public <T extends @Nullable Object> Future<T> submit(Runnable task, T result) {
        return executor.submit(ThreadContext.capture().wrap(task), result);
    }

    @Override
    public Future<?> submit(Runnable task) {
        return executor.submit(ThreadContext.capture().wrap(task));
    }

    @Override
    public <T extends @Nullable Object> List<Future<T>> invokeAll(Collection<? extends Callable<T>> tasks)
            throws InterruptedException {
        return executor.invokeAll(wrapAll(tasks));
    }

    @Override
    public <T extends @Nullable Object> List<Future<T>> invokeAll(
            Collection<? extends Callable<T>> tasks, long timeout, TimeUnit unit) throws InterruptedException {
        return executor.invokeAll(wrapAll(tasks), timeout, unit);
    }

    @Override
    public <T extends @Nullable Object> T invokeAny(Collection<? extends Callable<T>> tasks)
            throws InterruptedException, ExecutionException {
        return executor.invokeAny(wrapAll(tasks));
    }

    @Override
    public <T extends @Nullable Object> T invokeAny(
            Collection<? extends Callable<T>> tasks, long timeout, TimeUnit unit)
            throws InterruptedException, ExecutionException, TimeoutException {
        return executor.invokeAny(wrapAll(tasks), timeout, unit);
    }

    @Override
    public void shutdown() {
        executor.shutdown();
    }

    @Override
    public List<Runnable> shutdownNow() {
        return executor.shutdownNow();
    }

    @Override
    public boolean isShutdown() {
        return executor.isShutdown();
    }

    @Override
    public boolean isTerminated() {
        return executor.isTerminated();
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
        return executor.awaitTermination(timeout, unit);
    }

    /** Overrides the method that Java 19 has added: executors close in their own way, the common pool not at all. */
    @SuppressWarnings({"unused", "MissingOverride"}) // of newer Java versions
    public void close() {
        if (CLOSE == null) {
            throw new UnsupportedOperationException("ExecutorService.close needs Java 19 or newer");
        }
        try {
            CLOSE.invoke(executor);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e); // close declares no checked exception
        }
    }
}
