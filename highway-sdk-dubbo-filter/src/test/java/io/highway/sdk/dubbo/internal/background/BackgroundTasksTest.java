// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.background;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.highway.sdk.dubbo.internal.background.BackgroundTasks.RepeatedTask;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BackgroundTasksTest {

    private static final long LONG = 20_000;

    private final BackgroundTasks tasks = new BackgroundTasks();
    private final AtomicInteger runs = new AtomicInteger();
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);
    private final AtomicBoolean isInterrupted = new AtomicBoolean();

    @AfterEach
    void destroy() {
        goOn.countDown();
        tasks.destroy();
    }

    /** The first run blocks until {@link #goOn}. */
    private RepeatedTask started(long delay) throws InterruptedException {
        RepeatedTask task = tasks.repeat(() -> {
            begun.countDown();
            try {
                goOn.await();
            } catch (InterruptedException e) {
                isInterrupted.set(true);
            }
            runs.incrementAndGet();
            return delay;
        });
        task.runSoon();
        begun.await();
        return task;
    }

    private void awaitRuns(int count) {
        await().untilAsserted(() -> assertThat(runs).hasValueGreaterThanOrEqualTo(count));
    }

    @Test
    void runsAgain_afterTheDelay() throws Exception {
        RepeatedTask task = started(1);
        goOn.countDown();

        awaitRuns(3);
        task.close();
    }

    @Test
    void aPeriodicTaskThatBlocks_keepsNoOtherFromRunning() throws Exception {
        RepeatedTask blocked = tasks.every(1, () -> {
            begun.countDown();
            try {
                goOn.await();
            } catch (InterruptedException e) {
                isInterrupted.set(true);
            }
        });
        begun.await();

        RepeatedTask other = tasks.every(1, runs::incrementAndGet);

        awaitRuns(3);
        other.end();
        blocked.end();
        assertThat(isInterrupted).isFalse();
    }

    @Test
    void runsOnceMore_whenItIsRequestedDuringARun() throws Exception {
        RepeatedTask task = started(LONG);
        task.runSoon();
        task.runSoon();
        assertThat(runs).hasValue(0);

        goOn.countDown();
        awaitRuns(2);
        task.finish(LONG);

        assertThat(runs).as("one for both requests, and the last one").hasValue(3);
    }

    @Test
    void runsOnRequest_beforeItsDelayIsOver() throws Exception {
        RepeatedTask task = started(LONG);
        goOn.countDown();
        awaitRuns(1);

        task.runSoon();

        awaitRuns(2);
    }

    @Test
    void runsAgain_afterAnError() {
        RepeatedTask task = tasks.repeat(() -> {
            if (runs.incrementAndGet() == 1) {
                throw new NoClassDefFoundError("test");
            }
            return RepeatedTask.ON_REQUEST;
        });

        task.runSoon();

        awaitRuns(2);
    }

    @Test
    void close_interruptsTheRun_andStartsNoOther() throws Exception {
        RepeatedTask task = started(1);
        task.runSoon();

        task.close();

        await().untilTrue(isInterrupted);
        task.runSoon();
        task.finish(LONG);
        assertThat(runs).hasValue(1);
    }

    @Test
    void finish_waitsForNoRun_thatTakesTooLong() throws Exception {
        RepeatedTask task = started(1);

        task.finish(1);

        assertThat(runs).hasValue(0);
        goOn.countDown();
        awaitRuns(2);
    }

    /** Such as a policy that stops the application. */
    @Test
    void finish_ofTheTaskItself_doesNotWait() {
        RepeatedTask[] task = new RepeatedTask[1];
        task[0] = tasks.repeat(() -> {
            if (runs.get() == 0) {
                task[0].finish(LONG);
            }
            runs.incrementAndGet();
            return RepeatedTask.ON_REQUEST;
        });

        task[0].runSoon();

        awaitRuns(2);
    }
}
