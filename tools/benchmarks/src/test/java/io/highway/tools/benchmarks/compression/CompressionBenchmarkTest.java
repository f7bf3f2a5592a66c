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
    void comparesCodecs_forEveryFamilyAndSize() throws Exception {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);
        Path logs = Files.createDirectories(folder.resolve("logs"));

        boolean allCount = new CompressionBenchmark().run(logs, new CompressionBenchmark.Plan(2, 1, 160 << 10), out);

        assertThat(allCount).as(printed.toString(StandardCharsets.UTF_8)).isTrue();
        assertThat(printed.toString(StandardCharsets.UTF_8))
                .contains("**About 2 KB**", "**zstd, dictionary of documents of about 80 KB by level, means**")
                .contains("| gzip |", "| zstd |", "| zstd, dictionary |", "| zstd, shared dictionary |")
                .contains("(little: an upper end)", "The worst family", "Recommended for zstd, 80 KB");
        JSONObject report = JSON.parseObject(Files.readString(folder.resolve("compression.json")));
        assertThat(report)
                .containsKeys("zstd_time_ratio", "zstd_time_ratio_random", "zstd_size_ratio", "dictionary_time_ratio")
                .containsKeys("dictionary_ratio_2k", "dictionary_ratio_80k_worst", "zstd_level_2k");
        int documents = 4;
        int furtherLevels = 2 * 6;
        assertThat(report.getJSONArray("cases").toList(JSONObject.class))
                .hasSize(2 * (8 * 4 + documents * furtherLevels))
                .allSatisfy(
                        one -> assertThat(one).containsKeys("codec", "compress_us", "inflate_us_most", "information"))
                .allSatisfy(one -> assertThat(one.getDoubleValue("ratio")).satisfies(ratio -> assertThat(ratio > 1)
                        .as("%s", one)
                        .isEqualTo(!one.getString("content").equals("random"))));
    }
}
