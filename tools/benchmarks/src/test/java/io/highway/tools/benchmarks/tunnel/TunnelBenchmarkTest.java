// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.tunnel;

import static org.assertj.core.api.Assertions.assertThat;

import com.alibaba.fastjson2.JSON;
import com.alibaba.fastjson2.JSONObject;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The whole of it, with the gateway that is always there, and too short for its times to mean anything. Bytes are exact. */
@Tag("network")
class TunnelBenchmarkTest {

    private static final int MOST_EXTRA_BYTES = 64;
    private static final int MOST_EXTRA_BYTES_WHEN_SIGNED = 200;

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Timeout(120)
    void comparesTheSdkWithAPlainReference_andAddsFewBytes(boolean signed) throws Exception {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);
        Path logs = Files.createDirectories(folder.resolve("logs"));

        boolean allAnswered = new TunnelBenchmark(Set.of("direct", "reference"), signed)
                .run(logs, new TunnelBenchmark.Plan(1, 1, 1, Duration.ofMillis(20)), out);

        String text = printed.toString(StandardCharsets.UTF_8);
        assertThat(allAnswered).as(text).isTrue();
        assertThat(text.lines().filter(line -> line.startsWith("| reference gateway |")))
                .hasSize(8);
        assertThat(text.lines().filter(line -> line.startsWith("| direct |"))).hasSize(8);
        JSONObject report =
                JSON.parseObject(Files.readString(folder.resolve(signed ? "tunnel-signed.json" : "tunnel.json")));
        assertThat(report).containsKeys("p50_ratio", "throughput_ratio");
        assertThat(report.getJSONArray("cases")).hasSize(4 + 16);
        assertThat(report.getJSONArray("cases").getJSONObject(0)).containsKey("sdk_provider_us");
        assertThat(report.getIntValue("extra_bytes"))
                .isPositive()
                .isLessThanOrEqualTo(signed ? MOST_EXTRA_BYTES_WHEN_SIGNED : MOST_EXTRA_BYTES);
    }
}
