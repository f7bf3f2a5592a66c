// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.monitoring;

import io.highway.tools.monitoring.star.Islands;
import io.highway.tools.monitoring.star.Prometheus;
import io.highway.tools.monitoring.star.Rules;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Faults as an operator on call meets them: when the log and an alert tell of them, and where in the docs each leads. */
record Drills(Islands islands, Prometheus prometheus, Rules rules, PrintStream out, AlertRun alerts, String faketime) {

    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final long POLL_MILLIS = 100;
    private static final int CLOCK_SECONDS = 90;

    /**
     * A drill.
     *
     * @param alerts those that fire; none if calls succeed again before
     * @param isSlow whether a process becomes so slow that calls time out, and others fire, too
     * @param log the process whose log tells of it
     * @param line a part of that line, as the table of log lines in the docs has it
     */
    private record Drill(
            String name, Set<String> alerts, boolean isSlow, String log, String line, Runnable begin, Runnable end) {}

    private List<Drill> drills() {
        return List.of(
                new Drill(
                        "gateway down",
                        Set.of("HighwayGatewayDown"),
                        false,
                        "order-1",
                        "is down (",
                        islands.node("zhejiang-gateway-1")::kill,
                        islands.node("zhejiang-gateway-1")::restart),
                new Drill(
                        "policy loses an island",
                        Set.of("HighwayIslandUnknown", "HighwayPolicyMissing"),
                        false,
                        "order-1",
                        "drops the island",
                        islands.policies()::publishWithoutShanghai,
                        islands.policies()::rollBack),
                new Drill(
                        "certificate expired",
                        Set.of("HighwayFallingBack", "HighwayGatewayDown"),
                        false,
                        "order-1",
                        "is down (",
                        () -> islands.replaceCertificate(Duration.ofMinutes(-1)),
                        () -> islands.replaceCertificate(Islands.LONG)),
                new Drill(
                        "config centre gone",
                        Set.of("HighwayPolicyNotFollowed"),
                        false,
                        "shanghai-sms",
                        "the policy stays active, since the config centre does not answer",
                        islands::cutCenter,
                        islands::repairCenter),
                new Drill(
                        "one provider without the SDK",
                        Set.of(),
                        false,
                        "order-1",
                        "cannot read zstd",
                        () -> islands.replaceProvider(false),
                        () -> islands.replaceProvider(true)),
                new Drill(
                        "clock " + CLOCK_SECONDS + " s off",
                        Set.of("HighwayBreakerOpen", "HighwayGuardRefusing"), // health checks are refused, too
                        true,
                        "shanghai-sms",
                        "the guard refuses",
                        () -> islands.setClockAhead(faketime, CLOCK_SECONDS),
                        islands::correctClock));
    }

    /**
     * Runs all of them and prints a table.
     *
     * @param only a part of the names of those to run
     * @param operations the page that alerts and log lines lead to
     * @param logs the folder of the logs
     * @return whether the expected alerts fired, no others, and everything leads to a heading that exists
     */
    boolean run(String only, Path operations, Path logs) throws Exception {
        Set<String> anchors = anchors(operations);
        List<String> page = Files.readAllLines(operations);
        alerts.awaitScraped();
        boolean right = true;
        out.println("| drill | log line after | it leads to | alert after | it leads to | quiet after the cure |");
        out.println("|---|---|---|---|---|---|");
        for (Drill drill :
                drills().stream().filter(each -> each.name().contains(only)).toList()) {
            right &= run(drill, anchors, page, logs.resolve(drill.log() + ".log"));
        }
        out.println("drills: " + (right ? "as expected" : "NOT as expected"));
        return right;
    }

    private boolean run(Drill drill, Set<String> anchors, List<String> page, Path log) throws Exception {
        alerts.awaitQuiet();
        long before = Files.size(log);
        drill.begin().run();
        long begun = System.nanoTime();
        long logged = -1;
        long alerted = -1;
        long enough = rules.slowest().plusSeconds(3).toNanos();
        while (System.nanoTime() - begun < enough + PATIENCE.toNanos()) {
            logged = logged < 0 && since(log, before).contains(drill.line()) ? millis(begun) : logged;
            Set<String> firing = prometheus.firing();
            alerted = alerted < 0 && !firing.isEmpty() ? millis(begun) : alerted;
            if (System.nanoTime() - begun > enough && logged >= 0 && firing.containsAll(drill.alerts())) {
                break;
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
        Set<String> fired = prometheus.fired(millis(begun));
        long cured = System.nanoTime();
        drill.end().run();
        alerts.awaitQuiet();
        String ofLog = ofLine(page, drill.line());
        Set<String> ofAlerts = fired.stream()
                .map(alert -> "alert-" + alert.toLowerCase(Locale.ROOT))
                .collect(Collectors.toCollection(TreeSet::new));
        boolean isExpected = drill.isSlow() ? fired.containsAll(drill.alerts()) : fired.equals(drill.alerts());
        boolean leads = ofLog.startsWith("#") // those of other pages are checked by the build
                ? anchors.contains(ofLog.substring(1))
                : ofLog.contains("#");
        boolean right = isExpected && logged >= 0 && leads && anchors.containsAll(ofAlerts);
        out.printf(
                "| %s%s | %s: %s | %s | %s%s | %s | %s |%n",
                right ? "" : "NOT as expected: ",
                drill.name(),
                seconds(logged),
                drill.line(),
                ofLog,
                seconds(alerted),
                fired.isEmpty() ? "" : ": " + String.join(", ", fired),
                ofAlerts.stream().map(anchor -> "#" + anchor).collect(Collectors.joining(", ")),
                seconds(millis(cured)));
        return right;
    }

    private static String since(Path log, long position) throws IOException {
        byte[] all = Files.readAllBytes(log);
        return new String(all, (int) position, all.length - (int) position, StandardCharsets.UTF_8);
    }

    private static long millis(long begun) {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
    }

    private static String seconds(long millis) {
        return millis < 0 ? "never" : "%.1f s".formatted(millis / 1000.0);
    }

    /** Where the row of this line in the table of log lines leads. */
    private static String ofLine(List<String> page, String line) {
        return page.stream()
                .filter(row -> row.startsWith("| `") && row.contains(line))
                .flatMap(row -> Pattern.compile("\\(([a-z./-]*#[a-z0-9-]+)\\) \\|$")
                        .matcher(row)
                        .results()
                        .map(found -> found.group(1)))
                .findFirst()
                .orElse("nothing");
    }

    private static Set<String> anchors(Path page) throws IOException {
        return Files.readAllLines(page).stream()
                .filter(line -> line.startsWith("#"))
                .map(line -> line.replaceAll("^#+ ", "").toLowerCase(Locale.ROOT))
                .map(heading -> heading.replaceAll("[^a-z0-9 -]", "").replace(' ', '-'))
                .collect(Collectors.toSet());
    }
}
