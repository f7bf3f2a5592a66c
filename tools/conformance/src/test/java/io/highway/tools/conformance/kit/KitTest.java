// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.conformance.kit;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class KitTest {

    @Test
    void knowsTheNamesOfTheBuild() throws Exception {
        List<String> known = List.of(Kit.places().split("\\s+"));
        List<String> lines = Files.readAllLines(Path.of("target", "hosts"));

        assertThat(lines.subList(1, lines.size())) // the first one is about this machine
                .isNotEmpty()
                .allSatisfy(line -> assertThat(known).contains(line.split(" ")));
    }
}
