// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.caller.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.highway.sdk.dubbo.internal.caller.endpoint.ProbeSchedule.Cause;
import io.highway.sdk.dubbo.internal.caller.endpoint.ProbeSchedule.Probe;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The clock goes on in steps of 100 ms. */
class ProbeScheduleTest {

    private static final int STEP = 100;

    private final ProbeSchedule schedule = new ProbeSchedule(() -> TimeUnit.SECONDS.toNanos(10));
    private long millis = 1_000_000;
    private long heardMillis = millis - 1;

    private Probe begin(boolean healthy, Cause cause) {
        return schedule.begin(
                healthy, TimeUnit.MILLISECONDS.toNanos(heardMillis), cause, TimeUnit.MILLISECONDS.toNanos(millis));
    }

    /** Lets time pass and ends each probe at once; returns when there was one, counted from the beginning. */
    private List<Long> probes(long duration, boolean answered) {
        List<Long> when = new ArrayList<>();
        long start = millis;
        for (long end = millis + duration; millis < end; millis += STEP) {
            Probe probe = begin(answered, Cause.TIME);
            if (probe != null) {
                when.add(millis - start);
                assertThat(schedule.end(probe, answered, TimeUnit.MILLISECONDS.toNanos(millis)))
                        .isTrue();
                heardMillis = answered ? millis : heardMillis;
            }
        }
        return when;
    }

    @Test
    void probesAtTheInterval_whileAllIsWell() {
        assertThat(probes(30_000, true)).containsExactly(0L, 10_000L, 20_000L);
    }

    @Test
    void backsOffToTheInterval_whileNothingIsAnswered() {
        assertThat(probes(50_000, false))
                .containsExactly(0L, 300L, 900L, 2100L, 4500L, 9300L, 18_900L, 28_900L, 38_900L, 48_900L);
    }

    @Test
    void startsAgainWithAShortPause_onceOneWasAnswered() {
        probes(50_000, false);
        probes(10_000, true);

        assertThat(probes(2000, false)).hasSizeGreaterThan(1);
    }

    @Test
    void probesAtOnceOverANewConnection_ifTheLastOneHadBroughtAnAnswer() {
        probes(20_000, true);
        schedule.lost();

        Probe probe = begin(false, Cause.TIME);

        assertThat(probe).isNotNull();
        assertThat(probe.awaitable()).isTrue();
    }

    @Test
    void keepsThePause_whileEachConnectionIsLostWithoutAnAnswer() {
        probes(50_000, false);
        int probes = 0;
        for (int i = 0; i < 100; i++) {
            probes += probes(STEP, false).size();
            schedule.lost();
        }

        assertThat(probes).isEqualTo(1);
    }

    @Test
    void backsOff_whileEachConnectionIsLostWithAProbeInFlight() {
        int probes = 0;
        for (int i = 0; i < 500; i++) { // fifty seconds
            probes += begin(false, Cause.TIME) == null ? 0 : 1;
            schedule.lost();
            millis += STEP;
        }

        assertThat(probes).isEqualTo(10);
    }

    @Test
    void hasOneProbeInFlight_andForgetsOneWhoseConnectionIsLost() {
        Probe first = Objects.requireNonNull(begin(true, Cause.TIME));
        heardMillis = millis + 1;
        assertThat(begin(false, Cause.CALL_UNANSWERED)).isNull();
        assertThat(schedule.isOutstanding()).isTrue();
        millis += 10;

        schedule.lost();
        Probe second = begin(false, Cause.TIME);

        assertThat(second).isNotNull();
        assertThat(schedule.end(first, false, 0)).isFalse();
        assertThat(schedule.isOutstanding()).isTrue();
        assertThat(schedule.end(second, true, 0)).isTrue();
    }

    /** As with {@code heartbeat.slow=3s}: a probe takes twice that. */
    @Test
    void letsNoCallWaitForAProbe_rightAfterOneThatTookLong() {
        Probe first = Objects.requireNonNull(begin(true, Cause.CALL_UNANSWERED));
        assertThat(first.awaitable()).isTrue();
        millis += 6000;
        schedule.end(first, false, TimeUnit.MILLISECONDS.toNanos(millis));
        millis += 500;

        assertThat(Objects.requireNonNull(begin(false, Cause.WANTED)).awaitable())
                .isFalse();
    }

    @Test
    void probesAtOnce_whenACallGotNoAnswer_andHalfASecondLater_whenOneIsRefused() {
        probes(10_000, true);
        Probe atOnce = begin(true, Cause.CALL_UNANSWERED);
        assertThat(atOnce).isNotNull();
        schedule.end(atOnce, false, TimeUnit.MILLISECONDS.toNanos(millis));
        probes(50_000, false);
        Probe due = null;
        while (due == null) {
            millis += STEP;
            due = begin(false, Cause.TIME);
        }
        schedule.end(due, false, TimeUnit.MILLISECONDS.toNanos(millis));

        millis += 400;
        assertThat(begin(false, Cause.WANTED)).isNull();
        millis += 100;
        assertThat(begin(false, Cause.WANTED)).isNotNull();
    }
}
