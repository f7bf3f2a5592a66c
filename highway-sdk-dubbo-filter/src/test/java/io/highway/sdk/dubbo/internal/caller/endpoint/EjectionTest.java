// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.caller.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.internal.evidence.Failure;
import io.highway.sdk.dubbo.internal.policy.IslandPolicy.Breaking;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ejection and trials, with a simulated clock: nothing here depends on the time of day. */
class EjectionTest {

    private long nanos = -Duration.ofHours(1).toNanos();
    private final EndpointHealth health = health(new Breaking(50, 100));

    private EndpointHealth health(Breaking limits) {
        return new EndpointHealth("shanghai", limits, new ProbeSchedule(() -> 1), () -> 1, () -> nanos);
    }

    private void fail(int trial, int calls) {
        Failure failure = Failure.maybeRun(Reason.GATEWAY_ERROR, "no answer");
        for (int i = 0; i < calls; i++) {
            health.callFailed(trial, nanos - 1, failure, "send ended as gateway-error", () -> true);
        }
    }

    private void answer(int trial, int calls) {
        IntStream.range(0, calls).forEach(i -> health.callAnswered(trial, nanos - 1));
    }

    private void echo() {
        health.checkAnswered(Duration.ofMillis(1), 1000);
    }

    private void pass(Duration time) {
        nanos += time.toNanos();
    }

    /** How many calls it admits now. */
    private long admitted() {
        return IntStream.range(0, 50).filter(i -> health.tryEnter()).count();
    }

    @Test
    void opensAtTheTwentiethCall_andAdmitsFiveCallsAfterFiveSecondsOfItsOwnClock() {
        fail(0, 19);
        assertThat(health.state()).isIn(HealthState.UP, HealthState.SUSPECT);

        fail(0, 1);

        assertThat(admitted()).isZero();
        pass(Duration.ofMillis(4999));
        assertThat(admitted()).isZero();
        pass(Duration.ofMillis(1));
        assertThat(admitted()).isEqualTo(5);
        assertThat(health.state()).isEqualTo(HealthState.TRIAL);
    }

    @Test
    void waitsFiveSecondsAgain_ifTheCallsThatItAdmittedFailed() {
        fail(0, 20);
        pass(Duration.ofSeconds(5));
        admitted();
        int trial = health.trial();

        fail(trial, 5);

        assertThat(health.state()).isEqualTo(HealthState.EJECTED);
        pass(Duration.ofMillis(4999));
        assertThat(admitted()).isZero();
        pass(Duration.ofMillis(1));
        assertThat(admitted()).isEqualTo(5);
    }

    @Test
    void closes_onceTheCallsThatItAdmittedWereAnswered() {
        fail(0, 20);
        echo();
        admitted();
        int trial = health.trial();

        answer(trial, 5);

        assertThat(health.state()).isIn(HealthState.UP, HealthState.SUSPECT);
        assertThat(admitted()).isEqualTo(50);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void callsAdmittedEarlierNeitherDecideNorGiveBackAPermit(int before) {
        fail(0, 20);
        int admittedEarlier = 0;
        if (before == 1) { // in an earlier half-open period
            echo();
            assertThat(health.tryEnter()).isTrue();
            admittedEarlier = health.trial();
            fail(health.trial(), 5);
            assertThat(health.state()).isEqualTo(HealthState.EJECTED);
        }
        echo();

        for (int i = 0; i < 10; i++) {
            health.released(admittedEarlier);
            answer(admittedEarlier, 1);
            fail(admittedEarlier, 1);
        }

        assertThat(health.state()).isEqualTo(HealthState.TRIAL);
        assertThat(admitted()).isEqualTo(5);
    }

    @Test
    void givesBackThePermitOfACallThatCountsForNothing() {
        fail(0, 20);
        echo();
        assertThat(admitted()).isEqualTo(5);

        health.released(health.trial());

        assertThat(admitted()).isEqualTo(1);
    }

    @Test
    void followsOtherLimits_withoutTheCallsBefore() {
        fail(0, 20);
        health.follow(new Breaking(50, 100));
        assertThat(health.state()).isEqualTo(HealthState.EJECTED);

        health.follow(new Breaking(0, 0));
        assertThat(admitted()).isEqualTo(50);
        fail(0, 200);

        assertThat(admitted()).as("the failure rate is none").isEqualTo(50);
    }

    /** An answer ends the state in which nothing is answered, not the reason to be ejected. */
    @Test
    void hasATrial_onceAnUnresponsiveEndpointAnswers_ifTheLimitWasReachedMeanwhile() {
        pass(Duration.ofSeconds(1));
        Failure late = Failure.maybeRun(Reason.TIMEOUT, "no answer");
        IntStream.range(0, 20).forEach(i -> health.callFailed(0, nanos, late, "send ended as timeout", () -> true));
        assertThat(health.state()).isEqualTo(HealthState.UNRESPONSIVE);
        pass(Duration.ofMinutes(1));
        assertThat(admitted()).isZero();

        echo();

        assertThat(admitted()).isEqualTo(5);
        answer(health.trial(), 5);
        assertThat(health.state()).isEqualTo(HealthState.UP);
    }
}
