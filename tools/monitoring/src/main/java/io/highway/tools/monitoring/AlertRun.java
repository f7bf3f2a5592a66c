// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.monitoring;

import io.highway.tools.fixtures.time.Waiting;
import io.highway.tools.monitoring.star.Islands;
import io.highway.tools.monitoring.star.Policies;
import io.highway.tools.monitoring.star.Prometheus;
import io.highway.tools.monitoring.star.Rules;
import java.io.PrintStream;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** One fault after another, and the alerts that fire from its begin until all is quiet again. */
record AlertRun(Islands islands, Prometheus prometheus, Rules rules, PrintStream out) {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final long POLL_MILLIS = 250;

    private static final int PUBLICATIONS = 20;

    private static List<Fault> faults(Islands islands) {
        Policies policies = islands.policies();
        return List.of(
                Fault.none(),
                Fault.killed(
                        "provider of one service killed, in shanghai",
                        islands.node("shanghai-reports"),
                        "HighwayCallsLost"),
                new Fault(
                        "shanghai's network slow, calls over breaker.slow-call",
                        "HighwayBreakerOpen",
                        () -> islands.slowDown("shanghai", Duration.ofMillis(300)),
                        () -> islands.speedUp("shanghai")),
                new Fault( // not so slow that they are missed; beijing has no breaker.slow-call
                        "beijing's network slow, health checks over a second",
                        "HighwayHealthChecksSlow",
                        () -> islands.slowDown("beijing", Duration.ofMillis(600)),
                        () -> islands.speedUp("beijing")),
                new Fault(
                        "network from home's gateway 1 to the hub cut",
                        "HighwayHealthChecksMissed",
                        islands::cutOnward,
                        islands::repairOnward),
                new Fault(
                        "home's gateway 1 leads calls for shanghai to beijing",
                        "HighwayGatewayMisrouted",
                        () -> islands.misroute(true),
                        () -> islands.misroute(false)),
                Fault.killed("home's gateway 1 killed", islands.node("zhejiang-gateway-1"), "HighwayGatewayDown"),
                Fault.killed(
                        "provider of one service killed, in beijing, which has fallback: home",
                        islands.node("beijing-reports"),
                        "HighwayFallingBack"),
                Fault.ofPolicy(
                        "rule with a mistake published",
                        policies,
                        () -> policies.publishAll(Policies.WRONG_POLICY),
                        "HighwayPolicyRefused"),
                Fault.ofPolicy(
                        "new rule, of which one process does not hear",
                        policies,
                        () -> policies.publish(1, Policies.NEXT_POLICY),
                        "HighwayPolicyStale"),
                Fault.ofPolicy(
                        "rule published that leaves out shanghai",
                        policies,
                        policies::publishWithoutShanghai,
                        "HighwayIslandUnknown",
                        "HighwayPolicyMissing"),
                Fault.ofPolicy("rule deleted", policies, policies::delete, "HighwayPolicyNotFollowed"),
                Fault.ofPolicy(
                        "one process started again, with no rule at its source",
                        policies,
                        islands::restartWithoutPolicy,
                        "HighwayPolicyFromDisk"),
                Fault.ofPolicy(
                        "another rule published under the same version, to one process",
                        policies,
                        () -> policies.publish(1, Policies.SAME_VERSION),
                        "HighwayPolicyLabelReused"),
                Fault.ofPolicy(
                        "new rule, of which one application does not hear",
                        policies,
                        () -> policies.publish(Policies.SMS, Policies.NEXT_POLICY),
                        "HighwayPoliciesDiffer"),
                new Fault(
                        "secret of one process deleted",
                        "HighwaySecretUnusable",
                        islands::deleteSecret,
                        islands::restoreSecret),
                new Fault(
                        "config centre of one application unreachable",
                        "HighwayPolicyNotFollowed",
                        islands::cutCenter,
                        islands::repairCenter),
                new Fault(
                        "certificate of home's gateway 2 ends in ten days",
                        "HighwayCertificateExpiring",
                        () -> islands.replaceCertificate(Duration.ofDays(10)),
                        () -> islands.replaceCertificate(Islands.LONG)),
                new Fault(
                        "certificate of home's gateway 2 ends tomorrow",
                        "HighwayCertificateEnds",
                        () -> islands.replaceCertificate(Duration.ofDays(1)),
                        () -> islands.replaceCertificate(Islands.LONG)),
                new Fault(
                        "calls that the guard in shanghai denies",
                        "HighwayGuardRefusing",
                        () -> islands.makeForbiddenCalls(true),
                        () -> islands.makeForbiddenCalls(false)),
                new Fault(
                        "home's gateway 1 suspended (SIGSTOP)",
                        "HighwayGatewayDown",
                        islands.node("zhejiang-gateway-1")::freeze,
                        islands.node("zhejiang-gateway-1")::thaw),
                Fault.killed(
                        "hub gateway killed: no island is reached",
                        islands.node("hub-gateway"),
                        "HighwayCallsLost",
                        "HighwayHealthChecksMissed",
                        "HighwayFallingBack"));
    }

    /** Prints a table of faults and alerts; returns whether exactly the expected alerts fired. */
    boolean run(String only) throws Exception {
        List<String> alerts = rules.alerts();
        awaitScraped();
        awaitQuiet();
        out.println(row(
                "fault",
                IntStream.rangeClosed(1, alerts.size())
                        .mapToObj(String::valueOf)
                        .toList()));
        out.println("|---".repeat(alerts.size() + 1) + "|");
        boolean right = true;
        Set<String> seen = new HashSet<>();
        for (Fault fault : faults(islands).stream()
                .filter(each -> each.name().contains(only))
                .toList()) {
            Set<String> fired = fired(fault);
            seen.addAll(fired);
            right &= fired.equals(fault.alerts());
            out.println(row(
                    fault.name(),
                    alerts.stream()
                            .map(alert -> cell(fault.alerts().contains(alert), fired.contains(alert)))
                            .toList()));
        }
        out.println();
        for (int i = 0; i < alerts.size(); i++) {
            out.println((i + 1) + " " + alerts.get(i));
        }
        if (only.isEmpty() && !seen.containsAll(alerts)) {
            out.println("never fired: "
                    + alerts.stream().filter(alert -> !seen.contains(alert)).collect(Collectors.joining(", ")));
            right = false;
        }
        out.println("alerts: " + (right ? "exactly those expected" : "NOT as expected"));
        out.println();
        return right;
    }

    /** Publishes twenty new rules in this time; returns whether no alert fired. */
    boolean staysQuiet(Duration time) throws Exception {
        awaitScraped();
        awaitQuiet();
        long begun = System.nanoTime();
        for (int i = 1; i <= PUBLICATIONS; i++) {
            islands.policies().publishNext(i);
            TimeUnit.NANOSECONDS.sleep(time.toNanos() / PUBLICATIONS);
        }
        long took = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
        Set<String> fired = prometheus.fired(took);
        out.println(PUBLICATIONS + " rules in " + took / 1000 + " s without a fault, "
                + prometheus
                        .query("sum(highway_calls_seconds_count)")
                        .get(0)
                        .path("value")
                        .path(1)
                        .asText()
                + " calls; alerts that fired: " + fired.size() + " " + fired);
        return fired.isEmpty();
    }

    private static String row(String first, List<String> cells) {
        return "| " + first + " | " + String.join(" | ", cells) + " |";
    }

    private static String cell(boolean expected, boolean fired) {
        if (expected) {
            return fired ? "fires" : "MISSING";
        }
        return fired ? "UNEXPECTED" : "";
    }

    /** Long enough for any alert to fire; without faults too. */
    private Set<String> fired(Fault fault) throws Exception {
        long start = System.nanoTime();
        fault.begin().run();
        Duration enough = rules.slowest().plus(Duration.ofSeconds(3));
        boolean unused = Waiting.until(
                enough.plus(PATIENCE),
                POLL_MILLIS,
                () -> System.nanoTime() - start > enough.toNanos()
                        && prometheus.firing().containsAll(fault.alerts()));
        fault.end().run();
        awaitQuiet();
        return prometheus.fired(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start));
    }

    void awaitScraped() throws Exception {
        if (!Waiting.until(PATIENCE, POLL_MILLIS, this::isScraped)) {
            throw new IllegalStateException("no meters of calls; see order-1.log and " + prometheus.query("up"));
        }
    }

    private boolean isScraped() throws Exception {
        String islandsThatAnswer =
                "sum by (island) (rate(highway_calls_seconds_count{outcome=\"delivered\"}[10s])) > 1";
        return prometheus.query("up == 1").size() >= islands.targets().size()
                && prometheus.query(islandsThatAnswer).size() >= 2;
    }

    /** Waits until no alert fires or waits to fire. */
    void awaitQuiet() throws Exception {
        Set<String> active =
                Waiting.value(rules.slowest().plus(PATIENCE), POLL_MILLIS, prometheus::active, Set::isEmpty);
        if (!active.isEmpty()) {
            throw new IllegalStateException("still active without a fault: " + active);
        }
    }
}
