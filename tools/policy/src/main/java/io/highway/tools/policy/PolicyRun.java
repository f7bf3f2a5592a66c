// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.policy;

import com.fasterxml.jackson.databind.JsonNode;
import io.highway.tools.fixtures.ports.FreePorts;
import io.highway.tools.fixtures.time.Waiting;
import io.highway.tools.policy.Application.State;
import io.highway.tools.processes.Folders;
import io.highway.tools.processes.Processes;
import io.highway.tools.processes.center.Center;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The steps. Home is zhejiang:
 *
 * <pre>
 *   orders, billing, reports -- home gateway -- shanghai gateway -- provider
 *                                            -- beijing gateway  -- provider
 *   provider at home
 *   registry and config centre of home: two ZooKeepers, or one Nacos
 * </pre>
 */
final class PolicyRun implements AutoCloseable {

    private static final long IN_FORCE_MILLIS = 2_000;
    private static final long SDK_START_MILLIS = 3_000;
    /** While other programs load the machine, a single start says little: the shortest counts. */
    private static final int MEASUREMENTS = 3;

    private static final long PATIENCE_MILLIS = 90_000;
    private static final long POLL_MILLIS = 20;
    private static final long HOLD_MILLIS = 300;

    private final Processes processes;
    private final PrintStream out;
    private final Center center;
    private final List<Application> applications = new ArrayList<>();
    private boolean isFine = true;
    private int rules;
    private Rule active = new Rule("static", "shanghai", "");

    private record Rule(String version, String island, String text) {}

    /** What happens to the rule or to the centre. */
    private interface Action {
        void run() throws Exception;
    }

    /** Creates the centre. */
    interface Centers {
        Center create(Processes processes) throws IOException;
    }

    PolicyRun(Path folder, PrintStream out, Centers centers) throws IOException {
        Folders.delete(folder);
        this.out = out;
        this.processes = new Processes(folder);
        this.center = centers.create(processes);
        try {
            int shanghai = provider("shanghai", "N/A");
            int beijing = provider("beijing", "N/A");
            center.start();
            int unused = provider("zhejiang", center.registry());
            String home = processes.gateway(
                    "zhejiang",
                    Map.of(
                            "shanghai", Processes.next(gateway("shanghai", shanghai)),
                            "beijing", Processes.next(gateway("beijing", beijing))));
            for (String name : List.of("orders", "billing", "reports")) {
                Class<?> main = name.equals("reports") ? ReportsApplication.class : ApplicationProcess.class;
                applications.add(new Application(processes, name, main, folder, keys(home)));
            }
        } catch (IOException | RuntimeException e) {
            processes.close();
            throw e;
        }
    }

    private int provider(String island, String registry) {
        int port = FreePorts.next();
        processes.start(
                island + "-provider",
                List.of("-Dhighway.island=" + island, "-Dhighway.policy.source=none"),
                ProviderProcess.class,
                island,
                port,
                registry);
        return port;
    }

    /** A gateway in front of that provider, in an island with a separate registry. */
    private String gateway(String island, int provider) throws IOException {
        String address = island + ".test:" + provider;
        return processes.gateway(island, Map.of(island, Processes.providers(address, address)));
    }

    private static List<String> keys(String gateway) {
        return List.of(
                "-Dhighway.island=zhejiang",
                "-Dhighway.gateways.dubbo=" + gateway,
                "-Dhighway.gateways.triple=" + gateway,
                "-Dhighway.islands.shanghai.tunnel=auto",
                "-Dhighway.islands.beijing.tunnel=auto",
                "-Dhighway.services." + Place.class.getName() + ".island=shanghai");
    }

    /** The next rule: its calls go to the other island than those of the active rule. */
    private Rule nextRule() {
        String version = "v" + ++rules;
        String island = active.island().equals("shanghai") ? "beijing" : "shanghai";
        return new Rule(
                version,
                island,
                """
                version: %s
                services:
                  %s: {island: %s}
                """
                        .formatted(version, Place.class.getName(), island));
    }

    /** Runs the steps; returns whether each ended as expected. */
    boolean run(boolean quick) throws Exception {
        startAll();
        step("no rule: the static configuration", active, "static", PATIENCE_MILLIS);
        qos("highwayProbe?as=--json", "\"reachable\":true");

        Rule first = nextRule();
        publish("published %s: calls go to %s", first, IN_FORCE_MILLIS);
        Rule wrong = nextRule();
        center.publish(Center.COMMON, wrong.text() + "islands: {beijing: {tunnel: dubo}}\n");
        step("published " + wrong.version() + " with a mistake: refused whole", first, "refused", IN_FORCE_MILLIS);
        refusals("highway.islands.beijing.tunnel");
        publish("published %s: calls go to %s", nextRule(), IN_FORCE_MILLIS);
        publish("rolled back by publishing %s again: calls go to %s", first, IN_FORCE_MILLIS);

        oneApplicationFirst();

        event("published the same text again", () -> center.publish(Center.COMMON, active.text()), "");
        String blank = center.publishBlank();
        event(
                "published a blank text" + (blank.isEmpty() ? "" : "; " + blank),
                () -> {},
                blank.isEmpty() ? "the published rule is blank" : "");
        event("deleted the rule", () -> center.delete(Center.COMMON), "there is no rule");
        event(
                "deleted the rule and created it again with the same text",
                () -> {
                    center.delete(Center.COMMON);
                    center.publish(Center.COMMON, active.text());
                },
                "");
        if (!quick) {
            outage("froze the centre", () -> signal("STOP"), "thawed", () -> signal("CONT"));
            outage("killed the centre", center::kill, "started again", center::start);
        }

        center.publish(Center.COMMON, "use-static: true\n");
        step(
                "published use-static: the static configuration",
                new Rule("", "shanghai", ""),
                "accepted",
                IN_FORCE_MILLIS);
        out.println(isFine ? "every step ended as expected" : "NOT as expected, see above");
        return isFine;
    }

    /** A rule for orders alone, as a runbook asks for it: canary, compare, widen, remove. */
    private void oneApplicationFirst() throws Exception {
        String own = Center.COMMON + ".orders";
        Rule before = active;
        Rule canary = nextRule();
        center.publish(own, canary.text());
        canary("published " + canary.version() + " for orders alone", canary, "config-center:" + own, before);
        center.publish(Center.COMMON, canary.text());
        active = canary;
        canary("published it for all", canary, "config-center:" + own, canary);
        center.delete(own);
        canary("deleted the rule of orders, which has the one for all", canary, "config-center", canary);
    }

    /** What is active in orders and the others; the time counts. */
    private void canary(String what, Rule ofOrders, String source, Rule ofOthers) throws Exception {
        long begun = System.nanoTime();
        Predicate<List<State>> isReached = states -> states.get(0).source().equals(source)
                && has(states.get(0), ofOrders)
                && states.stream().skip(1).allMatch(one -> has(one, ofOthers));
        List<State> found = await(isReached);
        long took = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
        print(isReached.test(found) && took <= IN_FORCE_MILLIS, what + ", after " + took + " ms", found);
    }

    private void startAll() {
        applications.forEach(application -> application.start(center.registry(), center.address(), true));
        for (String island : List.of("shanghai", "beijing", "zhejiang")) {
            String unused = processes.ready(island + "-provider");
        }
        applications.forEach(Application::awaitReady);
    }

    /** Publishes a rule, which must be active everywhere. */
    private void publish(String what, Rule rule, long millis) throws Exception {
        center.publish(Center.COMMON, rule.text());
        active = rule;
        step(what.formatted(rule.version(), rule.island()), rule, "accepted", millis);
    }

    /** Something that must change nothing; then a new rule must arrive. */
    private void event(String what, Action action, String problem) throws Exception {
        action.run();
        unchanged(what, problem);
        publish("  and then published %s: calls go to %s", nextRule(), IN_FORCE_MILLIS);
    }

    /** The centre is away, and one application starts meanwhile. */
    private void outage(String what, Action begin, String ended, Action end) throws Exception {
        begin.run();
        unchanged(what, null);
        Application orders = applications.get(0);
        long without = Long.MAX_VALUE;
        long with = Long.MAX_VALUE;
        for (int i = 0; i < MEASUREMENTS && (i == 0 || with - without > SDK_START_MILLIS); i++) {
            without = Math.min(without, restart(orders, "-Dhighway.enabled=false"));
            with = Math.min(with, restart(orders));
        }
        String times = "ready after %d ms, without the SDK %d ms".formatted(with, without);
        line(with - without <= SDK_START_MILLIS, orders, "restarted meanwhile", times);
        unchanged("  orders decides as before", null);
        String source = orders.state().source();
        line(source.equals("disk"), orders, "policy.source", source);
        end.run();
        if (center.needsCheckFalse()) {
            long unused = restart(orders); // Dubbo does not connect again
        }
        publish("  " + ended + ", and published %s: calls go to %s", nextRule(), PATIENCE_MILLIS);
    }

    private void signal(String signal) {
        processes.get("center").signalAll(signal);
    }

    private long restart(Application application, String... more) {
        application.kill();
        long begun = System.nanoTime();
        application.start(center.registryWithoutCheck(), center.addressWithoutCheck(), !center.needsCheckFalse(), more);
        application.awaitReady();
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
    }

    /** Prints where an operator sees the refusal. */
    private void refusals(String key) throws Exception {
        for (Application application : applications) {
            refusal(application, "QoS highway?as=--json", application.state().policy(), key);
            if (application.hasActuator()) {
                refusal(
                        application,
                        "/actuator/highway",
                        application.actuator("highway").path("policy"),
                        key);
                String meter = "metrics/highway.policy?tag=state:refused";
                JsonNode answer = application.actuator(meter);
                boolean isOne =
                        answer.path("measurements").path(0).path("value").asInt() == 1;
                line(isOne, application, "/actuator/" + meter, isOne ? "1, " + answer.path("availableTags") : answer);
            }
        }
    }

    private void refusal(Application application, String where, JsonNode policy, String key) {
        JsonNode refusal = policy.path("refusal");
        boolean isExpected = policy.path("state").asText().equals("refused")
                && refusal.path("key").asText().equals(key);
        line(
                isExpected,
                application,
                where,
                isExpected
                        ? "refused %s: %s (%s)"
                                .formatted(
                                        refusal.path("version").asText(),
                                        key,
                                        refusal.path("origin").asText())
                        : policy);
    }

    /** Asks each application's QoS, which must answer with this text. */
    private void qos(String command, String expected) throws Exception {
        for (Application application : applications) {
            String answer = application.qos(command);
            boolean isExpected = answer.contains(expected);
            line(isExpected, application, "QoS " + command, isExpected ? expected : answer);
        }
    }

    private void line(boolean isExpected, Application application, String where, Object shows) {
        isFine &= isExpected;
        out.printf("%s   %-8s %s shows %s%n", isExpected ? "ok  " : "FAIL", application.name(), where, shows);
    }

    /** Waits until this is active in all applications; the time counts. */
    private void step(String what, Rule rule, String state, long millis) throws Exception {
        long begun = System.nanoTime();
        List<State> found = await(states ->
                states.stream().allMatch(one -> has(one, rule) && one.state().equals(state)));
        long took = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
        boolean isExpected =
                found.stream().allMatch(one -> has(one, rule) && one.state().equals(state)) && took <= millis;
        print(isExpected, what + ", after " + took + " ms", found);
    }

    /**
     * Nothing may change, for a moment.
     *
     * @param problem what all applications report about their source by then, empty for nothing; null if that does not
     *     matter
     */
    private void unchanged(String what, @Nullable String problem) throws Exception {
        long begun = System.nanoTime();
        AtomicBoolean hasChanged = new AtomicBoolean();
        List<State> found = await(states -> {
            boolean isSame = states.stream()
                    .allMatch(one -> has(one, active) && one.state().equals("accepted"));
            hasChanged.compareAndSet(false, !isSame);
            boolean isHeld = System.nanoTime() - begun > TimeUnit.MILLISECONDS.toNanos(HOLD_MILLIS);
            return !isSame || (isHeld && reports(states, problem));
        });
        print(!hasChanged.get() && reports(found, problem), what + ": nothing changes", found);
    }

    private static boolean reports(List<State> states, @Nullable String problem) {
        return problem == null || states.stream().allMatch(one -> one.problem().equals(problem));
    }

    private static boolean has(State one, Rule rule) {
        return (rule.version().isEmpty() || one.version().equals(rule.version()))
                && one.answers().equals(rule.island());
    }

    /** Asks all applications again and again, until they answer so or patience ends. */
    private List<State> await(Predicate<List<State>> isEnough) throws Exception {
        return Waiting.value(Duration.ofMillis(PATIENCE_MILLIS), POLL_MILLIS, this::states, isEnough);
    }

    private List<State> states() throws Exception {
        List<State> found = new ArrayList<>();
        for (Application application : applications) {
            found.add(application.state());
        }
        return found;
    }

    private void print(boolean isExpected, String what, List<State> found) {
        isFine &= isExpected;
        out.printf("%s %s%n", isExpected ? "ok  " : "FAIL", what);
        for (int i = 0; i < found.size(); i++) {
            State one = found.get(i);
            out.printf(
                    "       %-8s version %-8s %-9s from %-14s calls answered by %s%s%n",
                    applications.get(i).name(),
                    one.version(),
                    one.state(),
                    one.source(),
                    one.answers(),
                    one.problem().isEmpty() ? "" : " (" + one.problem() + ")");
        }
    }

    @Override
    public void close() {
        processes.close();
    }
}
