// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.legacy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.alibaba.fastjson2.JSON;
import com.alibaba.fastjson2.JSONObject;
import io.highway.tools.gateways.NginxServer;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The whole of it, too short for its numbers to mean anything. */
@Tag("network")
@Tag("long")
class LegacyBenchmarkTest {

    private static final List<String> RATIOS = List.of(
            "rt_ratio_dubbo",
            "rt_ratio_triple",
            "rt_ratio_http",
            "throughput_ratio_dubbo",
            "throughput_ratio_triple",
            "throughput_ratio_http",
            "payload_ratio",
            "payload_ratio_triple",
            "payload_ratio_http");

    @TempDir
    Path folder;

    @Test
    @Timeout(120)
    void comparesTunnelsWithVersion1_byOrdersOfEachSize() throws Exception {
        Optional<NginxServer> nginx = NginxServer.installed();
        assumeThat(nginx).as("the hub is an nginx, and none is installed").isPresent();
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);
        Path logs = Files.createDirectories(folder.resolve("logs"));

        LegacyBenchmark.Effort little =
                new LegacyBenchmark.Effort(5, 1, Duration.ofMillis(10), 1, Duration.ofMillis(200));

        boolean allAnswered = new LegacyBenchmark().run(nginx.orElseThrow(), logs, little, out);

        String text = printed.toString(StandardCharsets.UTF_8);
        assertThat(allAnswered).as(text).isTrue();
        assertThat(text).contains("**Orders of 2 KB**", "**Orders of 8 KB**", "**Orders of 80 KB**");
        for (Variant variant : Variant.values()) {
            assertThat(text.lines().filter(line -> line.startsWith("| " + variant.title() + " |")))
                    .hasSize(3);
        }
        JSONObject numbers = JSON.parseObject(Files.readString(folder.resolve("legacy.json")));
        assertThat(numbers.getJSONArray("cases")).hasSize(3 * Variant.values().length);
        for (String ratio : RATIOS) {
            assertThat(numbers)
                    .containsKeys(ratio, ratio + "_2k", ratio + "_8k", ratio + "_80k")
                    .extracting(ratio)
                    .isNotNull();
        }
    }
}
