// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.chaos.standby;

import com.alibaba.fastjson2.JSON;
import io.highway.sdk.dubbo.CallOutcome;
import io.highway.tools.chaos.account.CallKind;
import io.highway.tools.chaos.account.Ledger;
import io.highway.tools.chaos.account.Mode;
import io.highway.tools.chaos.star.StandbyIslands;
import io.highway.tools.fixtures.faults.FaultyLink;
import io.highway.tools.fixtures.time.Waiting;
import io.highway.tools.processes.Folders;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Shanghai is killed, frozen and reset, and its gateway killed, under calls of which beijing may answer some; calls to which
 * beijing does not consent; {@code served-by} that is swapped under load; and a move of an island by the steps of the runbook.
 */
public final class StandbyRun {

    private static final List<Mode> TUNNELS = List.of(Mode.DUBBO, Mode.TRIPLE, Mode.HTTP);
    private static final List<CallKind> ALL = List.of(CallKind.values());
    private static final List<CallKind> READS = List.of(CallKind.QUERY, CallKind.QUERY_LATER);
    private static final List<CallKind> WRITES = List.of(CallKind.SUBMIT, CallKind.SUBMIT_LATER);

    /** Of each tunnel. */
    private static final int CALLERS = 50;

    private static final int FEW_CALLERS = 15;

    private static final int WITHOUT_CONSENT = 1000;
    private static final int SWAPS = 100;

    /** A shorter run has fewer callers and swaps, and its times say little. */
    private static final int FULL_SECONDS = 30;

    private static final Duration MOST_UNTIL_SWAPPED = Duration.ofSeconds(10);
    private static final long MOST_FIRST_MILLIS = 1000;

    private final Path folder;
    private final int seconds;
    private final boolean isFull;
    private final PrintStream out;

    /** By policy version, who may answer calls for sichuan. */
    private final Map<String, Set<String>> members = new ConcurrentHashMap<>();

    private final AtomicInteger misrouted = new AtomicInteger();
    private final Map<String, Long> firstMillis = new LinkedHashMap<>();
    private final Calls ofFaults = new Calls(0);
    private final Calls withoutConsent = new Calls(100_000_000);
    private final Calls ofSwaps = new Calls(200_000_000);
    private final Calls ofMove = new Calls(300_000_000);

    /** @param seconds how long each fault and its repair take together */
    public StandbyRun(Path folder, int seconds, PrintStream out) {
        this.folder = folder;
        this.seconds = seconds;
        this.isFull = seconds >= FULL_SECONDS;
        this.out = out;
    }

    /** Prints what was wrong and, as the last line, JSON; returns whether nothing was. */
    public boolean run() throws IOException, InterruptedException {
        try (StandbyIslands islands = StandbyIslands.start(folder)) {
            fail(islands);
            callWithoutConsent(islands);
            swap(islands);
            int split = move(islands);
            return report(islands, split);
        }
    }

    private static Map<String, String> fallingBack(StandbyIslands islands, String island, String methods) {
        Map<String, String> keys = new HashMap<>(islands.gatewayKeys());
        islands.gatewayKeys().forEach((key, address) -> keys.put(key.replace("shanghai", island), address));
        keys.put("islands." + island + ".fallback", "beijing");
        keys.put("islands." + island + ".fallback-methods", methods);
        return keys;
    }

    private Map<Mode, Callers> callers(Calls calls, Map<String, String> keys, Consumer<CallOutcome> onEach) {
        Map<Mode, Callers> callers = new EnumMap<>(Mode.class);
        TUNNELS.forEach(mode -> callers.put(mode, new Callers(calls, mode, keys, onEach)));
        return callers;
    }

    private static void end(Map<Mode, Callers> callers) throws InterruptedException {
        for (Callers one : callers.values()) {
            one.end();
        }
        callers.values().forEach(Callers::close);
    }

    private void fail(StandbyIslands islands) throws InterruptedException {
        Map<Mode, Callers> callers = callers(ofFaults, fallingBack(islands, "shanghai", "query*"), outcome -> {});
        callers.values().forEach(one -> one.warmUp("shanghai"));
        callers.values().forEach(one -> one.warmUp("beijing")); // cold, it would not answer a burst within a second
        callers.values().forEach(one -> one.begin(isFull ? CALLERS : FEW_CALLERS, "shanghai", ALL));
        fault("killed", true, callers, islands.provider()::kill, islands.provider()::restart);
        fault("frozen", true, callers, islands.provider()::freeze, islands.provider()::thaw);
        fault("reset", false, callers, () -> islands.links().forEach(StandbyRun::reset), () -> islands.links()
                .forEach(FaultyLink::heal));
        fault("gateway killed", true, callers, islands.gateway()::kill, islands.gateway()::restart);
        end(callers);
    }

    private static void reset(FaultyLink link) {
        link.cut(20_000);
    }

    /** @param isDown whether calls no longer reach shanghai; else beijing answers now and then */
    private void fault(String name, boolean isDown, Map<Mode, Callers> callers, Runnable begin, Runnable end)
            throws InterruptedException {
        callers.values().forEach(Callers::mark);
        begin.run();
        callers.values().forEach(one -> {
            Thread watch = new Thread(one::watch);
            watch.setDaemon(true);
            watch.start();
        });
        TimeUnit.MILLISECONDS.sleep(seconds * 500L);
        if (isDown) {
            callers.forEach((mode, one) -> firstMillis.put(name + " " + mode.word(), one.firstMillis()));
        }
        end.run();
        TimeUnit.MILLISECONDS.sleep(seconds * 500L);
    }

    /** Shanghai cannot be reached: beijing refuses what is not {@code query*} for shanghai. */
    private void callWithoutConsent(StandbyIslands islands) throws InterruptedException {
        islands.gateway().kill();
        for (String asked : List.of("shanghai", "guangdong")) {
            Map<Mode, Callers> callers = callers(withoutConsent, fallingBack(islands, asked, "*"), outcome -> {});
            for (int i = 0; i < WITHOUT_CONSENT; i++) {
                Objects.requireNonNull(callers.get(TUNNELS.get(i % TUNNELS.size())))
                        .call(asked, WRITES.get(i % WRITES.size()));
            }
            end(callers);
        }
        islands.gateway().restart();
    }

    private Path file(Mode mode) {
        return folder.resolve("policy-" + mode.word() + ".yaml");
    }

    private void publish(StandbyIslands islands, String version, String servedBy, String more) throws IOException {
        Set<String> answering = new HashSet<>();
        for (String island : List.of("shanghai", "beijing")) {
            if (servedBy.contains(island)) {
                answering.add(island);
            }
        }
        members.put(version, answering);
        for (Mode mode : TUNNELS) {
            StringBuilder yaml = new StringBuilder("version: " + version + "\nislands:\n");
            for (String island : List.of("shanghai", "beijing")) {
                yaml.append("  " + island + ":\n    tunnel: " + mode.word() + "\n    timeout: 1s\n");
                islands.gatewayKeys().forEach((key, address) -> {
                    if (key.startsWith("islands." + island)) {
                        yaml.append(
                                "    " + key.substring(("islands." + island + ".").length()) + ": " + address + "\n");
                    }
                });
            }
            yaml.append("  sichuan:\n    served-by: '" + servedBy + "'\n" + more);
            Folders.replace(file(mode), yaml.toString());
        }
    }

    private Map<Mode, Callers> following(StandbyIslands islands, Calls calls, List<CallKind> kinds) {
        Map<Mode, Callers> callers = new EnumMap<>(Mode.class);
        for (Mode mode : TUNNELS) {
            Map<String, String> keys = new HashMap<>(islands.gatewayKeys());
            keys.put("islands.sichuan.served-by", "shanghai");
            keys.put("policy.source", "file:" + file(mode));
            keys.put("policy.directory", folder.resolve("policies").toString());
            callers.put(mode, new Callers(calls, mode, keys, this::check));
        }
        callers.values().forEach(one -> one.warmUp("sichuan"));
        callers.values().forEach(one -> one.begin(CALLERS / 5, "sichuan", kinds));
        return callers;
    }

    /** Each call goes to a member of the policy that decided it. */
    private void check(CallOutcome outcome) {
        Set<String> answering = members.get(String.valueOf(outcome.policyVersion()));
        if (answering == null || !(answering.contains(outcome.island()) || "sichuan".equals(outcome.island()))) {
            misrouted.incrementAndGet();
        }
    }

    private static void awaitPolicy(Map<Mode, Callers> callers, String version) {
        boolean isThere = Waiting.until(
                MOST_UNTIL_SWAPPED, 10, () -> callers.values().stream().allMatch(one -> version.equals(one.policy())));
        if (!isThere) {
            throw new IllegalStateException("the policy " + version + " has not arrived");
        }
    }

    private void swap(StandbyIslands islands) throws IOException, InterruptedException {
        List<String> all = List.of("shanghai", "beijing", "shanghai:95,beijing:5");
        publish(islands, "v0", all.get(0), "");
        Map<Mode, Callers> callers = following(islands, ofSwaps, READS);
        for (int i = 1; i <= (isFull ? SWAPS : SWAPS / 4); i++) {
            publish(islands, "v" + i, all.get(i % all.size()), "");
            awaitPolicy(callers, "v" + i);
        }
        end(callers);
    }

    /** Steps 3 to 5 of the runbook; returns how many writes ran in the wrong island. */
    private int move(StandbyIslands islands) throws IOException, InterruptedException {
        publish(islands, "m0", "shanghai", "");
        Map<Mode, Callers> callers = following(islands, ofMove, WRITES);
        TimeUnit.SECONDS.sleep(3);
        publish(islands, "m1", "shanghai", "    deny: submit*\n");
        awaitPolicy(callers, "m1");
        TimeUnit.MILLISECONDS.sleep(2L * Callers.TIMEOUT_MILLIS); // calls in flight end
        List<Integer> before = ofMove.own(ids(islands.ledger("shanghai")));
        int early = ofMove.own(ids(islands.ledger("beijing"))).size();
        publish(islands, "m2", "beijing", "");
        awaitPolicy(callers, "m2");
        TimeUnit.SECONDS.sleep(3);
        end(callers);
        int late = ofMove.own(ids(islands.ledger("shanghai"))).size() - before.size();
        int moved = ofMove.own(ids(islands.ledger("beijing"))).size();
        out.println("move: " + before.size() + " writes in shanghai, then " + moved + " in beijing");
        return early + late + (before.isEmpty() || moved == 0 ? 1 : 0);
    }

    private static List<Integer> ids(Path ledger) throws IOException {
        return Arrays.stream(Ledger.ids(ledger)).boxed().toList();
    }

    private boolean report(StandbyIslands islands, int split) throws IOException {
        List<Integer> inShanghai = ids(islands.ledger("shanghai"));
        List<Integer> inBeijing = ids(islands.ledger("beijing"));
        Set<Integer> ranInShanghai = new HashSet<>(inShanghai);
        Set<Integer> ranInBeijing = new HashSet<>(inBeijing);
        int doubled = inShanghai.size() + inBeijing.size() - ranInShanghai.size() - ranInBeijing.size();
        int moved = (int) ranInBeijing.stream().filter(ranInShanghai::contains).count();
        int unwanted = withoutConsent.own(inBeijing).size()
                + (int) ofFaults.own(inBeijing).stream()
                        .filter(ofFaults::isWithoutConsent)
                        .count();
        List<Calls> all = List.of(ofFaults, withoutConsent, ofSwaps, ofMove);
        all.forEach(calls -> calls.wrong().forEach(out::println));
        misrouted.addAndGet(all.stream().mapToInt(calls -> calls.wrong().size()).sum());
        int failedBySwaps = ofSwaps.failed().size() + ofMove.failed().size();
        List<String> failed = new ArrayList<>(ofSwaps.failed());
        failed.addAll(ofMove.failed());
        failed.addAll(ofFaults.notMoved());
        failed.stream().limit(5).forEach(out::println);
        out.println("first answer of beijing after, ms: " + firstMillis);
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("calls", all.stream().mapToInt(Calls::size).sum());
        json.put("doubled", doubled + moved);
        json.put("moved_after_may_have_run", moved);
        json.put("executed_without_consent", unwanted);
        json.put("answered_by_standby", ofFaults.answeredByBeijing());
        json.put("not_answered_by_standby", ofFaults.notMoved().size());
        json.put("misrouted", misrouted.get());
        json.put("hung", all.stream().mapToInt(Calls::hung).sum());
        json.put("failed_by_swaps", failedBySwaps);
        json.put("split_keys", split);
        long first =
                firstMillis.values().stream().mapToLong(Long::longValue).max().orElse(0);
        json.put("standby_first_ms", first);
        out.println(JSON.toJSONString(json));
        boolean isClean = json.entrySet().stream()
                .filter(entry -> !Set.of("calls", "answered_by_standby", "standby_first_ms")
                        .contains(entry.getKey()))
                .allMatch(entry -> entry.getValue().equals(0));
        return isClean && ofFaults.answeredByBeijing() > 0 && (first < MOST_FIRST_MILLIS || !isFull);
    }
}
