// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.highway.sdk.dubbo.internal.config.IslandPolicy.Breaking;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** With a simulated clock: nothing here depends on the time of day. */
class BreakerStatesTest {

    private static final Exception FAILURE = new Exception("timeout");

    private long nanos = -Duration.ofHours(1).toNanos();
    private final EndpointBreaker breaker = new EndpointBreaker("shanghai", new Breaking(50, 100), () -> nanos);

    private void fail(int calls) {
        for (int i = 0; i < calls; i++) {
            breaker.failed(0, 1, "send ended as timeout", FAILURE);
        }
    }

    private void pass(Duration time) {
        nanos += time.toNanos();
    }

    /** How many calls it admits now. */
    private long admitted() {
        return IntStream.range(0, 50).filter(i -> breaker.tryEnter()).count();
    }

    @Test
    void opensAtTheTwentiethCall_andAdmitsFiveCallsAfterFiveSecondsOfItsOwnClock() {
        fail(19);
        assertThat(breaker.isClosed()).isTrue();

        fail(1);

        assertThat(admitted()).isZero();
        pass(Duration.ofMillis(4999));
        assertThat(admitted()).isZero();
        pass(Duration.ofMillis(1));
        assertThat(admitted()).isEqualTo(5);
        assertThat(breaker.isHalfOpen()).isTrue();
    }

    @Test
    void waitsFiveSecondsAgain_ifTheCallsThatItAdmittedFailed() {
        fail(20);
        pass(Duration.ofSeconds(5));
        admitted();
        int period = breaker.period();

        IntStream.range(0, 5).forEach(i -> breaker.failed(period, 1, "send ended as timeout", FAILURE));

        assertThat(breaker.isOpen()).isTrue();
        pass(Duration.ofMillis(4999));
        assertThat(admitted()).isZero();
        pass(Duration.ofMillis(1));
        assertThat(admitted()).isEqualTo(5);
    }

    @Test
    void closes_onceTheCallsThatItAdmittedWereAnswered() {
        fail(20);
        breaker.probed(1);
        admitted();
        int period = breaker.period();

        IntStream.range(0, 5).forEach(i -> breaker.succeeded(period, 1));

        assertThat(breaker.isClosed()).isTrue();
        assertThat(admitted()).isEqualTo(50);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void callsAdmittedEarlierNeitherDecideNorGiveBackAPermit(int before) {
        fail(20);
        int admittedEarlier = 0;
        if (before == 1) { // in an earlier half-open period
            breaker.probed(1);
            assertThat(breaker.tryEnter()).isTrue();
            admittedEarlier = breaker.period();
            IntStream.range(0, 5).forEach(i -> breaker.failed(breaker.period(), 1, "send ended as timeout", FAILURE));
            assertThat(breaker.isOpen()).isTrue();
        }
        breaker.probed(1);

        for (int i = 0; i < 10; i++) {
            breaker.released(admittedEarlier);
            breaker.succeeded(admittedEarlier, 1);
            breaker.failed(admittedEarlier, 1, "send ended as timeout", FAILURE);
        }

        assertThat(breaker.isHalfOpen()).isTrue();
        assertThat(admitted()).isEqualTo(5);
    }

    @Test
    void givesBackThePermitOfACallThatCountsForNothing() {
        fail(20);
        breaker.probed(1);
        assertThat(admitted()).isEqualTo(5);

        breaker.released(breaker.period());

        assertThat(admitted()).isEqualTo(1);
    }

    @Test
    void neverOpens_ifTheFailureRateIsNone() {
        EndpointBreaker never = new EndpointBreaker("shanghai", new Breaking(0, 0), () -> nanos);

        IntStream.range(0, 200).forEach(i -> never.failed(0, 1, "send ended as timeout", FAILURE));

        assertThat(never.isClosed()).isTrue();
    }
}
