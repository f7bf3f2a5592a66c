// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.scale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Connections belong to a gateway's address, not to a service or an island; the operating system counts them. */
@Tag("network")
@Tag("long")
class ConnectionsAtScaleTest {

    private static final int SERVICES = 500;
    private static final int ISLANDS = 30;

    /** Calls of one service: enough for all that is opened lazily. */
    private static final int TIMES = 100;

    @TempDir
    Path folder;

    @Test
    @Timeout(240)
    void areAsManyFor500ServicesAnd30Islands_asForOneOfEach() throws Exception {
        assumeThat(Path.of("/proc/net/tcp")).as("Linux counts connections").exists();
        Scale scale = new Scale(SERVICES, 1, ISLANDS, 1);
        try (Stage stage = Stage.start(folder, SERVICES, ISLANDS)) {
            Measured small = stage.measure(scale.smallest().times(TIMES).over(2));
            Measured large = stage.measure(scale.sdk().over(2));

            assertThat(small.figures().firstFailure()).isEmpty();
            assertThat(large.figures().firstFailure()).isEmpty();
            assertThat(large.figures().calls()).isEqualTo(SERVICES + SERVICES * ISLANDS);
            assertThat(small.connections())
                    .as("connections to each of two addresses per protocol")
                    .containsExactly(1, 1, 1, 1);
            assertThat(large.connections())
                    .as("connections to each of two addresses per protocol")
                    .isEqualTo(small.connections());
        }
    }
}
