// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk;

import java.util.concurrent.Callable;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Also carries the context to tasks that run later or periodically. */
final class CarryingScheduledExecutorService extends CarryingExecutorService implements ScheduledExecutorService {

    private final ScheduledExecutorService scheduler;

    CarryingScheduledExecutorService(ScheduledExecutorService scheduler) {
        super(scheduler);
        this.scheduler = scheduler;
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
        return scheduler.schedule(ThreadContext.capture().wrap(task), delay, unit);
    }

    @Override
    public <T extends @Nullable Object> ScheduledFuture<T> schedule(Callable<T> task, long delay, TimeUnit unit) {
        return scheduler.schedule(ThreadContext.capture().wrap(task), delay, unit);
    }

    @Override
    public ScheduledFuture<?> scheduleAtFixedRate(Runnable task, long initialDelay, long period, TimeUnit unit) {
        return scheduler.scheduleAtFixedRate(ThreadContext.capture().wrap(task), initialDelay, period, unit);
    }

    @Override
    public ScheduledFuture<?> scheduleWithFixedDelay(Runnable task, long initialDelay, long delay, TimeUnit unit) {
        return scheduler.scheduleWithFixedDelay(ThreadContext.capture().wrap(task), initialDelay, delay, unit);
    }
}
