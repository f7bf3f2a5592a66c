// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.decision;

import static org.assertj.core.api.Assertions.assertThat;

import com.alibaba.fastjson2.JSON;
import com.alibaba.fastjson2.JSONObject;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.openjdk.jmh.runner.options.TimeValue;

/** The whole of it, too short for its numbers to mean anything. */
@Tag("network")
class DecisionBenchmarkTest {

    @TempDir
    Path folder;

    @Test
    @Timeout(240)
    void measuresEveryScenario() throws Exception {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);
        Path logs = Files.createDirectories(folder.resolve("logs"));

        TimeValue shortly = TimeValue.milliseconds(1);
        new DecisionBenchmark().run(logs, new DecisionBenchmark.Plan(1, shortly, shortly, 1, 1, 0), out);

        String text = printed.toString(StandardCharsets.UTF_8);
        JSONObject report = JSON.parseObject(Files.readString(folder.resolve("decision.json")));
        assertThat(report.getJSONArray("cases")).hasSize(Scenario.values().length);
        for (Scenario scenario : Scenario.values()) {
            assertThat(text).contains("| " + scenario.title() + " |");
        }
        assertThat(report)
                .containsKeys("absent_ns", "absent_bytes", "home_ns", "home_extra_ns", "home_bytes")
                .containsKeys("attachment_ns", "scope_ns", "key_ns", "method_ns", "reference_ns", "interface_ns")
                .containsKeys("configuration_bytes", "tag_router_ns", "zone_aware_ns")
                .containsKeys("door_absent_bytes", "door_home_bytes", "door_other_method_bytes");
    }
}
