// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.limits;

import static org.assertj.core.api.Assertions.assertThat;

import io.highway.sdk.dubbo.TrafficClass;
import io.highway.sdk.dubbo.internal.policy.IslandPolicy.Concurrency;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.Test;

/** Bulk calls with {@code bulk.max-concurrent=auto} on simulated links of 30 Mbit/s. */
class BulkLimitTest {

    private static final int BODY = 80 * 1024;
    private static final double MILLIS_PER_BODY = Link.nanos(BODY) / 1e6;

    @Test
    void keepsTwoBodiesInFlight_onALinkOfLowLatency() {
        Link link = new Link(() -> BODY, 3).callers(64).run();

        assertThat(link.limit()).isEqualTo(2);
        assertThat(link.utilisation()).isGreaterThan(0.98);
        assertThat(link.waitMillis(0.99)).isLessThan(2 * MILLIS_PER_BODY);
    }

    @Test
    void keepsTheLinkBusy_thoughLatencyIsHigh() {
        Link link = new Link(() -> BODY, 100).callers(64).run();

        assertThat(link.limit()).isBetween(6, 7);
        assertThat(link.utilisation()).isGreaterThan(0.96);
        assertThat(link.waitMillis(0.99)).isLessThan(3 * MILLIS_PER_BODY);
    }

    @Test
    void measuresPerByte_soThatBodiesMayDifferInSize() {
        Random random = new Random(7);
        Link link = new Link(() -> random.nextInt(10) == 0 ? 2 << 20 : 4_096 + random.nextInt(BODY), 3)
                .callers(64)
                .run();

        assertThat(link.utilisation()).isGreaterThan(0.97);
        assertThat(link.limits().stream().filter(limit -> limit > 4).count())
                .isLessThan(link.limits().size() / 100 + 1L);
    }

    @Test
    void followsALinkThatGetsSlower_andOneThatGetsFaster() {
        Link link = new Link(() -> BODY, 3).callers(64);
        link.at(40_000_000_000L, () -> link.factor = 4);
        link.at(80_000_000_000L, () -> link.factor = 0.25);
        link.run();

        assertThat(link.limits().stream().mapToInt(Integer::intValue).max().orElseThrow())
                .isLessThanOrEqualTo(4);
        assertThat(link.utilisation()).isGreaterThan(0.9);
    }

    @Test
    void doesNotGrow_whileFewCallsAreMade() {
        Link link = new Link(() -> BODY, 3).callers(1).run();

        assertThat(link.limit()).isBetween(1, 2);
    }

    @Test
    void halves_whenCallsTimeOut() {
        BulkLimit limit = new BulkLimit(0);
        long now = 0;
        for (int i = 0; limit.getLimit() < 8; i++) { // nothing ever waits
            assertThat(i).isLessThan(1000);
            limit.ended(now, now + 1_000_000, 1000, limit.getLimit());
            now += 1_000_000;
        }

        limit.timedOut(now, now + 1);
        limit.timedOut(now, now + 1); // the same congestion

        assertThat(limit.getLimit()).isEqualTo(4);
    }

    /** What several processes do that share a link without knowing of each other. */
    @Test
    void keepsTwoToFourBodiesInFlightPerProcess_ifSeveralShareALink() {
        Link link = new Link(() -> BODY, 3).callers(16).processes(4).run();

        assertThat(link.utilisation()).isGreaterThan(0.98);
        assertThat(link.limits().stream().mapToInt(Integer::intValue).max().orElseThrow())
                .isLessThanOrEqualTo(4);
        assertThat(link.limits().stream().mapToInt(Integer::intValue).average().orElseThrow())
                .isLessThan(2.5);
        assertThat(link.waitMillis(0.5)).isLessThan(4 * 2.5 * MILLIS_PER_BODY);
    }

    /** Two minutes of callers without pause on a link that carries one request after the other. */
    private static final class Link {

        private static final long END = 120_000_000_000L;
        private static final long WARM = 10_000_000_000L;

        private final PriorityQueue<Event> events =
                new PriorityQueue<>(Comparator.comparingLong(Event::at).thenComparingLong(Event::number));
        private final List<Long> waits = new ArrayList<>();
        private final List<Integer> limits = new ArrayList<>();
        private final List<Process> processes = new ArrayList<>();
        private final IntSupplier size;
        private final long latency;
        private double factor = 1;
        private int callers;
        private long now = 1;
        private long busyUntil;
        private long busy;
        private long number;

        private record Event(long at, long number, Runnable what) {}

        /** One process, whose callers wait in order. */
        private final class Process {

            private final Bulkhead bulkhead =
                    new Bulkhead(new Concurrency(0, true, 0), TrafficClass.BULK, () -> Link.this.now);
            private int waiting = callers;

            private void admit() {
                Bulkhead.Permit permit = waiting == 0 ? null : bulkhead.enter(0);
                while (permit != null) {
                    waiting--;
                    send(permit);
                    permit = waiting == 0 ? null : bulkhead.enter(0);
                }
            }

            private void send(Bulkhead.Permit permit) {
                int bytes = size.getAsInt();
                long onLink = (long) (nanos(bytes) * factor);
                busyUntil = Math.max(now, busyUntil) + onLink;
                if (busyUntil > WARM) {
                    busy += onLink;
                }
                at(busyUntil + latency, () -> {
                    permit.onSuccess(bytes);
                    waiting++;
                    admit();
                });
            }
        }

        Link(IntSupplier size, int latencyMillis) {
            this.size = size;
            this.latency = latencyMillis * 1_000_000L;
        }

        static long nanos(int bytes) {
            return bytes * 8L * 1_000_000_000L / 30_000_000L;
        }

        /** In each process. */
        Link callers(int count) {
            callers = count;
            return processes(1);
        }

        Link processes(int count) {
            processes.clear();
            for (int i = 0; i < count; i++) {
                processes.add(new Process());
            }
            return this;
        }

        void at(long when, Runnable what) {
            if (when < END) {
                events.add(new Event(Math.max(when, 1), number++, what));
            }
        }

        Link run() {
            processes.forEach(process -> at(1, process::admit));
            for (long probe = WARM; probe < END; probe += 7_300_000) { // an interactive request arrives
                at(probe, () -> {
                    waits.add(Math.max(0, busyUntil - now));
                    processes.forEach(process -> limits.add(process.bulkhead.maxConcurrent()));
                });
            }
            while (!events.isEmpty()) {
                Event next = events.remove();
                now = next.at;
                next.what.run();
            }
            return this;
        }

        int limit() {
            return processes.get(0).bulkhead.maxConcurrent();
        }

        List<Integer> limits() {
            return limits;
        }

        double utilisation() {
            return Math.min(1, (double) busy / (END - WARM));
        }

        double waitMillis(double quantile) {
            return waits.stream()
                            .sorted()
                            .skip((long) (quantile * waits.size()))
                            .findFirst()
                            .orElseThrow()
                    / 1e6;
        }
    }
}
