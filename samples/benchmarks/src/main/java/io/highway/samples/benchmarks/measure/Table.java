// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.benchmarks.measure;

import java.io.PrintStream;

/** A table in Markdown, printed line by line, as {@code docs/} shows it. */
public final class Table {

    private final PrintStream out;

    /** Prints a title and the head. */
    public Table(PrintStream out, String title, String... columns) {
        this.out = out;
        out.println("**" + title + "**");
        out.println();
        row((Object[]) columns);
        out.println("|" + "---|".repeat(columns.length));
    }

    /** Prints a line; format numbers before. */
    public void row(Object... cells) {
        StringBuilder line = new StringBuilder("|");
        for (Object cell : cells) {
            line.append(' ').append(cell).append(" |");
        }
        out.println(line);
    }

    /** Leaves an empty line behind the table. */
    public void end() {
        out.println();
    }
}
