// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.conformance;

import com.alibaba.fastjson2.JSON;
import com.alibaba.fastjson2.JSONObject;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The last runs side by side, as {@code docs/guides/gateways.md} shows them. */
final class Table {

    private static final List<String> GATEWAYS =
            List.of("envoy", "nginx", "haproxy", "scg", "scg-mvc", "zuul", "edge", "reference");
    private static final List<String> PROTOCOLS = List.of("dubbo", "triple", "http");

    private final List<Summary> summaries = new ArrayList<>();

    private record Entry(String name, String protocol, String result, String seen) {}

    private record Summary(String gateway, String version, String date, String counts, List<Entry> entries) {

        String mark(String name, String protocol) {
            return entries.stream()
                    .filter(entry -> entry.name.equals(name) && entry.protocol.equals(protocol))
                    .map(entry -> switch (entry.result) {
                        case "passed" -> "yes";
                        case "not supported" -> "no";
                        default -> "**" + entry.result + "**";
                    })
                    .findFirst()
                    .orElse("");
        }
    }

    /** Of what the runs have written to this folder. */
    Table(Path folder) throws IOException {
        for (String gateway : GATEWAYS) {
            Path file = folder.resolve(gateway + ".json");
            if (Files.exists(file)) {
                summaries.add(read(gateway, Files.readString(file)));
            }
        }
    }

    private static Summary read(String gateway, String json) {
        JSONObject summary = JSON.parseObject(json);
        List<Entry> entries = summary.getJSONArray("cases").toList(JSONObject.class).stream()
                .map(one -> new Entry(
                        one.getString("case"),
                        one.getString("protocol"),
                        one.getString("result"),
                        one.getString("seen")))
                .toList();
        String counts = summary.get("passed") + " / " + summary.get("failed") + " / " + summary.get("not_supported");
        return new Summary(gateway, summary.getString("version"), summary.getString("date"), counts, entries);
    }

    void print(PrintStream out) {
        Set<String> names = new LinkedHashSet<>();
        Set<String> dates = new LinkedHashSet<>();
        for (Summary summary : summaries) {
            summary.entries.forEach(entry -> names.add(entry.name));
            dates.add(summary.date);
        }
        out.println("By `tools/conformance/run.sh <gateway>`, on " + String.join(" and ", dates)
                + ". Each column: Dubbo protocol, Triple, HTTP tunnel.\n");
        out.print("| |");
        summaries.forEach(summary -> out.print(" " + summary.version + " | | |"));
        out.print("\n|---|" + "---|".repeat(PROTOCOLS.size() * summaries.size())
                + "\n| **passed / failed / not supported** |");
        summaries.forEach(summary -> out.print(" " + summary.counts + " | | |"));
        out.println();
        for (String name : names) {
            out.print("| " + name + " |");
            for (Summary summary : summaries) {
                for (String protocol : PROTOCOLS) {
                    out.print(" " + summary.mark(name, protocol) + " |");
                }
            }
            out.println();
        }
        out.println("\n| not supported | | why |\n|---|---|---|");
        for (Summary summary : summaries) {
            for (Entry entry : summary.entries) {
                if (entry.result.equals("not supported")) {
                    out.println("| " + summary.version + " | " + entry.name + ", " + entry.protocol + " | " + entry.seen
                            + " |");
                }
            }
        }
    }
}
