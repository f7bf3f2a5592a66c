// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.caller.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.highway.tools.fixtures.logs.CapturedLog;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("any-dubbo")
class HealthLogTest {

    private static final long LONG = TimeUnit.SECONDS.toNanos(11);

    private final HealthLog health = new HealthLog("island shanghai over triple gateway:1");

    private boolean isFirst = true;

    private String logOf(int... millis) {
        PrintStream before = System.err;
        ByteArrayOutputStream log = new ByteArrayOutputStream();
        System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
        try {
            for (int took : millis) {
                health.checked(Duration.ofMillis(took), 1000, isFirst);
                isFirst = false;
            }
        } finally {
            System.setErr(before);
        }
        return log.toString(StandardCharsets.UTF_8);
    }

    @Test
    void aSlowAnswerIsNoWarning_whereItIsTheFirstOfAConnection() {
        assertThat(logOf(1200, 5)).isEmpty();
        isFirst = true; // of another connection
        assertThat(logOf(1200)).isEmpty();
    }

    @Test
    void slowAnswersAreLoggedOnce_andOnceThatTheyAreInTimeAgain() {
        assertThat(logOf(1200, 1300, 1400)).containsOnlyOnce("answers heartbeats slowly: 1300 ms");
        assertThat(logOf(5, 5)).containsOnlyOnce("answers heartbeats in time again: 5 ms");
    }

    /** A balancer leads to both islands by turns. */
    @Test
    void logsOnce_whileItIsMisroutedByTurns() {
        try (CapturedLog log = new CapturedLog()) {
            for (int turn = 0; turn < 100; turn++) {
                health.misrouted("this is beijing", true, turn);
                health.routed(turn);
            }

            assertThat(log.ofSdk("leads to another island")).hasSize(1);
            assertThat(log.ofSdk("leads to its island again")).isEmpty();
        }
    }

    /** The gateway was restarted with another route. */
    @Test
    void logsItsEndAndTheNextTime_alsoAfterAnotherConnection() {
        try (CapturedLog log = new CapturedLog()) {
            health.misrouted("this is beijing", true, 1);
            health.routed(LONG);
            health.misrouted("this is beijing", true, 2 * LONG);

            assertThat(log.ofSdk("leads to another island")).hasSize(2);
            assertThat(log.ofSdk("leads to its island again")).hasSize(1);
        }
    }
}
