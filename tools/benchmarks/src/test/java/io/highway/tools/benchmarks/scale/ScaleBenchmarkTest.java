// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.scale;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The whole of it, with few services and islands, and so too small for its numbers to mean anything. */
@Tag("network")
@Tag("long")
class ScaleBenchmarkTest {

    private static final Scale SMALL = new Scale(8, 4, 3, 2);

    @TempDir
    Path folder;

    @Test
    @Timeout(240)
    void comparesManyServicesAndIslandsWithFewAndWithPlainDubbo() throws Exception {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);
        Path logs = Files.createDirectories(folder.resolve("logs"));

        boolean allAnswered = new ScaleBenchmark().run(logs, SMALL, 1, 1, out);

        String text = printed.toString(StandardCharsets.UTF_8);
        assertThat(allAnswered).as(text).isTrue();
        assertThat(text)
                .contains("and TCP connections to each gateway address**", "**Start-up: creation of 8 references**")
                .contains("| SDK | 8 | 3 |", "| plain | 8 | 3 |", "| SDK, gateways down |");
        assertThat(Files.readAllLines(folder.resolve("scale.json")))
                .anyMatch(line -> line.contains("\"connections_8_services\":1,"))
                .filteredOn(line -> line.contains("\"heap_bytes_started\":"))
                .hasSize(11);
    }
}
