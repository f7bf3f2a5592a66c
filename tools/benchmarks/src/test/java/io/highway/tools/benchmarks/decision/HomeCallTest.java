// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.decision;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The guard: a home call without an intent allocates nothing more than without the SDK. It counts a fixed number of
 * calls of one thread, and no time, so a busy machine makes it slower and nothing else.
 */
@Timeout(120)
@Tag("network")
class HomeCallTest {

    private static final int CALLS = 20_000;

    /** What is allocated on the thread around all of these calls, but not by them. */
    private static final double NOTHING = 0.5;

    /** Whatever a call allocates has as many bytes; what Dubbo allocates differs by 8 from process to process. */
    private static final double SMALLEST_OBJECT = 16;

    private static final Forks FORKS = new Forks(1);

    @Test
    void theClusterInvokerAllocatesNothing() throws Exception {
        assertThat(FORKS.bytes(Scenario.DOOR_ABSENT, CALLS).thread()).isLessThan(NOTHING);
        assertThat(FORKS.bytes(Scenario.DOOR_HOME, CALLS).thread()).isLessThan(NOTHING);
        assertThat(FORKS.bytes(Scenario.DOOR_OTHER_METHOD, CALLS).thread()).isLessThan(NOTHING);
    }

    @Test
    void aCallAtHomeAllocatesNoMoreThanWithoutTheSdk() throws Exception {
        double absent = FORKS.bytes(Scenario.ABSENT, CALLS).thread();
        double home = FORKS.bytes(Scenario.HOME, CALLS).thread();

        assertThat(home).isLessThan(absent + SMALLEST_OBJECT);
    }
}
