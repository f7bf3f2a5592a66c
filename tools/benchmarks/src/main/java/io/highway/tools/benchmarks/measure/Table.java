// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.measure;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** A table in Markdown. */
public final class Table {

    private final Report report;
    private final String title;
    private final List<List<Object>> rows = new ArrayList<>();

    Table(Report report, String title, String... columns) {
        this.report = report;
        this.title = title;
        rows.add(List.of((Object[]) columns));
    }

    /** Adds a line that is not in the JSON. */
    public Case row() {
        List<Object> row = new ArrayList<>();
        rows.add(row);
        return new Case(report, row);
    }

    /** Adds a case: a line, and an object in the JSON. */
    public Case add() {
        return row().inJson();
    }

    @Override
    public String toString() {
        List<String> lines = new ArrayList<>(rows.stream()
                .map(row -> row.stream().map(cell -> " " + cell + " |").collect(Collectors.joining("", "|", "\n")))
                .toList());
        lines.add(1, "|" + "---|".repeat(rows.get(0).size()) + "\n");
        return "**" + title + "**\n\n" + String.join("", lines);
    }
}
