// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.facts;

import static org.assertj.core.api.Assertions.assertThat;

import com.alibaba.fastjson2.JSON;
import com.alibaba.fastjson2.JSONObject;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole of it, too short for its times to mean anything. */
class FactsBenchmarkTest {

    @TempDir
    Path folder;

    @Test
    void comparesReadingWithDecoding_forEachSerializationAndContent() throws Exception {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        Path logs = Files.createDirectories(folder.resolve("logs"));

        new FactsBenchmark()
                .run(logs, new FactsBenchmark.Plan(2, 3), new PrintStream(printed, true, StandardCharsets.UTF_8));

        assertThat(printed.toString(StandardCharsets.UTF_8)).contains("| fastjson2 | document |");
        JSONObject report = JSON.parseObject(Files.readString(folder.resolve("facts.json")));
        assertThat(report.getJSONArray("cases")).hasSize(6);
        assertThat(report).containsKeys("ratio_hessian2_text", "ratio_fastjson2_bytes");
    }
}
