// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class CallersTest {

    private static final Duration SHORT = Duration.ofMillis(50);

    @Test
    void countsEveryAnsweredCall() throws InterruptedException {
        AtomicInteger made = new AtomicInteger();

        Measurement measurement;
        try (Callers callers = new Callers(4)) {
            measurement = callers.call(4, SHORT, made::incrementAndGet);
        }

        assertThat(measurement.calls()).isEqualTo(made.get()).isPositive();
        assertThat(measurement.failed()).isZero();
        assertThat(measurement.lasted()).isGreaterThanOrEqualTo(SHORT.toNanos());
    }

    @Test
    void makesSeveralCallsInTurns_equallyOften() throws InterruptedException {
        AtomicInteger fast = new AtomicInteger();
        AtomicInteger slow = new AtomicInteger();

        List<Measurement> both;
        try (Callers callers = new Callers(2)) {
            both = callers.callAlternately(
                    2,
                    SHORT,
                    List.of(fast::incrementAndGet, () -> {
                        LockSupport.parkNanos(SHORT.toNanos() / 50);
                        return slow.incrementAndGet();
                    }),
                    0,
                    0);
        }

        assertThat(both.get(0).calls()).isEqualTo(fast.get()).isPositive();
        assertThat(both.get(1).calls()).isEqualTo(slow.get()).isEqualTo(fast.get());
        assertThat(both.get(1).p50Millis()).isGreaterThan(both.get(0).p50Millis());
    }

    @Test
    void beginsWithTheOtherCall_whereTheSameLotIsShifted() throws InterruptedException {
        for (long lot = 0; lot < 10; lot++) {
            assertThat(firstCalls(lot, 1))
                    .isEqualTo(new StringBuilder(firstCalls(lot, 0)).reverse().toString());
        }
    }

    /** Both calls of one caller, in their order. */
    private static String firstCalls(long lot, int shift) throws InterruptedException {
        StringBuffer order = new StringBuffer();
        try (Callers callers = new Callers(1)) {
            callers.callAlternately(
                    1, Duration.ZERO, List.of(() -> order.append('a'), () -> order.append('b')), lot, shift);
        }
        return order.toString();
    }

    @Test
    void keepsFailedCallsOutOfTimesAndShowsOne() throws InterruptedException {
        Measurement measurement;
        try (Callers callers = new Callers(2)) {
            measurement = callers.call(2, SHORT, () -> {
                throw new IllegalStateException("no answer");
            });
        }

        assertThat(measurement.calls()).isZero();
        assertThat(measurement.failed()).isPositive();
        assertThat(measurement.firstFailure()).contains("no answer");
    }
}
