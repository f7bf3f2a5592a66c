// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("any-dubbo")
class ActiveHealthTest {

    private final ActiveHealth health = new ActiveHealth("island shanghai over triple gateway:1");

    private String logOf(int... millis) {
        PrintStream before = System.err;
        ByteArrayOutputStream log = new ByteArrayOutputStream();
        System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
        try {
            for (int took : millis) {
                Duration roundTrip = Duration.ofMillis(took);
                health.logIfSlow(roundTrip, 1000, health.roundTrip(roundTrip));
            }
        } finally {
            System.setErr(before);
        }
        return log.toString(StandardCharsets.UTF_8);
    }

    @Test
    void aSlowAnswerIsNoWarning_whereItIsTheFirstOfAConnection() {
        assertThat(logOf(1200, 5)).isEmpty();
        health.connectionLost();
        assertThat(logOf(1200)).isEmpty();
    }

    @Test
    void slowAnswersAreLoggedOnce_andOnceThatTheyAreInTimeAgain() {
        assertThat(logOf(1200, 1300, 1400)).containsOnlyOnce("answers heartbeats slowly: 1300 ms");
        assertThat(logOf(5, 5)).containsOnlyOnce("answers heartbeats in time again: 5 ms");
    }
}
