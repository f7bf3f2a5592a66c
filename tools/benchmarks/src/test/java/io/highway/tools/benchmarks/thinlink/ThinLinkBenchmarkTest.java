// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.thinlink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.alibaba.fastjson2.JSON;
import com.alibaba.fastjson2.JSONObject;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The whole of it over a wide link, and too short for its numbers to mean anything. */
@Tag("network")
@Tag("long")
class ThinLinkBenchmarkTest {

    @TempDir
    Path folder;

    @BeforeEach
    void namespacesAreAllowedHere() {
        Optional<String> whyNot = Namespaces.whyNot();
        assumeTrue(whyNot.isEmpty(), () -> whyNot.orElse(""));
    }

    @Test
    @Timeout(240)
    void comparesEverything_atEveryWidthSizeAndNumberOfCallers() throws Exception {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();

        boolean allAnswered = ThinLinkBenchmark.run(
                folder.resolve("logs"), Plan.of(Effort.TRIAL), new PrintStream(printed, true, StandardCharsets.UTF_8));

        String text = printed.toString(StandardCharsets.UTF_8);
        assertThat(allAnswered).as(text).isTrue();
        assertThat(text)
                .contains("**1000 Mbit/s, random bodies of 2 KB, 1 caller**")
                .contains("**2000 Mbit/s, json bodies of 80 KB, 64 callers**");
        JSONObject report = JSON.parseObject(Files.readString(folder.resolve("thin-link.json")));
        int adapting = 2 * 2;
        int compressed = 2 * 2 * 3 * 4;
        int families = 5 * 4;
        int classes = 5;
        int longLinks = 2 * 4;
        assertThat(report.getJSONArray("cases"))
                .hasSize(2 * 2 * (3 + 3 + 5 + 5) + adapting + compressed + families + classes + longLinks);
        assertThat(report)
                .containsKeys("goodput_ratio_2k", "goodput_ratio_80k", "goodput_ratio_2k_triple")
                .containsKeys("calls_2k_1000mbit", "gzip_gain_2k", "gzip_incompressible", "p50_auto_ratio")
                .containsKeys("zstd_gain_2k", "zstd_gain_80k_objects", "zstd_incompressible", "zstd_processor_ratio_2k")
                .containsKeys("zstd_gain_download_2k", "zstd_gain_download_80k", "zstd_incompressible_download")
                .containsKeys("dictionary_gain_2k", "no_dictionary_gain_2k_text", "dictionary_processor_ratio_80k")
                .containsKeys("family_gain_1000mbit_tenders", "family_worst")
                .containsKeys("dictionary_gain_download_2k", "dictionary_incompressible_download")
                .containsKeys("classes_p99_ms", "classes_idle_p99_ms", "classes_goodput_ratio", "no_classes_p99_ms")
                .containsKeys("long_goodput_80k_60ms", "long_goodput_download_80k_60ms_triple");
        assertThat(report.getJSONArray("cases").toList(JSONObject.class))
                .filteredOn(one -> one.containsKey("round_trip_ms"))
                .as("what is called over a round trip of 60 ms takes as long at least")
                .hasSize(longLinks)
                .allSatisfy(one -> assertThat(one.getDoubleValue("p50_ms")).isGreaterThan(60));
        assertCompressed(report, "upload", "link_bytes_per_call");
        assertCompressed(report, "download", "link_bytes_back_per_call");
        assertThat(bytesOfSmallText(report, "triple tunnel, zstd, dictionary"))
                .as("answers of 2 KB have the dictionary from the first call on")
                .isLessThan(0.75 * bytesOfSmallText(report, "triple tunnel, zstd"));
        assertThat(report.getJSONArray("cases").toList(JSONObject.class))
                .filteredOn(one -> one.getString("content").equals("random"))
                .as("what passes the link is the body and not much more")
                .allSatisfy(one -> assertThat(one.getDoubleValue("link_bytes_per_call"))
                        .isBetween(one.getDoubleValue("body_bytes"), 2 * one.getDoubleValue("body_bytes")));
        assertThat(namespaces()).doesNotContain("-" + ProcessHandle.current().pid());
    }

    private static double bytesOfSmallText(JSONObject report, String way) {
        return report.getJSONArray("cases").toList(JSONObject.class).stream()
                .filter(one -> "download".equals(one.getString("direction"))
                        && one.getString("way").equals(way))
                .filter(one -> one.getIntValue("body_bytes") < 3000
                        && one.getString("content").equals("generated orders as text"))
                .findFirst()
                .orElseThrow()
                .getDoubleValue("link_bytes_back_per_call");
    }

    private static void assertCompressed(JSONObject report, String direction, String bytes) {
        assertThat(report.getJSONArray("cases").toList(JSONObject.class))
                .filteredOn(one -> direction.equals(one.getString("direction")) && one.getIntValue("body_bytes") > 3000)
                .filteredOn(one -> !one.getString("content").equals("random bytes"))
                .as("what passes the link when 80 KB are sent")
                .hasSize(2 * 4)
                .allSatisfy(one -> assertThat(one.getDoubleValue(bytes))
                        .isBetween(
                                one.getString("way").equals("triple tunnel") ? 30_000.0 : 2000.0,
                                one.getString("way").equals("triple tunnel") ? 120_000.0 : 29_000.0));
    }

    private static String namespaces() throws Exception {
        Process list = new ProcessBuilder(Tool.line("ip netns list")).start();
        return new String(list.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
}
