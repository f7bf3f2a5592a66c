// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.network.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SilenceDetectorTest {

    private static final Duration STEP = Duration.ofMillis(100);

    private long now = Long.MAX_VALUE - Duration.ofSeconds(3).toNanos(); // System.nanoTime may overflow
    private final EmbeddedChannel connection = new EmbeddedChannel();

    @BeforeEach
    void connect() {
        connection.freezeTime();
        connection.pipeline().addLast(new SilenceDetector(() -> now));
    }

    @AfterEach
    void close() {
        connection.finishAndReleaseAll();
    }

    @Test
    void aConnectionIsSilent_afterFiveSecondsWithoutAByte() {
        pass(Duration.ofMillis(4900));
        boolean before = isSilent();
        pass(Duration.ofMillis(400));

        assertThat(before).isFalse();
        assertThat(isSilent()).isTrue();
    }

    @Test
    void anAnswerIsOverdue_aSecondAfterTheHeartbeat_untilAByteComes() {
        pass(Duration.ofMillis(2900));
        boolean before = SilenceDetector.isOverdue(connection);
        pass(Duration.ofMillis(400));
        boolean after = SilenceDetector.isOverdue(connection);
        connection.writeInbound(Unpooled.buffer().writeByte(1));

        assertThat(before).isFalse();
        assertThat(after).isTrue();
        assertThat(SilenceDetector.isOverdue(connection)).isFalse();
    }

    @Test
    void aByteEndsTheSilence() {
        pass(Duration.ofSeconds(4));
        connection.writeInbound(Unpooled.buffer().writeByte(1));
        pass(Duration.ofSeconds(4));
        boolean early = isSilent();
        pass(Duration.ofSeconds(2));
        boolean late = isSilent();
        connection.writeInbound(Unpooled.buffer().writeByte(1));

        assertThat(early).isFalse();
        assertThat(late).isTrue();
        assertThat(isSilent()).isFalse();
    }

    @Test
    void timeInWhichTheProcessIsPausedDoesNotCount() {
        pass(Duration.ofSeconds(4));
        now += Duration.ofMinutes(1).toNanos(); // no check ran
        pass(Duration.ofMillis(4900));
        boolean afterThePause = isSilent();
        pass(Duration.ofMillis(600));

        assertThat(afterThePause).isFalse();
        assertThat(isSilent()).isTrue();
    }

    @Test
    void nothingIsKnown_rightAfterAPause() {
        pass(Duration.ofSeconds(1));
        long before = SilenceDetector.silentNanos(connection);
        now += Duration.ofSeconds(4).toNanos(); // no check ran
        long after = SilenceDetector.silentNanos(connection);

        assertThat(before).isEqualTo(Duration.ofSeconds(1).toNanos());
        assertThat(after).isZero();
    }

    @Test
    void timeInWhichNothingIsReadDoesNotCount() {
        connection.config().setAutoRead(false);
        pass(Duration.ofSeconds(6));
        boolean unread = isSilent();
        connection.config().setAutoRead(true);
        pass(Duration.ofMillis(4900));
        boolean early = isSilent();
        pass(Duration.ofMillis(400));

        assertThat(unread).isFalse();
        assertThat(early).isFalse();
        assertThat(isSilent()).isTrue();
    }

    @Test
    void nothingIsSilent_whereNothingDetectsIt() {
        assertThat(SilenceDetector.isSilent(new EmbeddedChannel())).isFalse();
    }

    @Test
    void checksEndWithTheConnection() {
        connection.close();

        assertThat(connection.runScheduledPendingTasks()).isEqualTo(-1); // no task is left
    }

    private boolean isSilent() {
        return SilenceDetector.isSilent(connection);
    }

    private void pass(Duration time) {
        for (Duration left = time; left.compareTo(Duration.ZERO) > 0; left = left.minus(STEP)) {
            now += STEP.toNanos();
            connection.advanceTimeBy(STEP.toMillis(), TimeUnit.MILLISECONDS);
            connection.runPendingTasks();
        }
    }
}
