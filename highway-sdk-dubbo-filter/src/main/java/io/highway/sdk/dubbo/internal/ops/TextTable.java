// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.ops;

import java.util.ArrayList;
import java.util.List;
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
        int columns = rows.get(0).size();
        int[] widths = new int[columns];
        for (List<String> row : rows) {
            for (int i = 0; i < columns; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        StringBuilder text = new StringBuilder();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < columns; i++) {
                String cell = row.get(i);
                line.append(cell).append(" ".repeat(widths[i] - cell.length())).append(GAP);
            }
            text.append(line.toString().stripTrailing()).append(System.lineSeparator());
        }
        return text.toString();
    }
}
