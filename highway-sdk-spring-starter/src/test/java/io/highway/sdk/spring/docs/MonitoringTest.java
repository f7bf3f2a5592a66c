// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.spring.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.highway.sdk.dubbo.HighwayReport.Endpoint.State;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.yaml.snakeyaml.Yaml;

/**
 * The alert rules and dashboards of {@code docs/operate/monitoring} match the meters, the runbooks and their page.
 */
@Tag("network")
@Tag("any-dubbo")
class MonitoringTest {

    private static final Path DOCS = Path.of("..", "docs");
    private static final Path MONITORING = DOCS.resolve("operate/monitoring");
    private static final Path PAGE = MONITORING.resolve("README.md");
    private static final Path RULES = MONITORING.resolve("highway-alerts.yml");
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Of Prometheus, of the configuration that the page asks for, and of histograms. */
    private static final Set<String> OTHER_LABELS = Set.of("application", "instance", "job", "le");

    private static final Pattern METER = Pattern.compile("\\bhighway_[a-z_]+");
    private static final Pattern SELECTOR = Pattern.compile("\\b(highway_[a-z_]+)\\{([^}]*)}");
    private static final Pattern LABEL = Pattern.compile("(\\w+)\\s*(?:=~|!~|!=|=)");
    private static final Pattern GROUPING = Pattern.compile("\\b(?:by|without|on|ignoring) ?\\(([^)]*)\\)");
    private static final Pattern LEGEND = Pattern.compile("\\{\\{(\\w+)}}");

    static Stream<Path> dashboards() throws IOException {
        try (Stream<Path> files = Files.list(MONITORING)) {
            return files.filter(file -> file.toString().endsWith(".json")).sorted().toList().stream();
        }
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> rules() throws IOException {
        Map<String, Object> file = new Yaml().load(Files.readString(RULES));
        return ((List<Map<String, Object>>) file.get("groups"))
                .stream()
                        .flatMap(group -> ((List<Map<String, Object>>) group.get("rules")).stream())
                        .toList();
    }

    private static Map<?, ?> map(Map<String, Object> rule, String key) {
        return (Map<?, ?>) rule.get(key);
    }

    private static List<JsonNode> panels(JsonNode dashboard) {
        List<JsonNode> panels = new ArrayList<>();
        dashboard.path("panels").forEach(panels::add);
        return panels;
    }

    private static List<JsonNode> targets(JsonNode panel) {
        List<JsonNode> targets = new ArrayList<>();
        panel.path("targets").forEach(targets::add);
        return targets;
    }

    private static List<String> expressions() throws IOException {
        List<String> expressions = new ArrayList<>();
        for (Map<String, Object> rule : rules()) {
            expressions.add(rule.get("expr").toString());
        }
        for (Path file : dashboards().toList()) {
            for (JsonNode panel : panels(JSON.readTree(file.toFile()))) {
                targets(panel)
                        .forEach(target -> expressions.add(target.path("expr").asText()));
            }
        }
        return expressions;
    }

    /** The series of each meter as Prometheus names them, with its tags, from the table that MetersInDocsTest checks. */
    private static Map<String, Set<String>> series() throws IOException {
        String page = Files.readString(DOCS.resolve("reference/observability.md"));
        String meters = page.substring(page.indexOf("\n## Meters"));
        Map<String, Set<String>> series = new TreeMap<>();
        Pattern.compile("(?m)^\\| `(highway\\.[a-z.]+)` \\| (timer|counter|gauge)[^|]*\\| ([^|]*)\\|")
                .matcher(meters)
                .results()
                .forEach(row -> {
                    String name = row.group(1).replace('.', '_');
                    Set<String> tags = new TreeSet<>();
                    String cell = row.group(3).replaceAll("]\\([^)]*\\)", "]").replaceAll("\\([^)]*\\)", "");
                    Pattern.compile("`([a-z]+)`").matcher(cell).results().forEach(tag -> tags.add(tag.group(1)));
                    switch (row.group(2)) {
                        case "timer" ->
                            Stream.of("_count", "_sum", "_max", "_bucket")
                                    .forEach(end -> series.put(name + "_seconds" + end, tags));
                        case "counter" -> series.put(name + "_total", tags);
                        default -> series.put(name, tags);
                    }
                });
        return series;
    }

    @Test
    void everyMeterAndLabelIsThere() throws IOException {
        Map<String, Set<String>> series = series();
        Set<String> all = new HashSet<>(OTHER_LABELS);
        series.values().forEach(all::addAll);

        assertThat(series).hasSizeGreaterThan(15);
        for (String expression : expressions()) {
            assertThat(METER.matcher(expression).results().map(MatchResult::group))
                    .as(expression)
                    .isNotEmpty()
                    .isSubsetOf(series.keySet());
            SELECTOR.matcher(expression).results().forEach(selector -> assertThat(
                            LABEL.matcher(selector.group(2)).results().map(label -> label.group(1)))
                    .as(selector.group())
                    .allMatch(label -> OTHER_LABELS.contains(label)
                            || series.getOrDefault(selector.group(1), Set.of()).contains(label)));
            assertThat(GROUPING.matcher(expression)
                            .results()
                            .flatMap(labels -> Stream.of(labels.group(1).split(",\\s*", -1))))
                    .as(expression)
                    .isSubsetOf(all);
        }
    }

    /** Otherwise a single burst fires it. */
    @Test
    void everyAlertLastsLongerThanItsWindow() throws IOException {
        for (Map<String, Object> rule : rules()) {
            Duration wait = duration(rule.get("for").toString());
            assertThat(Pattern.compile("\\[(\\w+)]")
                            .matcher(rule.get("expr").toString())
                            .results())
                    .as("%s", rule.get("alert"))
                    .allSatisfy(window -> assertThat(duration(window.group(1))).isLessThan(wait));
        }
    }

    private static Duration duration(String text) {
        return Duration.parse("PT" + text);
    }

    @Test
    void everyAlertHasItsRunbook_andThePageNamesTheCriticalOnes() throws IOException {
        String operations = Files.readString(DOCS.resolve("operate/operations.md"));
        Set<String> alerts = new TreeSet<>();
        List<String> critical = new ArrayList<>();
        for (Map<String, Object> rule : rules()) {
            String alert = rule.get("alert").toString();
            alerts.add(alert);
            String anchor = "operations.md#alert-" + alert.toLowerCase(Locale.ROOT);
            assertThat(map(rule, "annotations").keySet().toString()).isEqualTo("[summary, description, runbook_url]");
            assertThat(map(rule, "annotations").get("runbook_url"))
                    .isEqualTo("https://highway.example/docs/operate/" + anchor);
            if (map(rule, "labels").get("severity").equals("critical")) {
                critical.add("[" + alert + "](../" + anchor + ")");
            }
        }

        assertThat(alerts).hasSize(rules().size());
        assertThat(Pattern.compile("(?m)^### Alert: (\\w+)$")
                        .matcher(operations)
                        .results()
                        .map(found -> found.group(1)))
                .containsExactlyInAnyOrderElementsOf(alerts);
        assertThat(Files.readString(PAGE).replaceAll("\\s+", " "))
                .contains("Critical: " + String.join(", ", critical) + ".");
    }

    /** In the words of the rules' unit tests: summary, description, runbook. */
    @Test
    void theAlertOfTheRunbookIsOneOfTheUnitTests() throws IOException {
        Matcher alert = Pattern.compile("<!-- alert -->\n```text\n(.*)\n(.*)\n(.*)\n```\n<!-- end -->")
                .matcher(Files.readString(DOCS.resolve("operate/operations.md")));

        assertThat(alert.find()).isTrue();
        assertThat(Files.readString(MONITORING.resolve("highway-alerts-test.yml"))
                        .replaceAll("\\s+", " "))
                .contains("summary: " + alert.group(1) + " description: " + alert.group(2) + " runbook_url: "
                        + alert.group(3) + " ");
    }

    @ParameterizedTest
    @MethodSource("dashboards")
    void everyDashboardFollowsTheConventions(Path file) throws IOException {
        JsonNode dashboard = JSON.readTree(file.toFile());
        Set<String> variables = new HashSet<>(Set.of("__rate_interval"));
        dashboard
                .path("templating")
                .path("list")
                .forEach(variable -> variables.add(variable.path("name").asText()));
        Set<Integer> ids = new HashSet<>();
        Map<String, String> places = new HashMap<>();

        assertThat(file.getFileName()).hasToString(dashboard.path("uid").asText() + ".json");
        assertThat(dashboard.path("id").isNull()).isTrue();
        assertThat(dashboard
                        .path("templating")
                        .path("list")
                        .path(0)
                        .path("type")
                        .asText())
                .isEqualTo("datasource");
        for (JsonNode panel : panels(dashboard)) {
            String title = panel.path("title").asText();
            assertThat(ids.add(panel.path("id").asInt())).as(title).isTrue();
            JsonNode at = panel.path("gridPos");
            assertThat(at.path("x").asInt() + at.path("w").asInt()).as(title).isLessThanOrEqualTo(24);
            for (int x = 0; x < at.path("w").asInt(); x++) {
                for (int y = 0; y < at.path("h").asInt(); y++) {
                    assertThat(places.put(
                                    (at.path("x").asInt() + x) + ","
                                            + (at.path("y").asInt() + y),
                                    title))
                            .as(title)
                            .isNull();
                }
            }
            if (panel.path("type").asText().equals("row")) {
                continue;
            }
            assertThat(panel.path("description").asText()).as(title).contains("?");
            assertThat(panel.path("fieldConfig").path("defaults").path("unit").asText())
                    .as(title)
                    .isNotEmpty();
            assertThat(panel.path("datasource").path("uid").asText()).as(title).isEqualTo("${datasource}");
            assertThat(targets(panel)).as(title).isNotEmpty().allSatisfy(target -> {
                String expression = target.path("expr").asText();
                assertThat(target.path("datasource").path("uid").asText()).isEqualTo("${datasource}");
                assertThat(expression).doesNotContainPattern("\\[\\d");
                assertThat(Pattern.compile("\\$(\\w+)")
                                .matcher(expression)
                                .results()
                                .map(found -> found.group(1)))
                        .isSubsetOf(variables);
                assertThat(LEGEND.matcher(target.path("legendFormat").asText())
                                .results()
                                .map(found -> found.group(1)))
                        .allMatch(label -> expression.matches("(?s).*\\([^)]*\\b" + label + "\\b[^)]*\\).*"));
            });
        }
    }

    /** Each has a number in the expression, by which the panel shows its word and colour. */
    @ParameterizedTest
    @MethodSource("dashboards")
    void theTimelineHasEveryStateOfEndpoints(Path file) throws IOException {
        JsonNode panel = panels(JSON.readTree(file.toFile())).stream()
                .filter(one -> one.path("title").asText().equals("States of endpoints"))
                .findFirst()
                .orElseThrow();
        JsonNode shown = panel.at("/fieldConfig/defaults/mappings/0/options");
        Map<String, String> states = new TreeMap<>();
        Pattern.compile("(\\d) \\* highway_endpoint\\{[^}]*state=\"([a-z-]+)\"}")
                .matcher(panel.at("/targets/0/expr").asText())
                .results()
                .forEach(term -> states.put(term.group(2), term.group(1)));

        assertThat(panel.path("type").asText()).isEqualTo("state-timeline");
        assertThat(states)
                .containsOnlyKeys(EnumSet.complementOf(EnumSet.of(State.UNUSED)).stream()
                        .map(State::toString)
                        .toArray(String[]::new))
                .allSatisfy((state, number) -> {
                    assertThat(shown.path(number).path("text").asText()).isEqualTo(state);
                    assertThat(shown.path(number).path("color").asText()).isNotEmpty();
                });
    }

    /** To a heading of the documentation, or to a dashboard and its variables. */
    @ParameterizedTest
    @MethodSource("dashboards")
    void everyLinkLeadsSomewhere(Path file) throws IOException {
        String dashboard = Files.readString(file);
        List<MatchResult> pages = Pattern.compile(
                        "\"https://highway\\.example/docs/([a-z/]+\\.md)(?:#([^\"$]*)(\\$[^\"]*)?)?\"")
                .matcher(dashboard)
                .results()
                .toList();
        List<MatchResult> others = Pattern.compile("\"/d/([a-z-]+)\\?([^\"]*)\"")
                .matcher(dashboard)
                .results()
                .toList();

        assertThat(pages).hasSizeGreaterThan(4).allSatisfy(link -> {
            String page = Files.readString(DOCS.resolve(link.group(1)));
            assertThat(link.group(2) == null
                            || link.group(3) != null
                            || anchors(page).contains(link.group(2)))
                    .as(link.group())
                    .isTrue();
        });
        assertThat(dashboard.split("https?://", -1)).hasSize(pages.size() + 1);
        for (MatchResult link : others) {
            JsonNode other =
                    JSON.readTree(MONITORING.resolve(link.group(1) + ".json").toFile());
            assertThat(Pattern.compile("var-(\\w+)=")
                            .matcher(link.group(2))
                            .results()
                            .map(found -> found.group(1)))
                    .as(link.group())
                    .isSubsetOf(other.at("/templating/list").findValuesAsText("name"));
        }
    }

    private static Set<String> anchors(String page) {
        return Pattern.compile("(?m)^#+ (.*)$")
                .matcher(page)
                .results()
                .map(heading -> heading.group(1)
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^a-z0-9 -]", "")
                        .replace(' ', '-'))
                .collect(Collectors.toSet());
    }

    /** As {@code the panel "Guard"}. */
    @Test
    void everyPanelThatAPageNamesIsThere() throws IOException {
        Set<String> panels = new HashSet<>();
        for (Path file : dashboards().toList()) {
            panels(JSON.readTree(file.toFile()))
                    .forEach(panel -> panels.add(panel.path("title").asText()));
        }
        String pages = Files.readString(PAGE) + Files.readString(DOCS.resolve("operate/operations.md"));

        assertThat(Pattern.compile("panel\\s+\"([^\"]+)\"")
                        .matcher(pages)
                        .results()
                        .map(panel -> panel.group(1).replaceAll("\\s+", " ")))
                .hasSizeGreaterThan(3)
                .isSubsetOf(panels);
    }

    /** Skipped where there is no promtool: {@code tools/gateways/install.sh prometheus}. */
    @Test
    void promtoolAcceptsRulesAndConfiguration_andTheirUnitTestsPass() throws IOException, InterruptedException {
        assumeTrue(
                Stream.of(System.getenv("PATH").split(":", -1))
                        .anyMatch(folder -> Files.isExecutable(Path.of(folder, "promtool"))),
                "promtool is installed");
        promtool("check", "config", "prometheus.yml");
        promtool("test", "rules", "highway-alerts-test.yml");
    }

    private static void promtool(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("promtool"));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .directory(MONITORING.toFile())
                .redirectErrorStream(true)
                .start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(printed).isZero();
    }
}
