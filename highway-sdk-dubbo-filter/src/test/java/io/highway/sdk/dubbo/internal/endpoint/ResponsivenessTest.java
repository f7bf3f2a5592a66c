// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.highway.sdk.dubbo.internal.endpoint.HealthState.Event;
import org.junit.jupiter.api.Test;

class ResponsivenessTest {

    private static final long HOLD_NANOS = 1_000_000;

    private long nanos;

    @Test
    void letsCallsPass_ifNoHealthCheckCouldBeSent_thoughTheTimeToWaitIsOver() {
        Responsiveness answers = new Responsiveness(() -> HOLD_NANOS, () -> nanos);
        answers.failed(Event.CALL_FAILED);
        assertThat(answers.callTimedOut("a call")).isTrue();
        nanos += 2 * HOLD_NANOS;
        assertThat(answers.state()).isEqualTo(HealthState.UNRESPONSIVE);

        answers.end(Event.CHECK_NOT_SENT);

        assertThat(answers.state()).isEqualTo(HealthState.SUSPECT);
    }
}
