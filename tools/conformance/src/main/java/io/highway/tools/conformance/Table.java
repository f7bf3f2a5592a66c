// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.conformance;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** The last runs side by side, as {@code docs/guides/gateways.md} shows them. */
final class Table {

    private static final List<String> GATEWAYS = List.of("envoy", "nginx", "haproxy", "scg", "reference");
    private static final List<String> PROTOCOLS = List.of("dubbo", "triple");

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

    /** JSON is YAML. */
    private static Summary read(String gateway, String json) {
        Map<?, ?> summary = new Yaml(new SafeConstructor(new LoaderOptions())).load(json);
        List<Entry> entries = new ArrayList<>();
        for (Object one : (List<?>) Objects.requireNonNull(summary.get("cases"))) {
            Map<?, ?> entry = (Map<?, ?>) one;
            entries.add(new Entry(
                    text(entry, "case"), text(entry, "protocol"), text(entry, "result"), text(entry, "seen")));
        }
        String counts = summary.get("passed") + " / " + summary.get("failed") + " / " + summary.get("not_supported");
        return new Summary(gateway, text(summary, "version"), text(summary, "date"), counts, entries);
    }

    private static String text(Map<?, ?> map, String key) {
        return String.valueOf(map.get(key));
    }

    void print(PrintStream out) {
        Set<String> names = new LinkedHashSet<>();
        Set<String> dates = new LinkedHashSet<>();
        for (Summary summary : summaries) {
            summary.entries.forEach(entry -> names.add(entry.name));
            dates.add(summary.date);
        }
        out.println("By `tools/conformance/run.sh <gateway>`, on " + String.join(" and ", dates)
                + ". Each column: Dubbo protocol, Triple.\n");
        out.print("| |");
        summaries.forEach(summary -> out.print(" " + summary.version + " | |"));
        out.print("\n|---|" + "---|".repeat(2 * summaries.size()) + "\n| **passed / failed / not supported** |");
        summaries.forEach(summary -> out.print(" " + summary.counts + " | |"));
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
