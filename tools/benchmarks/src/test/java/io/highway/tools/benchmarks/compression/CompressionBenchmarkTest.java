// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.compression;

import static org.assertj.core.api.Assertions.assertThat;

import com.alibaba.fastjson2.JSON;
import com.alibaba.fastjson2.JSONObject;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The whole of it, too short for its times to mean anything. */
class CompressionBenchmarkTest {

    @TempDir
    Path folder;

    @Test
    @Timeout(120)
    void comparesCodecs_forEveryContentAndSize() throws Exception {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);
        Path logs = Files.createDirectories(folder.resolve("logs"));

        new CompressionBenchmark().run(logs, new CompressionBenchmark.Plan(2, 1, 160 << 10), out);

        assertThat(printed.toString(StandardCharsets.UTF_8))
                .contains("**JSON text**", "**hessian2 objects**", "**random bytes**")
                .contains(
                        "| 512 B | gzip, streams |",
                        "| 80 KB | zstd |",
                        "| 2 KB | zstd, dictionary |",
                        "| 2 KB | zstd, dictionary, cold |");
        JSONObject report = JSON.parseObject(Files.readString(folder.resolve("compression.json")));
        assertThat(report).containsKeys("zstd_time_ratio", "zstd_time_ratio_random", "zstd_size_ratio");
        assertThat(report)
                .containsKeys("dictionary_time_ratio", "dictionary_time_ratio_random", "dictionary_first_us")
                .containsKeys(
                        "dictionary_ratio_512b", "dictionary_gain_2k", "dictionary_gain_8k", "dictionary_ratio_80k");
        assertThat(report.getDoubleValue("dictionary_gain_2k"))
                .as("the ratio with a dictionary of other messages, / without")
                .isGreaterThan(1.5);
        assertThat(report.getJSONArray("cases").toList(JSONObject.class))
                .hasSize(3 * 4 * 5)
                .allSatisfy(one ->
                        assertThat(one).containsKeys("codec", "compress_us", "inflate_us_most", "time_ratio_least"))
                .allSatisfy(one -> assertThat(one.getDoubleValue("ratio")).satisfies(ratio -> assertThat(ratio > 1)
                        .as("%s", one)
                        .isEqualTo(!one.getString("content").equals("random"))));
    }
}
