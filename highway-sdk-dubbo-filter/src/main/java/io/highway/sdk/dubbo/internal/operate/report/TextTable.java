// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.operate.report;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Rows in aligned columns, for terminals. Not thread-safe. */
final class TextTable {

    private static final String GAP = "  ";
    private static final String NONE = "-";

    private final List<List<String>> rows = new ArrayList<>();

    /** A table with these headings. */
    TextTable(String... headings) {
        rows.add(List.of(headings));
    }

    /** Adds a row; a value that is missing is shown as a dash. */
    TextTable row(@Nullable Object... values) {
        List<String> row = new ArrayList<>(values.length);
        for (Object value : values) {
            row.add(value == null ? NONE : printable(value.toString()));
        }
        rows.add(row);
        return this;
    }

    /** Whether it has no row. */
    boolean isEmpty() {
        return rows.size() == 1;
    }

    private static String printable(String text) {
        return text.isEmpty() ? NONE : text.replaceAll("\\p{Cntrl}", "?");
    }

    @Override
    public String toString() {
        String line = IntStream.range(0, rows.get(0).size())
                .map(column -> rows.stream()
                        .mapToInt(row -> row.get(column).length())
                        .max()
                        .orElse(0))
                .mapToObj(width -> "%-" + Math.max(1, width) + "s")
                .collect(Collectors.joining(GAP));
        return rows.stream()
                .map(row -> line.formatted(row.toArray()).stripTrailing() + System.lineSeparator())
                .collect(Collectors.joining());
    }
}
