// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.measure;

import com.alibaba.fastjson2.JSON;
import com.alibaba.fastjson2.JSONWriter;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The results of one benchmark, for people and for programs: paragraphs and tables to print, and {@code <name>.json} with
 * how it was run and on what, named fields, and an array {@code cases} with all that was measured. A named field
 * contains the worst case unless its name states which one.
 */
public final class Report {

    private final String name;
    private final List<Object> parts = new ArrayList<>();
    private final List<String> failures = new ArrayList<>();
    private final Map<String, Object> fields = new LinkedHashMap<>();
    private final List<Map<String, Object>> cases = new ArrayList<>();

    /**
     * Without numbers yet.
     *
     * @param method how it was measured, and how to read the tables
     */
    public Report(String name, String command, Machine machine, String method) {
        this.name = name;
        paragraph("`" + command + "`: " + machine.inWords() + ".\n" + method);
        field("benchmark", name)
                .field("command", command)
                .field("date", machine.date())
                .field("cpu", machine.cpu())
                .field("cores", machine.cores())
                .field("jdk", machine.jdk())
                .field("system", machine.system())
                .field("dubbo", machine.dubbo());
        fields.put("load_before", machine.loadBefore());
        field("busy", machine.isBusy());
    }

    /** Adds a named field. */
    public Report field(String field, Object value) {
        Case.put(fields, field, value);
        return this;
    }

    /** Adds the median as a named field. */
    public Report field(String field, Spread value) {
        return field(field, value.median());
    }

    /** Adds text after the tables so far. */
    public void paragraph(String text) {
        parts.add(text + "\n");
    }

    /** Adds a table. */
    public Table table(String title, String... columns) {
        Table table = new Table(this, title, columns);
        parts.add(table);
        return table;
    }

    /** Adds a case that is in no table; fill in what is known of it. */
    public Case add() {
        return new Case(this, new ArrayList<>()).inJson();
    }

    void inJson(Map<String, Object> values) {
        cases.add(values);
    }

    /** Adds calls that were not answered, if there are any. */
    public void failed(long calls, String of, String firstFailure) {
        if (calls > 0) {
            failures.add(calls + " calls failed: " + of + ", " + firstFailure + "\n");
        }
    }

    /** Prints everything and writes {@code <name>.json} into the folder; returns whether all calls were answered. */
    public boolean publish(PrintStream out, Path folder) throws IOException {
        parts.forEach(out::println);
        failures.forEach(out::println);
        Map<String, Object> all = new LinkedHashMap<>(fields);
        all.put("cases", cases);
        Files.writeString(
                folder.resolve(name + ".json"), JSON.toJSONString(all, JSONWriter.Feature.PrettyFormat) + "\n");
        return failures.isEmpty();
    }
}
