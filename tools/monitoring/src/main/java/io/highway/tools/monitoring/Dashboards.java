// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.monitoring;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.highway.tools.monitoring.star.Prometheus;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Evaluates every expression of the dashboards as Grafana does. */
record Dashboards(Prometheus prometheus, Path docs, PrintStream out) {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String RATE_INTERVAL = "10m"; // the whole run
    private static final int MANY = 6;

    /** Writes what each panel shows now to a file; returns whether every expression has series. */
    boolean check(Path page) throws IOException, InterruptedException {
        List<String> lines = new ArrayList<>();
        boolean right = true;
        for (Path file : files()) {
            JsonNode dashboard = JSON.readTree(file.toFile());
            int expressions = 0;
            int empty = 0;
            lines.addAll(List.of("# " + dashboard.path("title").asText(), ""));
            for (JsonNode panel : dashboard.path("panels")) {
                for (JsonNode target : panel.path("targets")) {
                    expressions++;
                    List<JsonNode> series = series(target.path("expr").asText());
                    if (series.isEmpty()) {
                        empty++;
                        out.println("no series: " + file.getFileName() + ", "
                                + panel.path("title").asText() + ": "
                                + target.path("expr").asText());
                    }
                    lines.add("* " + panel.path("title").asText() + ", " + unit(panel) + ": " + shown(series));
                }
            }
            lines.add("");
            right &= empty == 0;
            out.println(file.getFileName() + ": " + expressions + " expressions, " + (expressions - empty)
                    + " with series");
        }
        Files.write(page, lines);
        out.println("what the panels show: " + page);
        return right;
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(docs)) {
            return files.filter(file -> file.toString().endsWith(".json"))
                    .sorted()
                    .toList();
        }
    }

    /** A provider has a guard, and a caller has calls: one of the applications has series. */
    private List<JsonNode> series(String expression) throws IOException, InterruptedException {
        List<JsonNode> series = new ArrayList<>();
        for (String application : List.of("shop", "sms")) {
            if (series.isEmpty()) {
                series.addAll(prometheus.query(expression
                        .replace("$__rate_interval", RATE_INTERVAL)
                        .replace("=~\"$application\"", "=~\".*\"")
                        .replace("\"$application\"", "\"" + application + "\"")
                        .replaceAll("\"\\$(island|instance)\"", "\".*\"")));
            }
        }
        return series;
    }

    private static String unit(JsonNode panel) {
        return panel.path("fieldConfig").path("defaults").path("unit").asText();
    }

    private static String shown(List<JsonNode> series) {
        return series.size() + " series: "
                + series.stream()
                        .limit(MANY)
                        .map(each -> each.path("metric").toString() + " "
                                + each.path("value").path(1).asText())
                        .collect(Collectors.joining("; "));
    }
}
