// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.conformance;

import io.highway.tools.conformance.Verdict.Result;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.Collectors;

/** The table for people and the summary for programs. */
final class Report {

    /** Its release is that of the wire contract. */
    private static final String KIT = System.getProperty("conformance.kit", "from source");

    private static final String LINE = "%-34s %-7s %-14s %s%n";

    private final String gateway;
    private final String version;
    private final PrintStream out;

    Report(String gateway, String version, PrintStream out) {
        this.gateway = gateway;
        this.version = version;
        this.out = out;
    }

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
        String cases = rows.stream()
                .map(row -> "    {\"case\": " + quoted(row.name()) + ", \"protocol\": "
                        + quoted(row.protocol().word()) + ", \"result\": "
                        + quoted(row.verdict().result().words()) + ", \"seen\": "
                        + quoted(row.verdict().seen()) + "}")
                .collect(Collectors.joining(",\n"));
        return "{\n  \"gateway\": " + quoted(gateway) + ",\n  \"kit\": " + quoted(KIT) + ",\n  \"version\": "
                + quoted(version)
                + ",\n  \"date\": " + quoted(LocalDate.now(ZoneOffset.UTC).toString())
                + ",\n  \"passed\": " + count(rows, Result.PASSED)
                + ",\n  \"failed\": " + count(rows, Result.FAILED)
                + ",\n  \"not_supported\": " + count(rows, Result.NOT_SUPPORTED)
                + ",\n  \"left_out\": " + count(rows, Result.LEFT_OUT)
                + ",\n  \"cases\": [\n" + cases + "\n  ]\n}\n";
    }

    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        text.chars().forEach(character -> {
            if (character == '"' || character == '\\') {
                quoted.append('\\').append((char) character);
            } else if (character < ' ') {
                quoted.append(String.format("\\u%04x", character));
            } else {
                quoted.append((char) character);
            }
        });
        return quoted.append('"').toString();
    }
}
