// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class BodyBackpressureTest {

    private static final int LIMIT = 1024 * 1024;

    private final MemoryBudget budget = new MemoryBudget(look -> {});
    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final BodyBackpressure bodies = new BodyBackpressure(budget, channel, false, () -> {});

    /** Another body is the one that is read over the limit. */
    @Test
    void theConnectionIsNotRead_whileItsBodyMustWait() {
        budget.limit(LIMIT);
        MemoryBudget.Body other = budget.open(channel.eventLoop(), () -> {}).begin(() -> {});
        other.add(LIMIT);
        boolean unused = other.mayGrow();

        bodies.add(LIMIT / 4);
        bodies.proceed();
        assertThat(channel.config().isAutoRead()).isFalse();

        other.release();
        channel.runPendingTasks();
        assertThat(channel.config().isAutoRead()).isTrue();
    }

    @Test
    void aWholeBodyHoldsUpNothing_andCountsUntilItIsReleased() {
        budget.limit(LIMIT);
        bodies.add(2 * LIMIT);
        MemoryBudget.Body whole = Objects.requireNonNull(bodies.end());

        bodies.proceed();

        assertThat(channel.config().isAutoRead()).isTrue();
        assertThat(bodies.end()).isNull();
        assertThat(budget.bytes()).isEqualTo(2 * LIMIT);
        whole.release();
        assertThat(budget.bytes()).isZero();
    }

    @Test
    void nothingIsLeft_ofABodyThatEndsEarly() {
        bodies.add(10);
        bodies.release();
        bodies.release();

        assertThat(budget.bytes()).isZero();
        assertThat(bodies.end()).isNull();
    }
}
