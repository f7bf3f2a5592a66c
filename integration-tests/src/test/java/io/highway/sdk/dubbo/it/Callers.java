// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.Reason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

/** Threads that call without pause until they are stopped, and keep what failed. */
final class Callers implements AutoCloseable {

    private static final int COUNT = 4;

    private final List<Thread> threads = new ArrayList<>();
    private final List<AtomicLong> ended = new ArrayList<>();
    private final Queue<Failed> failures = new ConcurrentLinkedQueue<>();
    private volatile boolean stopped;

    /** A call of the caller with this number failed. */
    record Failed(int caller, HighwayException how) {

        @Override
        public String toString() {
            return caller + ": " + how.reason() + " " + how.outcome() + " " + how.getMessage();
        }
    }

    /** How to call. */
    enum CallForm {
        SYNC {
            @Override
            void call(Shop shop) {
                shop.sell("tea");
            }
        },
        COMPLETABLE_FUTURE {
            @Override
            void call(Shop shop) throws Exception {
                shop.sellLater("tea").get(10, TimeUnit.SECONDS);
            }
        };

        abstract void call(Shop shop) throws Exception;
    }

    /** Starts them, and waits until each has called a few times. */
    Callers(Shop shop, CallForm form) {
        for (int i = 0; i < COUNT; i++) {
            int caller = i;
            AtomicLong calls = new AtomicLong();
            ended.add(calls);
            threads.add(new Thread(
                    () -> {
                        while (!stopped) {
                            Throwable thrown = catchThrowable(() -> form.call(shop));
                            if (thrown != null) {
                                failures.add(new Failed(caller, explained(thrown)));
                            }
                            calls.incrementAndGet();
                        }
                    },
                    "caller-" + i));
        }
        threads.forEach(Thread::start);
        awaitMoreOfEach(20);
    }

    private static HighwayException explained(Throwable thrown) {
        Throwable cause = thrown instanceof ExecutionException ? thrown.getCause() : thrown;
        if (cause instanceof HighwayException explained) {
            return explained;
        }
        throw new AssertionError("a call failed without an explanation", cause); // fails the test that awaits something
    }

    /** Waits until each has ended so many further calls. */
    void awaitMoreOfEach(int calls) {
        long[] before = ended.stream().mapToLong(AtomicLong::get).toArray();
        for (int i = 0; i < ended.size(); i++) {
            AtomicLong now = ended.get(i);
            long wanted = before[i] + calls;
            await().atMost(Duration.ofSeconds(20))
                    .pollInterval(Duration.ofMillis(5))
                    .until(() -> now.get() >= wanted);
        }
    }

    /** Only calls that were in flight have failed, at most one of each caller; then forgets them. */
    void assertLostOnlyWhatWasInFlight() {
        assertThat(failures).allMatch(failed -> failed.how().mayHaveRun());
        assertThat(failures.stream().collect(Collectors.groupingBy(Failed::caller)))
                .allSatisfy((caller, all) -> assertThat(all).hasSize(1));
        failures.clear();
    }

    /** At most one call of each caller may have run and was not answered; others were refused for these reasons. */
    void assertLostOneEachAtMost(Reason... refusals) {
        assertThat(failures.stream()
                        .filter(failed -> failed.how().mayHaveRun())
                        .collect(Collectors.groupingBy(Failed::caller, Collectors.counting())))
                .allSatisfy((caller, calls) -> assertThat(calls).isOne());
        assertThat(failures.stream().filter(failed -> !failed.how().mayHaveRun()))
                .isNotEmpty()
                .allSatisfy(failed -> assertThat(failed.how().reason()).isIn((Object[]) refusals));
    }

    void assertNothingFailed() {
        assertThat(failures).isEmpty();
    }

    /** How many have ended. */
    long calls() {
        return ended.stream().mapToLong(AtomicLong::get).sum();
    }

    /** Waits until each has ended the call it makes. */
    @Override
    public void close() {
        stopped = true;
        for (Thread thread : threads) {
            try {
                thread.join(20_000);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
