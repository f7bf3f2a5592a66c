// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.measure;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** One case of a benchmark: a line of a table, and an object in the JSON. */
public final class Case {

    private static final MathContext DIGITS = new MathContext(5);

    private final Report report;
    private final List<Object> cells;
    private final Map<String, Object> values = new LinkedHashMap<>();

    Case(Report report, List<Object> cells) {
        this.report = report;
        this.cells = cells;
    }

    Case inJson() {
        report.inJson(values);
        return this;
    }

    /** Adds a value to the JSON; of a spread the median as {@code key}, the others as {@code key_least} and {@code key_most}. */
    public Case with(String key, Object value) {
        if (value instanceof Spread spread) {
            put(values, key, spread.median());
            put(values, key + "_least", spread.least());
            put(values, key + "_most", spread.most());
        } else {
            put(values, key, value);
        }
        return this;
    }

    /** Adds a value to the JSON, and to the table; of a spread the median. */
    public Case show(String key, String format, Object value) {
        return with(key, value).cells(value instanceof Spread spread ? spread.median(format) : text(format, value));
    }

    /** Adds cells to the table; empty where they say nothing about this case. */
    public Case cells(Object... more) {
        cells.addAll(Arrays.asList(more));
        return this;
    }

    /** Adds how many calls of these sides were not answered. */
    public Case failed(String title, List<Side> sides) {
        sides.forEach(side -> report.failed(side.failed(), title + ", " + side.name(), side.firstFailure()));
        return with("failed", sides.stream().mapToLong(Side::failed).sum());
    }

    /** As tables have it, whatever the system's language. */
    public static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }

    /** JSON has no word for a number that is not finite, so it is left out. */
    static void put(Map<String, Object> values, String key, Object value) {
        if (!(value instanceof Double number)) {
            values.put(key, value);
        } else if (Double.isFinite(number)) {
            values.put(key, new BigDecimal(number).round(DIGITS).stripTrailingZeros());
        }
    }
}
