// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.monitoring.star;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.highway.tools.fixtures.ports.FreePorts;
import io.highway.tools.processes.Folders;
import io.highway.tools.processes.Processes;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** A real Prometheus; its data are deleted at the end, or at the next start. */
public final class Prometheus implements AutoCloseable {

    private static final String NAME = "prometheus";
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    private final HttpClient http = HttpClient.newHttpClient();
    private final Processes processes;
    private final Path data;
    private final String address;

    /**
     * Starts it and returns when it listens.
     *
     * @param program its executable
     * @param folder for its configuration
     * @param targets what it scrapes, each {@code host:port}
     */
    public Prometheus(Processes processes, String program, Path folder, Rules rules, List<String> targets)
            throws IOException {
        this.processes = processes;
        this.data = folder.resolve("prometheus-data").toAbsolutePath();
        Folders.delete(data);
        int port = FreePorts.next();
        this.address = "http://127.0.0.1:" + port;
        Path file = folder.resolve("highway-alerts.yml").toAbsolutePath();
        Files.writeString(file, rules.text());
        Path configuration = folder.resolve("prometheus.yml").toAbsolutePath();
        Files.writeString(
                configuration,
                """
                global: {scrape_interval: 1s, evaluation_interval: 1s}
                rule_files: ['%s']
                scrape_configs:
                  - job_name: highway
                    metrics_path: /actuator/prometheus
                    static_configs:
                      - targets: [%s]
                """
                        .formatted(
                                file,
                                targets.stream().map(each -> "'" + each + "'").collect(Collectors.joining(", "))));
        processes.startProgram(
                NAME,
                List.of(
                        program,
                        "--config.file=" + configuration,
                        "--storage.tsdb.path=" + data,
                        "--web.listen-address=127.0.0.1:" + port,
                        "--log.level=warn"),
                List.of(port));
    }

    /** Its pages. */
    public String address() {
        return address;
    }

    /** The series that an expression has now. */
    public List<JsonNode> query(String expression) throws IOException, InterruptedException {
        HttpResponse<String> response = http.send(
                HttpRequest.newBuilder(URI.create(address + "/api/v1/query?query="
                                + URLEncoder.encode(expression, StandardCharsets.UTF_8)))
                        .timeout(TIMEOUT)
                        .build(),
                BodyHandlers.ofString());
        JsonNode answer = JSON.readTree(response.body());
        if (!answer.path("status").asText().equals("success")) {
            throw new IllegalStateException("Prometheus does not evaluate " + expression + ": " + response.body());
        }
        List<JsonNode> series = new ArrayList<>();
        answer.path("data").path("result").forEach(series::add);
        return series;
    }

    /** The alerts that fire or wait to fire now. */
    public Set<String> active() throws IOException, InterruptedException {
        return alerts("ALERTS");
    }

    /** The alerts that fire now. */
    public Set<String> firing() throws IOException, InterruptedException {
        return alerts("ALERTS{alertstate=\"firing\"}");
    }

    /** The alerts that fired at any time of the last so many milliseconds. */
    public Set<String> fired(long millis) throws IOException, InterruptedException {
        return alerts("count_over_time(ALERTS{alertstate=\"firing\"}[" + millis + "ms])");
    }

    private Set<String> alerts(String expression) throws IOException, InterruptedException {
        return query("count by (alertname) (" + expression + ")").stream()
                .map(series -> series.path("metric").path("alertname").asText())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Override
    public void close() throws IOException {
        processes.end(NAME);
        Folders.delete(data);
    }
}
