// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.thinlink;

import com.alibaba.fastjson2.JSON;
import io.highway.tools.benchmarks.calls.CallPath;
import io.highway.tools.benchmarks.measure.Alternation;
import io.highway.tools.benchmarks.measure.Callers;
import io.highway.tools.benchmarks.measure.Comparison;
import io.highway.tools.benchmarks.measure.Machine;
import io.highway.tools.benchmarks.measure.Report;
import io.highway.tools.benchmarks.measure.Side;
import io.highway.tools.benchmarks.orders.Family;
import io.highway.tools.gateways.Protocol;
import io.highway.tools.processes.ChildProcess;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;

/** The process in zhejiang: makes all calls and records their results. */
final class NearSide {

    private static final int SLICES_WARM_UP = 4;
    /** After this number of calls the JVMs of all processes are warmed up. */
    private static final long WARM = 20_000;

    private static final long BETWEEN_CALLS_MILLIS = 200;
    private static final double MOST_OF_ZSTD = 0.98;

    private final Plan plan;
    private final Effort effort;
    private final Link link;
    private final CallPaths paths;

    private NearSide(Plan plan, Link link, CallPaths paths) {
        this.plan = plan;
        this.effort = plan.effort();
        this.link = link;
        this.paths = paths;
    }

    /**
     * Exits with 0 only if every call was answered. Arguments: the folder for what is written, the two namespaces, the
     * provider's addresses for the Dubbo protocol and for Triple, that of home's gateway, the dictionary, and what to
     * measure.
     */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        ChildProcess.endWithParent();
        boolean answered;
        try (CallPaths paths = CallPaths.open(arguments[3], arguments[4], arguments[5], arguments[6])) {
            NearSide near = new NearSide(
                    JSON.parseObject(arguments[7], Plan.class), new Link(arguments[1], arguments[2]), paths);
            LongLinks longLinks =
                    new LongLinks(near.plan.longRate(), near.link, arguments[3], arguments[4], arguments[5]);
            answered = near.run(Path.of(arguments[0]), longLinks);
        }
        System.exit(answered ? 0 : 1);
    }

    private boolean run(Path folder, LongLinks longLinks) throws IOException, InterruptedException {
        Report report = newReport(Machine.here());
        try (Callers callers = new Callers(Group.MANY + Mix.FEW)) {
            Map<String, OrderExchange> exchanges = exchanges();
            if (!plan.isOnly(Part.FAMILIES)) { // which has a long warm-up
                warmUp(callers);
                for (OrderExchange far : exchanges.values()) {
                    warmUp(far, callers);
                }
            }
            if (plan.has(Part.TUNNELS)) {
                tunnels(callers).addTo(report);
            }
            if (plan.has(Part.ZSTD)) {
                awaitDictionary(exchanges);
                exchanged(exchanges, false, callers).addTo(report);
            }
            if (plan.has(Part.FAMILIES)) {
                families(folder, exchanges, callers).addFamiliesTo(report);
            }
            if (plan.has(Part.DOWNLOADS)) {
                exchanged(exchanges, true, callers).addTo(report);
            }
            if (plan.has(Part.CLASSES)) {
                mixed(callers).addTo(report);
            }
            if (plan.has(Part.LONG)) { // the last one: all packets are delayed from then on
                longLinks.measure(plan.longCells(), callers, effort.warmUp(), effort.longSlice());
                longLinks.addTo(report);
            }
        }
        try (PrintStream out =
                new PrintStream(folder.resolve(ThinLinkBenchmark.TABLES).toFile(), StandardCharsets.UTF_8)) {
            return report.publish(out, folder.resolve("../.."));
        }
    }

    private Results tunnels(Callers callers) throws IOException, InterruptedException {
        List<Integer> rates = plan.tunnelRates();
        List<Comparison<Group, CallPath, LinkSide>> comparisons = atEach(rates, this::comparisons, callers);
        link.width(rates.get(0));
        List<Comparison<Group, CallPath, LinkSide>> adapting = adapting(rates.get(0));
        for (Comparison<Group, CallPath, LinkSide> comparison : adapting) {
            for (LinkSide side : comparison.sides().values()) {
                side.warmUp(callers, effort.longSlice(), 1, WARM);
            }
        }
        take(adapting, effort.longSlice(), callers);
        return new Results(paths, comparisons, adapting);
    }

    /** By compression; none if nothing of it is measured. */
    private Map<String, OrderExchange> exchanges() {
        Map<String, OrderExchange> exchanges = new LinkedHashMap<>();
        if (plan.has(Part.ZSTD) || plan.has(Part.DOWNLOADS) || plan.has(Part.FAMILIES)) {
            for (CallPath path : List.of(paths.triple(), paths.gzip(), paths.zstd(), paths.dictionary())) {
                exchanges.put(path.name(), path.routed(OrderExchange.class));
            }
        }
        return exchanges;
    }

    private void warmUp(OrderExchange far, Callers callers) throws InterruptedException {
        for (int bytes : Group.SIZES) {
            for (Family family : Exchange.FAMILIES) {
                for (boolean isDownload : List.of(false, true)) {
                    Exchange exchange = new Exchange(0, family, bytes, isDownload);
                    callers.call(Group.MANY, effort.warmUp(), exchange.call(far));
                }
            }
        }
    }

    /** Requests have the dictionary once all answers of a minute have advertised it. */
    private void awaitDictionary(Map<String, OrderExchange> exchanges) throws IOException, InterruptedException {
        if (effort.dictionaryWarmUp().isZero()) {
            return;
        }
        OrderExchange with =
                Objects.requireNonNull(exchanges.get(paths.dictionary().name()));
        OrderExchange without =
                Objects.requireNonNull(exchanges.get(paths.zstd().name()));
        long begun = System.nanoTime();
        while (System.nanoTime() - begun < effort.dictionaryWarmUp().toNanos()) {
            with.processorNanos();
            TimeUnit.MILLISECONDS.sleep(BETWEEN_CALLS_MILLIS);
        }
        checkDictionary(Family.GENERATED_TEXT, with, without);
    }

    private static void checkDictionary(Family family, OrderExchange with, OrderExchange without) throws IOException {
        long few = bytes(family, with);
        long many = bytes(family, without);
        if (few > MOST_OF_ZSTD * many) {
            throw new IllegalStateException("requests do not have the dictionary: " + family.title() + ", " + few
                    + " bytes on the link, " + many + " without it");
        }
    }

    private static long bytes(Family family, OrderExchange far) throws IOException {
        Link.Traffic before = Link.traffic();
        family.messages(Family.Half.MEASURED, Group.SMALL, Group.MANY).forEach(message -> Exchange.put(far, message));
        return Link.traffic().since(before).bytes();
    }

    /** Requests of 2 KB, each family with its own dictionary and without. */
    private ExchangeResults families(Path folder, Map<String, OrderExchange> exchanges, Callers callers)
            throws IOException, InterruptedException {
        Map<Family, Map<String, OrderExchange>> tunnels = new EnumMap<>(Family.class);
        for (Family family : Family.HELD_OUT) {
            String name = Dictionaries.name(family);
            Map<String, OrderExchange> own = new LinkedHashMap<>(exchanges);
            own.put(paths.dictionary().name(), paths.withDictionary(name, Dictionaries.file(folder, name)));
            tunnels.put(family, own);
            own.values().forEach(OrderExchange::processorNanos); // the minute begins
        }
        List<Callable<?>> calls = new ArrayList<>();
        tunnels.forEach((family, own) ->
                own.values().forEach(far -> calls.add(new Exchange(0, family, Group.SMALL, false).call(far))));
        long begun = System.nanoTime();
        for (int i = 0;
                i < calls.size()
                        || System.nanoTime() - begun < effort.dictionaryWarmUp().toNanos();
                i++) {
            callers.call(Group.MANY, effort.warmUp(), calls.get(i % calls.size()));
        }
        if (!effort.dictionaryWarmUp().isZero()) {
            for (Map.Entry<Family, Map<String, OrderExchange>> one : tunnels.entrySet()) {
                Map<String, OrderExchange> own = one.getValue();
                checkDictionary(
                        one.getKey(),
                        Objects.requireNonNull(own.get(paths.dictionary().name())),
                        Objects.requireNonNull(own.get(paths.zstd().name())));
            }
        }
        return new ExchangeResults(atEach(
                plan.compressionRates(),
                width -> tunnels.entrySet().stream()
                        .map(one -> new Exchange(width, one.getKey(), Group.SMALL, false).compare(one.getValue()))
                        .toList(),
                callers));
    }

    private ExchangeResults exchanged(Map<String, OrderExchange> exchanges, boolean isDownload, Callers callers)
            throws IOException, InterruptedException {
        return new ExchangeResults(atEach(
                plan.compressionRates(),
                width -> Group.SIZES.stream()
                        .flatMap(bytes -> Exchange.FAMILIES.stream()
                                .map(family -> new Exchange(width, family, bytes, isDownload).compare(exchanges)))
                        .toList(),
                callers));
    }

    private MixResults mixed(Callers callers) throws IOException, InterruptedException {
        link.width(effort.thinnest());
        MixResults mixed = new MixResults(
                effort.thinnest(),
                new Mix(paths.plain()),
                List.of(
                        new MixResults.Pair(new Mix(paths.dubbo()), new Mix(paths.classes(Protocol.DUBBO))),
                        new MixResults.Pair(new Mix(paths.triple()), new Mix(paths.classes(Protocol.TRIPLE)))));
        for (Mix mix : mixed.all()) {
            mix.warmUp(callers, effort.longSlice());
        }
        for (int round = 0; round < effort.rounds(); round++) {
            for (Mix mix : Alternation.order(mixed.all(), round)) {
                mix.round(callers, effort.mixedSlice());
            }
        }
        return mixed;
    }

    /** Runs while the link has no limit: thousands of calls per second. */
    private void warmUp(Callers callers) throws InterruptedException {
        for (int bytes : Group.SIZES) {
            for (CallPath path : plan.isOnly(Part.LONG) ? paths.uncompressed() : paths.all()) {
                byte[] body = Group.bodies(Family.GENERATED_TEXT, bytes).get();
                new Side(path.name(), Group.MANY, () -> path.upload(body))
                        .warmUp(callers, effort.warmUp(), SLICES_WARM_UP, WARM);
            }
        }
    }

    private <T, W, S extends LinkSide> List<Comparison<T, W, S>> atEach(
            List<Integer> rates, IntFunction<List<Comparison<T, W, S>>> comparisons, Callers callers)
            throws IOException, InterruptedException {
        List<Comparison<T, W, S>> all = new ArrayList<>();
        for (int width : rates) {
            link.width(width);
            List<Comparison<T, W, S>> now = comparisons.apply(width);
            take(now, effort.slice(), callers);
            all.addAll(now);
        }
        return all;
    }

    private <T, W, S extends LinkSide> void take(List<Comparison<T, W, S>> comparisons, Duration slice, Callers callers)
            throws InterruptedException {
        new Alternation(effort.rounds(), Duration.ZERO, slice)
                .take(
                        comparisons.stream()
                                .map(comparison ->
                                        List.copyOf(comparison.sides().values()))
                                .toList(),
                        callers);
    }

    private List<Comparison<Group, CallPath, LinkSide>> comparisons(int width) {
        List<CallPath> plainAndTunnels = List.of(paths.plain(), paths.dubbo(), paths.triple());
        List<Comparison<Group, CallPath, LinkSide>> comparisons = new ArrayList<>();
        for (int bytes : Group.SIZES) {
            for (int callers : Group.FEW) {
                comparisons.add(new Group(width, Family.RANDOM, bytes, callers).compare(plainAndTunnels));
            }
            for (Family family : List.of(Family.RANDOM, Family.GENERATED_TEXT)) {
                comparisons.add(new Group(width, family, bytes, Group.MANY)
                        .compare(List.of(
                                paths.plain(), paths.plainTriple(), paths.dubbo(), paths.triple(), paths.gzip())));
            }
        }
        return comparisons;
    }

    /** One limit per size, each with its own path: a limit is for calls that take about equally long. */
    private List<Comparison<Group, CallPath, LinkSide>> adapting(int width) {
        return Group.SIZES.stream()
                .map(bytes -> new Group(width, Family.RANDOM, bytes, Group.MANY)
                        .compare(List.of(paths.unlimited(), paths.auto())))
                .toList();
    }

    private Report newReport(Machine machine) {
        return new Report(
                        "thin-link",
                        plan.command(),
                        machine,
                        effort.rounds()
                                + " alternating rounds, medians; two reference gateways, the link between them: tbf, burst "
                                + Link.BURST + ", queue " + Link.QUEUE
                                + ". Ratios are to the first line in the same round; bytes and packets are those on the link."
                                + " Long links: one round; goodput while all callers call, without the beginning and the end.")
                .field("rounds", effort.rounds())
                .field("link_burst", Link.BURST)
                .field("link_queue", Link.QUEUE);
    }
}
