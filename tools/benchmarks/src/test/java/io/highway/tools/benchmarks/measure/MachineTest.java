// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MachineTest {

    @TempDir
    Path folder;

    @Test
    void isBusy_whenTheLoadBeforeIsAboveHalfOfItsCores() {
        assertThat(withLoad(1.0).isBusy()).isFalse();
        assertThat(withLoad(1.01).isBusy()).isTrue();
        assertThat(withLoad(1.0).inWords())
                .contains("Fast CPU", "load of the machine before: 1.0")
                .doesNotContain("busy");
        assertThat(withLoad(6).inWords()).endsWith("6.0 (busy: above half of its cores, not for publication)");
    }

    @Test
    void namesTheModelOfItsProcessors() throws IOException {
        Path known = Files.writeString(
                folder.resolve("known"), "processor\t: 0\nmodel name\t: Fast CPU @ 2.0GHz\nmodel name\t: Other\n");
        Path silent = Files.writeString(folder.resolve("silent"), "processor\t: 0\n");

        assertThat(Machine.cpuModel(known)).isEqualTo("Fast CPU @ 2.0GHz");
        assertThat(Machine.cpuModel(silent)).isEqualTo("unknown");
        assertThat(Machine.cpuModel(folder.resolve("absent"))).isEqualTo("unknown");
    }

    private static Machine withLoad(double load) {
        return new Machine("Fast CPU", 2, "JDK 17", "Linux", "3.3.6", "2026-11-23", load);
    }
}
