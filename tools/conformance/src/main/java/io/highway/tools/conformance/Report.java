// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.conformance;

import com.alibaba.fastjson2.JSON;
import com.alibaba.fastjson2.JSONWriter;
import io.highway.tools.conformance.Verdict.Result;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The table for people and the summary for programs. */
record Report(String gateway, String version, PrintStream out) {

    /** Its release is that of the wire contract. */
    private static final String KIT = System.getProperty("conformance.kit", "from source");

    private static final String LINE = "%-34s %-7s %-14s %s%n";

    /** The text above the rows. */
    void begin() {
        out.println(version + ", conformance kit " + KIT);
        out.printf(LINE, "case", "over", "result", "what was seen");
    }

    /** A row, as soon as there is one. */
    void print(Row row) {
        out.printf(
                LINE,
                row.name(),
                row.protocol().word(),
                row.verdict().result().words(),
                row.verdict().seen());
    }

    /** Writes the summary and prints the last line; returns whether no case failed. */
    boolean end(List<Row> rows, Path summary) throws IOException {
        Files.writeString(summary, json(rows));
        long leftOut = count(rows, Result.LEFT_OUT);
        if (leftOut > 0) {
            out.println(leftOut + " left out");
        }
        out.println("conformance " + gateway + ": " + count(rows, Result.PASSED) + " passed, "
                + count(rows, Result.FAILED) + " failed, " + count(rows, Result.NOT_SUPPORTED) + " not supported");
        return count(rows, Result.FAILED) == 0;
    }

    private static long count(List<Row> rows, Result result) {
        return rows.stream().filter(row -> row.verdict().result() == result).count();
    }

    private String json(List<Row> rows) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("gateway", gateway);
        json.put("kit", KIT);
        json.put("version", version);
        json.put("date", LocalDate.now(ZoneOffset.UTC).toString());
        for (Result result : Result.values()) {
            json.put(result.name().toLowerCase(Locale.ROOT), count(rows, result));
        }
        json.put("cases", rows.stream().map(Report::json).toList());
        return JSON.toJSONString(json, JSONWriter.Feature.PrettyFormat) + "\n";
    }

    private static Map<String, String> json(Row row) {
        Map<String, String> json = new LinkedHashMap<>();
        json.put("case", row.name());
        json.put("protocol", row.protocol().word());
        json.put("result", row.verdict().result().words());
        json.put("seen", row.verdict().seen());
        return json;
    }
}
