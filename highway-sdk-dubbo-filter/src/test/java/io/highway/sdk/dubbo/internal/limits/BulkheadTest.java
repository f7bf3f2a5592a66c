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
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class BulkheadTest {

    /** Time that a call has left, milliseconds. */
    private static final long LONG = 100_000;

    @Test
    void isUnlimited_whenNoLimitIsSet() {
        Bulkhead bulkhead = new Bulkhead(new Concurrency(0, false, 0), TrafficClass.INTERACTIVE);

        assertThat(bulkhead.isUnlimited()).isTrue();
        assertThat(bulkhead.limit()).isEqualTo("unlimited");
        assertThat(bulkhead.waits()).isFalse();
    }

    @Test
    void admitsUpToTheLimit_andAgainWhenOneEnds() {
        Bulkhead bulkhead = new Bulkhead(new Concurrency(2, false, 0), TrafficClass.INTERACTIVE);
        Bulkhead.Permit first = bulkhead.enter(LONG);
        Bulkhead.Permit second = bulkhead.enter(LONG);
        assertThat(first).isNotNull();
        assertThat(second).isNotNull();

        assertThat(bulkhead.enter(LONG)).isNull();

        first.onIgnore();
        assertThat(bulkhead.enter(LONG)).isNotNull();
        assertThat(bulkhead.enter(LONG)).isNull();
        assertThat(bulkhead.limit()).isEqualTo("2");
    }

    @Test
    void waitsForAPermit_noLongerThanAllowed() {
        Bulkhead patient = new Bulkhead(new Concurrency(1, false, 10_000), TrafficClass.INTERACTIVE);
        Bulkhead.Permit first = patient.enter(LONG);
        CompletableFuture<Bulkhead.Permit> second = CompletableFuture.supplyAsync(() -> patient.enter(LONG));
        first.onSuccess();
        assertThat(second.join()).isNotNull();

        Bulkhead brief = new Bulkhead(new Concurrency(1, false, 20), TrafficClass.INTERACTIVE);
        assertThat(brief.enter(LONG)).isNotNull();
        assertThat(brief.enter(LONG)).isNull();
        assertThat(brief.waits()).isTrue();
    }

    @Test
    void countsTheCallsInFlight_ofALimitOfAnotherKindBefore() {
        Bulkhead adaptive = new Bulkhead(new Concurrency(0, true, 0), TrafficClass.INTERACTIVE);
        Bulkhead.Permit first = adaptive.enter(LONG);
        Bulkhead.Permit second = adaptive.enter(LONG);

        Bulkhead number = Bulkhead.after(adaptive, new Concurrency(2, false, 60_000), TrafficClass.INTERACTIVE);
        CompletableFuture<Bulkhead.Permit> third = number.enterLater(LONG);
        assertThat(third).isNotDone();
        first.onSuccess();
        assertThat(third).isCompleted();
        CompletableFuture<Bulkhead.Permit> fourth = number.enterLater(LONG);
        assertThat(fourth).isNotDone();
        second.onIgnore();
        assertThat(fourth).isCompleted();
        assertThat(number.inFlight()).isEqualTo(2);
    }

    /** As a limit that is lifted and set again. */
    @Test
    void admitsAWaitingCall_whenOneOfALimitBeforeTheLastHasEnded() {
        Bulkhead first = new Bulkhead(new Concurrency(1, false, 60_000), TrafficClass.INTERACTIVE);
        Bulkhead.Permit permit = first.enter(LONG);
        Bulkhead lifted = Bulkhead.after(first, new Concurrency(0, false, 0), TrafficClass.INTERACTIVE);
        Bulkhead last = Bulkhead.after(lifted, new Concurrency(1, false, 60_000), TrafficClass.INTERACTIVE);
        CompletableFuture<Bulkhead.Permit> waiting = last.enterLater(LONG);
        assertThat(waiting).isNotDone();

        permit.onSuccess();

        assertThat(waiting).isCompleted();
    }

    @Test
    void admitsTheLatestOfWaitingCallsFirst_andOfBulkCallsTheEarliest() {
        for (TrafficClass calls : TrafficClass.values()) {
            Bulkhead bulkhead = new Bulkhead(new Concurrency(1, false, 60_000), calls);
            Bulkhead.Permit first = bulkhead.enter(LONG);
            CompletableFuture<Bulkhead.Permit> second = bulkhead.enterLater(LONG);
            CompletableFuture<Bulkhead.Permit> third = bulkhead.enterLater(LONG);
            assertThat(bulkhead.inFlight()).isEqualTo(1);

            first.onSuccess();

            assertThat(second.isDone()).isEqualTo(calls == TrafficClass.BULK);
            assertThat(third.isDone()).isEqualTo(calls == TrafficClass.INTERACTIVE);
        }
    }

    @Test
    void waitsNoLongerThanTheCallMayTake() {
        Bulkhead patient = new Bulkhead(new Concurrency(1, false, 60_000), TrafficClass.INTERACTIVE);
        assertThat(patient.enter(LONG)).isNotNull();

        assertThat(patient.enter(20)).isNull();
    }

    @Test
    void startsWithALimit_whenTheLinkDecides() {
        Bulkhead bulkhead = new Bulkhead(new Concurrency(0, true, 0), TrafficClass.INTERACTIVE);
        List<Bulkhead.Permit> inside = new ArrayList<>();

        Bulkhead.Permit next = bulkhead.enter(LONG);
        while (next != null) {
            inside.add(next);
            next = bulkhead.enter(LONG);
        }

        assertThat(inside).hasSize(20);
        assertThat(bulkhead.limit()).isEqualTo("20 (auto)");
    }

    @Test
    void keepsTheThroughputOfAThinLink_andHalvesTheTimeOfACall_whenTheLinkDecides() {
        ThinLink unlimited = new ThinLink(new Concurrency(64, false, 0)).run(); // permit for all
        ThinLink adaptive = new ThinLink(new Concurrency(0, true, 0)).run();

        assertThat(adaptive.callsPerSecond()).isGreaterThan(0.97 * unlimited.callsPerSecond());
        assertThat(adaptive.medianMillis()).isLessThan(0.6 * unlimited.medianMillis());
    }

    /**
     * 64 callers without pause on a link that carries one call of 2 KB in 0.64 ms, for a minute of simulated time; who
     * is refused comes again 5 ms later. The first half of the time is not counted.
     */
    private static final class ThinLink {

        private static final long END = 60_000_000_000L;

        private final PriorityQueue<Event> events =
                new PriorityQueue<>(Comparator.comparingLong(Event::at).thenComparingLong(Event::number));
        private final List<Long> took = new ArrayList<>();
        private final Bulkhead bulkhead;
        private long now = 1;
        private long busyUntil;
        private long number;

        private record Event(long at, long number, Runnable what) {}

        ThinLink(Concurrency concurrency) {
            bulkhead = new Bulkhead(concurrency, TrafficClass.INTERACTIVE, () -> now);
        }

        ThinLink run() {
            for (int caller = 0; caller < 64; caller++) {
                at(caller * 100_000_000L, this::call);
            }
            while (!events.isEmpty()) {
                Event next = events.remove();
                now = next.at;
                next.what.run();
            }
            return this;
        }

        private void at(long when, Runnable what) {
            if (when < END) {
                events.add(new Event(Math.max(when, 1), number++, what));
            }
        }

        private void call() {
            Bulkhead.Permit permit = bulkhead.enter(LONG);
            if (permit == null) {
                at(now + 5_000_000, this::call);
                return;
            }
            long begun = now;
            busyUntil = Math.max(now + 1_000_000, busyUntil) + 640_000;
            at(busyUntil + 1_000_000, () -> {
                permit.onSuccess();
                if (now > END / 2) {
                    took.add(now - begun);
                }
                call();
            });
        }

        double callsPerSecond() {
            return took.size() / 30.0;
        }

        double medianMillis() {
            return took.stream().sorted().skip(took.size() / 2).findFirst().orElseThrow() / 1e6;
        }
    }
}
