// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.measure;

import static org.assertj.core.api.Assertions.assertThat;

import com.alibaba.fastjson2.JSON;
import com.alibaba.fastjson2.JSONObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportTest {

    @TempDir
    Path folder;

    @Test
    void aCaseIsALineOfTheTable_andAnObjectInTheJson() throws IOException {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        Report report = new Report("boats", "run.sh boats", Machine.here(), "Three rounds.").field("rounds", 3);
        Spread speed = Spread.of(List.of(1.25, 3.0, 2.0));

        report.table("Boats", "", "knots", "least to most")
                .add()
                .show("kind", "%s", "sail")
                .with("body_bytes", 2048)
                .show("knots", "%.1f", speed)
                .cells(speed.range("%.2f"))
                .with("absent", Double.NaN);
        boolean allAnswered = report.publish(new PrintStream(printed, true, StandardCharsets.UTF_8), folder);

        assertThat(allAnswered).isTrue();
        assertThat(printed.toString(StandardCharsets.UTF_8).lines())
                .contains("Three rounds.", "**Boats**", "|  | knots | least to most |", "|---|---|---|")
                .contains("| sail | 2.0 | 1.25 to 3.00 |");
        JSONObject json = JSON.parseObject(Files.readString(folder.resolve("boats.json")));
        assertThat(json.getIntValue("rounds")).isEqualTo(3);
        assertThat(json.getJSONArray("cases").toList(JSONObject.class))
                .singleElement()
                .satisfies(one -> assertThat(one.toJSONString())
                        .isEqualTo("{\"kind\":\"sail\",\"body_bytes\":2048,"
                                + "\"knots\":2,\"knots_least\":1.25,\"knots_most\":3}"));
    }

    @Test
    void failedCallsArePrinted_andNotAllWereAnswered() throws Exception {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        Report report = new Report("boats", "run.sh boats", Machine.here(), "Three rounds.");
        Side sinking = new Side("sail", 1, () -> {
            throw new IOException("leak");
        });
        try (Callers callers = new Callers(1)) {
            sinking.round(callers, Duration.ZERO);
        }

        report.table("Boats", "").add().cells("sail").failed("Boats", List.of(sinking));
        boolean allAnswered = report.publish(new PrintStream(printed, true, StandardCharsets.UTF_8), folder);

        assertThat(allAnswered).isFalse();
        assertThat(printed.toString(StandardCharsets.UTF_8))
                .contains("1 calls failed: Boats, sail, java.io.IOException: leak");
        assertThat(JSON.parseObject(Files.readString(folder.resolve("boats.json")))
                        .getJSONArray("cases")
                        .getJSONObject(0)
                        .getIntValue("failed"))
                .isEqualTo(1);
    }
}
