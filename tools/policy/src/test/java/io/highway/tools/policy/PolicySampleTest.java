// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class PolicySampleTest {

    @TempDir
    private Path folder;

    /** The steps with a Nacos server, and those that kill the centre, are run manually: {@code run.sh}. */
    @Test
    void everyStepEndsAsExpected_withZooKeeper() {
        assertThat(new CommandLine(new PolicySample()).execute("--center", "zookeeper", "--quick", folder.toString()))
                .isZero();
    }
}
