// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.benchmarks.measure;

import com.alibaba.fastjson2.JSON;
import com.alibaba.fastjson2.JSONWriter;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The numbers of one benchmark for programs, {@code <name>.json}: how it was run and on what, named fields, and an
 * array {@code cases} with all that was measured. A named field contains the worst case unless its name states which
 * one.
 */
public final class Report {

    private static final MathContext DIGITS = new MathContext(5);

    private final String name;
    private final Map<String, Object> fields = new LinkedHashMap<>();
    private final List<Map<String, Object>> cases = new ArrayList<>();

    /** Without numbers yet. */
    public Report(String name, String command, Machine machine) {
        this.name = name;
        fields.put("benchmark", name);
        fields.put("command", command);
        fields.put("date", machine.date());
        fields.put("cpu", machine.cpu());
        fields.put("cores", machine.cores());
        fields.put("jdk", machine.jdk());
        fields.put("system", machine.system());
        fields.put("dubbo", machine.dubbo());
        fields.put("load_before", machine.loadBefore());
        fields.put("busy", machine.isBusy());
    }

    /** Adds a named field. */
    public Report field(String field, Object value) {
        put(fields, field, value);
        return this;
    }

    /** Adds a case; fill in what is known of it. */
    public Row row() {
        Row row = new Row();
        cases.add(row.values);
        return row;
    }

    /** Writes {@code <name>.json} into the folder. */
    public void write(Path folder) throws IOException {
        Map<String, Object> all = new LinkedHashMap<>(fields);
        all.put("cases", cases);
        Files.writeString(
                folder.resolve(name + ".json"), JSON.toJSONString(all, JSONWriter.Feature.PrettyFormat) + "\n");
    }

    /** JSON has no word for a number that is not finite, so it is left out. */
    private static void put(Map<String, Object> values, String key, Object value) {
        if (!(value instanceof Double number)) {
            values.put(key, value);
        } else if (Double.isFinite(number)) {
            values.put(key, new BigDecimal(number).round(DIGITS).stripTrailingZeros());
        }
    }

    /** One case. */
    public static final class Row {

        private final Map<String, Object> values = new LinkedHashMap<>();

        /** Adds a value. */
        public Row with(String key, Object value) {
            Report.put(values, key, value);
            return this;
        }

        /** Adds the median as {@code key}, the others as {@code key_least} and {@code key_most}. */
        public Row with(String key, Spread spread) {
            return with(key, spread.median())
                    .with(key + "_least", spread.least())
                    .with(key + "_most", spread.most());
        }
    }
}
