// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.caller.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.highway.sdk.dubbo.TunnelKind;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** With a simulated clock, which updates five times a second as the real one. */
class TunnelSelectorTest {

    private static final long STEP = 200;

    private TunnelSelector selector = new TunnelSelector(List.of(TunnelKind.DUBBO, TunnelKind.TRIPLE));
    private final Set<TunnelKind> fit = EnumSet.allOf(TunnelKind.class);
    private long millis = 1000;
    private int switches;

    /** Lets time pass with what is healthy also proven. */
    private TunnelKind after(long duration) {
        for (long end = millis + duration; millis < end; millis += STEP) {
            if (selector.update(fit::contains, fit::contains, TimeUnit.MILLISECONDS.toNanos(millis))) {
                switches++;
            }
        }
        return selector.first();
    }

    private void breakDubbo() {
        fit.remove(TunnelKind.DUBBO);
    }

    private void mendDubbo() {
        fit.add(TunnelKind.DUBBO);
    }

    @Test
    void beginsWithDubbo_andStays() {
        assertThat(after(60_000)).isEqualTo(TunnelKind.DUBBO);
        assertThat(switches).isZero();
    }

    @Test
    void leavesDubbo_whenItHasBeenUnfitForHalfASecond() {
        breakDubbo();

        assertThat(after(400)).isEqualTo(TunnelKind.DUBBO);
        assertThat(after(600)).isEqualTo(TunnelKind.TRIPLE);
        assertThat(switches).isOne();
    }

    @Test
    void stays_whenThisProcessStoodStill() {
        breakDubbo();
        after(STEP);

        millis += 10_000;

        assertThat(after(STEP)).isEqualTo(TunnelKind.DUBBO);
        assertThat(after(STEP)).isEqualTo(TunnelKind.TRIPLE);
    }

    @Test
    void comesBack_whenDubboHasBeenProvenForTwoSeconds() {
        breakDubbo();
        after(10_000);
        mendDubbo();

        assertThat(after(1_800)).isEqualTo(TunnelKind.TRIPLE);
        assertThat(after(600)).isEqualTo(TunnelKind.DUBBO);
        assertThat(switches).isEqualTo(2);
    }

    @Test
    void staysWithDubbo_whileNothingElseIsFit() {
        fit.clear();

        assertThat(after(60_000)).isEqualTo(TunnelKind.DUBBO);
    }

    @Test
    void neverSwitches_whenOneLookInAHundredFinds_dubboUnfit() {
        for (int i = 0; i < 1000; i++) {
            breakDubbo();
            after(STEP);
            mendDubbo();
            after(99 * STEP);
        }

        assertThat(switches).isZero();
    }

    @Test
    void waitsLongerEachTime_whenDubboDoesNotLast() {
        breakDubbo();
        after(1_000);

        int before = switches;
        for (int minute = 0; minute < 10; minute++) {
            mendDubbo();
            after(10_000);
            breakDubbo();
            after(50_000);
        }

        assertThat(switches - before)
                .as("there and back, until ten seconds are too short")
                .isLessThanOrEqualTo(6);
        mendDubbo();
        assertThat(after(61_000)).isEqualTo(TunnelKind.DUBBO);
    }

    @Test
    void leavesTriple_whenOnlyDubboIsFit() {
        breakDubbo();
        after(1_000);
        fit.remove(TunnelKind.TRIPLE);
        mendDubbo();

        assertThat(after(1_000)).isEqualTo(TunnelKind.DUBBO);
    }

    @Test
    void switchesOnceEachWay_whenTwoOfThreeAreUnfit() {
        selector = new TunnelSelector(List.of(TunnelKind.TRIPLE, TunnelKind.DUBBO, TunnelKind.HTTP));
        fit.removeAll(Set.of(TunnelKind.TRIPLE, TunnelKind.DUBBO));

        assertThat(after(10_000)).isEqualTo(TunnelKind.HTTP);
        assertThat(switches).isOne();
        fit.addAll(EnumSet.allOf(TunnelKind.class));
        assertThat(after(10_000)).isEqualTo(TunnelKind.TRIPLE);
        assertThat(switches).isEqualTo(2);
    }

    @Test
    void comesBackOnce_whenTheSecondIsProvenSoonerThanTheFirst() {
        selector = new TunnelSelector(List.of(TunnelKind.TRIPLE, TunnelKind.DUBBO, TunnelKind.HTTP));
        fit.removeAll(Set.of(TunnelKind.TRIPLE, TunnelKind.DUBBO));
        after(10_000);

        mendDubbo();
        after(1_000);
        fit.add(TunnelKind.TRIPLE);

        assertThat(after(1_800)).isEqualTo(TunnelKind.HTTP);
        assertThat(after(10_000)).isEqualTo(TunnelKind.TRIPLE);
        assertThat(switches).isEqualTo(2);
    }

    @Test
    void comesBackToTheSecond_whenTheFirstIsProvenAndFailsAgain() {
        selector = new TunnelSelector(List.of(TunnelKind.TRIPLE, TunnelKind.DUBBO, TunnelKind.HTTP));
        fit.removeAll(Set.of(TunnelKind.TRIPLE, TunnelKind.DUBBO));
        after(10_000);

        fit.addAll(Set.of(TunnelKind.TRIPLE, TunnelKind.DUBBO));
        after(1_800);
        fit.remove(TunnelKind.TRIPLE);

        assertThat(after(600)).isEqualTo(TunnelKind.DUBBO);
    }

    @Test
    void goesOnToTheThird_whenTheSecondIsUnfit_too() {
        selector = new TunnelSelector(List.of(TunnelKind.TRIPLE, TunnelKind.DUBBO, TunnelKind.HTTP));
        fit.remove(TunnelKind.TRIPLE);
        assertThat(after(10_000)).isEqualTo(TunnelKind.DUBBO);

        breakDubbo();
        assertThat(after(1_000)).isEqualTo(TunnelKind.HTTP);
        mendDubbo();
        assertThat(after(61_000)).isEqualTo(TunnelKind.DUBBO);
    }
}
