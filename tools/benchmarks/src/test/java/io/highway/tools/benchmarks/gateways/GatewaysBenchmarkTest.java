// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.gateways;

import static org.assertj.core.api.Assertions.assertThat;

import io.highway.tools.gateways.GatewayKind;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The whole of it, with the gateway that is always there, and too short for its numbers to mean anything. */
@Tag("network")
class GatewaysBenchmarkTest {

    @TempDir
    Path folder;

    @Test
    @Timeout(120)
    void comparesTheGatewayWithDirectCalls_byProtocolAndBody() throws Exception {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);
        Path logs = Files.createDirectories(folder.resolve("logs"));

        boolean allAnswered =
                new GatewaysBenchmark(EnumSet.of(GatewayKind.REFERENCE)).run(logs, 2, Duration.ofSeconds(3), out);

        String text = printed.toString(StandardCharsets.UTF_8);
        assertThat(allAnswered).as(text).isTrue();
        assertThat(text)
                .contains(
                        "**Dubbo, bodies of 2 KB**", "**Dubbo, bodies of 80 KB**", "**Dubbo, bodies of 0.5 to 200 KB**")
                .contains(
                        "**Triple, bodies of 2 KB**",
                        "**Triple, bodies of 80 KB**",
                        "**Triple, bodies of 0.5 to 200 KB**")
                .contains(
                        "**HTTP tunnel, bodies of 2 KB**",
                        "**HTTP tunnel, bodies of 80 KB**",
                        "**HTTP tunnel, bodies of 0.5 to 200 KB**");
        assertThat(text.lines().filter(line -> line.startsWith("| direct |"))).hasSize(9);
        assertThat(text.lines().filter(line -> line.startsWith("| reference gateway |")))
                .hasSize(9);
        assertThat(Files.readAllLines(folder.resolve("gateways.json")))
                .filteredOn(line -> line.contains("\"calls_per_second\":"))
                .hasSize(18);
    }
}
