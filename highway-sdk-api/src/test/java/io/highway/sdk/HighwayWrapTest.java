// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class HighwayWrapTest {

    private static final Callable<HighwayRoute> ROUTE =
            () -> HighwayContext.capture().route();

    private final ScheduledExecutorService worker = Executors.newSingleThreadScheduledExecutor();
    private HighwayScope workersOwn;

    /** The worker has another scope open, which a carried context must hide and not change. */
    @BeforeEach
    void openAScopeOnTheWorker() throws Exception {
        workersOwn = worker.submit(() -> Highway.to("worker").open()).get();
    }

    @AfterEach
    void theWorkersScopeIsUnchanged() throws Exception {
        assertThat(worker.submit(ROUTE).get()).isEqualTo(Highway.to("worker"));
        assertThat(HighwayContext.capture().route()).isNull();
        workersOwn.close();
        worker.shutdownNow();
    }

    /** Methods to submit a task to the worker; each captures the context where it is called. */
    interface Way {
        HighwayRoute routeSeenBy(ExecutorService worker) throws Exception;
    }

    static Stream<Arguments> ways() {
        return Stream.of(
                way("Runnable", worker -> {
                    CompletableFuture<HighwayRoute> seen = new CompletableFuture<>();
                    Runnable task = () -> seen.complete(HighwayContext.capture().route());
                    worker.execute(Highway.wrap(task));
                    return seen.get();
                }),
                way("lambda without a value", worker -> {
                    CompletableFuture<HighwayRoute> seen = new CompletableFuture<>();
                    worker.execute(Highway.wrap(() -> {
                        seen.complete(HighwayContext.capture().route());
                    }));
                    return seen.get();
                }),
                way("Callable", worker -> worker.submit(Highway.wrapCallable(ROUTE))
                        .get()),
                way("lambda with a value", worker -> worker.submit(Highway.wrapCallable(
                                () -> HighwayContext.capture().route()))
                        .get()),
                way("method reference", worker -> worker.submit(Highway.wrapCallable(
                                () -> HighwayContext.capture().route()))
                        .get()),
                way("Supplier", worker -> CompletableFuture.supplyAsync(
                                Highway.wrapSupplier(
                                        () -> HighwayContext.capture().route()),
                                worker)
                        .get()),
                way("Executor", worker -> {
                    Executor carrying = Highway.wrapExecutor((Executor) worker);
                    return CompletableFuture.supplyAsync(
                                    () -> HighwayContext.capture().route(), carrying)
                            .get();
                }),
                way("ExecutorService.execute", worker -> {
                    CompletableFuture<HighwayRoute> seen = new CompletableFuture<>();
                    Highway.wrapExecutor(worker)
                            .execute(
                                    () -> seen.complete(HighwayContext.capture().route()));
                    return seen.get();
                }),
                way(
                        "ExecutorService.submit",
                        worker -> Highway.wrapExecutor(worker).submit(ROUTE).get()),
                way("ExecutorService.invokeAll", worker -> Highway.wrapExecutor(worker)
                        .invokeAll(List.of(ROUTE))
                        .get(0)
                        .get()),
                way("ExecutorService.invokeAny", worker -> Highway.wrapExecutor(worker)
                        .invokeAny(List.of(() -> {
                            HighwayRoute route = HighwayContext.capture().route();
                            return route == null ? Highway.to("nowhere") : route;
                        }))),
                way("CompletableFuture.supplyAsync", worker -> CompletableFuture.supplyAsync(
                                () -> HighwayContext.capture().route(), Highway.wrapExecutor(worker))
                        .get()),
                way("ScheduledExecutorService.schedule", worker -> Highway.wrapExecutor(scheduler(worker))
                        .schedule(ROUTE, 1, TimeUnit.MILLISECONDS)
                        .get()),
                way("ScheduledExecutorService.schedule of a Runnable", worker -> {
                    CompletableFuture<HighwayRoute> seen = new CompletableFuture<>();
                    Runnable task = () -> seen.complete(HighwayContext.capture().route());
                    Highway.wrapExecutor(scheduler(worker)).schedule(task, 1, TimeUnit.MILLISECONDS);
                    return seen.get();
                }),
                way("ScheduledExecutorService.scheduleAtFixedRate", worker -> {
                    RouteOfTheSecondRun task = new RouteOfTheSecondRun();
                    Future<?> runs = Highway.wrapExecutor(scheduler(worker))
                            .scheduleAtFixedRate(task, 0, 1, TimeUnit.MILLISECONDS);
                    return task.endedBy(runs);
                }),
                way("ScheduledExecutorService.scheduleWithFixedDelay", worker -> {
                    RouteOfTheSecondRun task = new RouteOfTheSecondRun();
                    Future<?> runs = Highway.wrapExecutor(scheduler(worker))
                            .scheduleWithFixedDelay(task, 0, 1, TimeUnit.MILLISECONDS);
                    return task.endedBy(runs);
                }),
                way("ScheduledExecutorService.submit", worker -> Highway.wrapExecutor(scheduler(worker))
                        .submit(ROUTE)
                        .get()));
    }

    private static ScheduledExecutorService scheduler(ExecutorService worker) {
        return (ScheduledExecutorService) worker;
    }

    /** Answers with what its second run sees, so that a context which only the first run gets is noticed. */
    private static final class RouteOfTheSecondRun implements Runnable {

        private final CompletableFuture<HighwayRoute> seen = new CompletableFuture<>();
        private int runs;

        @Override
        public void run() {
            runs++;
            if (runs == 2) {
                seen.complete(HighwayContext.capture().route());
            }
        }

        private HighwayRoute endedBy(Future<?> periodic) throws Exception {
            try {
                return seen.get(5, TimeUnit.SECONDS);
            } finally {
                periodic.cancel(false);
            }
        }
    }

    private static Arguments way(String name, Way way) {
        return Arguments.of(name, way);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("ways")
    void carriesTheScope(String name, Way way) throws Exception {
        HighwayRoute seen = Highway.to("shanghai").callChecked(() -> way.routeSeenBy(worker));

        assertThat(seen).isEqualTo(Highway.to("shanghai"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("ways")
    void carriesHome(String name, Way way) throws Exception {
        HighwayRoute seen = Highway.home().callChecked(() -> way.routeSeenBy(worker));

        assertThat(seen).isSameAs(Highway.home());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("ways")
    void hidesTheWorkersOwnScope_whenNoneWasOpen(String name, Way way) throws Exception {
        HighwayRoute seen = way.routeSeenBy(worker);

        assertThat(seen).isIn(null, Highway.to("nowhere"));
    }

    @Test
    void capturesWhereTheTaskIsHandedIn_notWhereTheExecutorIsWrapped() throws Exception {
        ExecutorService carrying = Highway.to("beijing").call(() -> Highway.wrapExecutor(worker));

        HighwayRoute seen =
                Highway.to("shanghai").callChecked(() -> carrying.submit(ROUTE).get());

        assertThat(seen).isEqualTo(Highway.to("shanghai"));
    }

    @Test
    void keepsTheScope_whenItIsClosedBeforeTheTaskRuns() throws Exception {
        Callable<HighwayRoute> task = Highway.to("shanghai").call(() -> Highway.wrapCallable(ROUTE));

        assertThat(worker.submit(task).get()).isEqualTo(Highway.to("shanghai"));
        assertThat(worker.submit(task).get()).isEqualTo(Highway.to("shanghai"));
    }

    @Test
    void restoresTheWorker_whenTheTaskFails() {
        IOException broken = new IOException("broken");
        IllegalStateException wrong = new IllegalStateException("wrong");
        Callable<Object> callable = Highway.wrapCallable((Callable<Object>) () -> {
            throw broken;
        });
        Runnable runnable = Highway.wrap((Runnable) () -> {
            throw wrong;
        });
        Supplier<Object> supplier = Highway.wrapSupplier(() -> {
            throw wrong;
        });

        assertThatThrownBy(() -> worker.submit(callable).get())
                .isInstanceOf(ExecutionException.class)
                .cause()
                .isSameAs(broken);
        assertThatThrownBy(() -> worker.submit(runnable).get()).cause().isSameAs(wrong);
        assertThatThrownBy(() -> CompletableFuture.supplyAsync(supplier, worker).get())
                .cause()
                .isSameAs(wrong);
    }

    @Test
    void restoresTheWorker_whenTheTaskLeavesAScopeOpen() throws Exception {
        Callable<HighwayRoute> forgetful = () -> {
            Highway.to("cloud").open();
            return HighwayContext.capture().route();
        };

        worker.submit(Highway.wrapCallable(forgetful)).get();
        HighwayRoute afterCallable = worker.submit(ROUTE).get();
        Runnable forgetfulRunnable = () -> Highway.to("cloud").open();
        worker.submit(Highway.wrap(forgetfulRunnable)).get();
        HighwayRoute afterRunnable = worker.submit(ROUTE).get();
        CompletableFuture.supplyAsync(
                        Highway.wrapSupplier(() -> Highway.to("cloud").open()), worker)
                .get();
        HighwayRoute afterSupplier = worker.submit(ROUTE).get();
        Highway.wrapExecutor(worker).submit(forgetful).get();
        HighwayRoute afterExecutor = worker.submit(ROUTE).get();

        assertThat(List.of(afterCallable, afterRunnable, afterSupplier, afterExecutor))
                .containsOnly(Highway.to("worker"));
    }

    @Test
    void runsOnTheSameThreadToo() throws Exception {
        Callable<HighwayRoute> task = Highway.wrapCallable(ROUTE);

        assertThat(Highway.to("shanghai").<HighwayRoute, Exception>callChecked(task::call))
                .isNull();
    }

    @Test
    void passesTheLifeOfTheExecutorServiceOn() throws Exception {
        ExecutorService own = Executors.newSingleThreadExecutor();
        ExecutorService carrying = Highway.wrapExecutor(own);
        Future<HighwayRoute> last = Highway.to("shanghai").call(() -> carrying.submit(ROUTE));

        assertThat(carrying.isShutdown()).isFalse();
        assertThat(carrying.isTerminated()).isFalse();
        carrying.shutdown();
        assertThat(own.isShutdown()).isTrue();
        assertThat(carrying.isShutdown()).isTrue();
        assertThat(carrying.awaitTermination(5, TimeUnit.SECONDS)).isTrue();
        assertThat(carrying.isTerminated()).isTrue();
        assertThat(carrying.shutdownNow()).isEmpty();
        assertThat(last.get()).isEqualTo(Highway.to("shanghai"));
    }

    /** A caller that ends a pool cancels what it never ran. */
    @Test
    void givesTheFuturesOfQueuedTasksBack_whenThePoolIsShutDown() throws Exception {
        ExecutorService own = Executors.newSingleThreadExecutor();
        ExecutorService carrying = Highway.wrapExecutor(own);
        CountDownLatch running = new CountDownLatch(1);
        carrying.execute(() -> {
            running.countDown();
            LockSupport.park();
        });
        running.await();
        Future<HighwayRoute> queued = carrying.submit(ROUTE);

        for (Runnable never : carrying.shutdownNow()) {
            ((Future<?>) never).cancel(false);
        }

        assertThat(queued.isCancelled()).isTrue();
    }

    @Test
    void leavesAForkJoinPoolItsJoins() throws Exception {
        ForkJoinPool own = new ForkJoinPool(1);
        ExecutorService carrying = Highway.wrapExecutor((ExecutorService) own);

        Future<HighwayRoute> outer = Highway.to("shanghai")
                .call(() -> carrying.submit(() -> carrying.submit(ROUTE).get()));

        assertThat(outer.get(10, TimeUnit.SECONDS)).isEqualTo(Highway.to("shanghai"));
        own.shutdown();
    }

    @Test
    void leavesASchedulerItsRules() throws Exception {
        ScheduledThreadPoolExecutor own = new ScheduledThreadPoolExecutor(1);
        own.setRemoveOnCancelPolicy(true);
        own.schedule(() -> LockSupport.parkNanos(1), 1, TimeUnit.HOURS);
        ScheduledExecutorService carrying = Highway.wrapExecutor((ScheduledExecutorService) own);
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        own.execute(() -> {
            begun.countDown();
            try {
                end.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        begun.await();
        Future<HighwayRoute> queued = carrying.submit(ROUTE);

        queued.cancel(false);

        assertThat(own.getQueue()).hasSize(1);
        end.countDown();
        own.shutdownNow();
    }

    /** From Java 19 on; the common pool cannot be closed. */
    @Test
    void closesAsTheExecutorServiceDoes() throws Exception {
        Optional<Method> close = Stream.of(ExecutorService.class.getMethods())
                .filter(method -> method.getName().equals("close"))
                .findAny();
        assumeThat(close).isPresent();
        ExecutorService own = Executors.newSingleThreadExecutor();

        close.get().invoke(Highway.wrapExecutor((ExecutorService) ForkJoinPool.commonPool()));
        close.get().invoke(Highway.wrapExecutor(own));

        assertThat(ForkJoinPool.commonPool().isShutdown()).isFalse();
        assertThat(own.isTerminated()).isTrue();
    }

    @Test
    void namesTheArgument_whenItIsNull() {
        assertThatNullPointerException()
                .isThrownBy(() -> Highway.wrap((Runnable) null))
                .withMessage("task");
        assertThatNullPointerException()
                .isThrownBy(() -> Highway.wrapCallable((Callable<?>) null))
                .withMessage("task");
        assertThatNullPointerException()
                .isThrownBy(() -> Highway.wrapSupplier(null))
                .withMessage("supplier");
        assertThatNullPointerException()
                .isThrownBy(() -> Highway.wrapExecutor((Executor) null))
                .withMessage("executor");
        assertThatNullPointerException()
                .isThrownBy(() -> Highway.wrapExecutor((ExecutorService) null))
                .withMessage("executor");
        assertThatNullPointerException()
                .isThrownBy(() -> Highway.wrapExecutor((ScheduledExecutorService) null))
                .withMessage("executor");
    }
}
