// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.benchmarks.thinlink;

import io.highway.samples.benchmarks.calls.CallPath;
import io.highway.samples.benchmarks.measure.Alternation;
import io.highway.samples.benchmarks.measure.Benchmark;
import io.highway.samples.benchmarks.measure.Callers;
import io.highway.samples.benchmarks.measure.Comparison;
import io.highway.samples.benchmarks.measure.Machine;
import io.highway.samples.benchmarks.measure.Report;
import io.highway.samples.benchmarks.measure.Side;
import io.highway.samples.support.ChildProcess;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The process in zhejiang: makes all calls and records their results. */
final class NearSide {

    private static final int SLICES_WARM_UP = 4;
    /** After this number of calls the JVMs of all processes are warmed up. */
    private static final long WARM = 20_000;

    private final Effort effort;
    private final Link link;
    private final CallPaths paths;

    private NearSide(Effort effort, Link link, CallPaths paths) {
        this.effort = effort;
        this.link = link;
        this.paths = paths;
    }

    /**
     * Exits with 0 only if every call was answered. Arguments: how much to measure, the folder for what is written, the
     * two namespaces, the provider's addresses for the Dubbo protocol and for Triple, and that of home's gateway.
     */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        ChildProcess.endWithParent();
        boolean answered;
        try (CallPaths paths = new CallPaths(arguments[4], arguments[5], arguments[6])) {
            answered = new NearSide(Effort.valueOf(arguments[0]), new Link(arguments[2], arguments[3]), paths)
                    .run(Path.of(arguments[1]));
        }
        System.exit(answered ? 0 : 1);
    }

    private boolean run(Path folder) throws IOException, InterruptedException {
        Machine machine = Machine.here();
        try (Callers callers = new Callers(Group.MANY)) {
            warmUp(callers);
            List<Comparison<Group, CallPath, LinkSide>> comparisons = new ArrayList<>();
            for (int width : effort.widths()) {
                link.width(width);
                List<Comparison<Group, CallPath, LinkSide>> now = comparisons(width);
                take(now, effort.slice(), callers);
                comparisons.addAll(now);
            }
            link.width(effort.thinnest());
            List<Comparison<Group, CallPath, LinkSide>> adapting = adapting();
            for (Comparison<Group, CallPath, LinkSide> comparison : adapting) {
                for (LinkSide side : comparison.sides().values()) {
                    side.warmUp(callers, effort.longSlice(), 1, WARM);
                }
            }
            take(adapting, effort.longSlice(), callers);
            return report(machine, comparisons, adapting, folder);
        }
    }

    /** Runs while the link has no limit: thousands of calls per second. */
    private void warmUp(Callers callers) throws InterruptedException {
        for (int bytes : Group.SIZES) {
            for (CallPath path : paths.all()) {
                byte[] body = Content.JSON.bodies(bytes).get();
                new Side(path.name(), Group.MANY, () -> path.upload(body))
                        .warmUp(callers, effort.warmUp(), SLICES_WARM_UP, WARM);
            }
        }
    }

    private void take(List<Comparison<Group, CallPath, LinkSide>> comparisons, Duration slice, Callers callers)
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
                comparisons.add(new Group(width, Content.RANDOM, bytes, callers).compare(plainAndTunnels));
            }
            for (Content content : Content.values()) {
                comparisons.add(new Group(width, content, bytes, Group.MANY)
                        .compare(List.of(
                                paths.plain(), paths.plainTriple(), paths.dubbo(), paths.triple(), paths.gzip())));
            }
        }
        return comparisons;
    }

    /** One limit per size, each with its own path: a limit is for calls that take about equally long. */
    private List<Comparison<Group, CallPath, LinkSide>> adapting() {
        return Group.SIZES.stream()
                .map(bytes -> new Group(effort.thinnest(), Content.RANDOM, bytes, Group.MANY)
                        .compare(List.of(paths.unlimited(), paths.auto())))
                .toList();
    }

    private boolean report(
            Machine machine,
            List<Comparison<Group, CallPath, LinkSide>> comparisons,
            List<Comparison<Group, CallPath, LinkSide>> adapting,
            Path folder)
            throws IOException {
        Report report = new Report(
                        "thin-link",
                        Benchmark.command("thin-link", effort == Effort.QUICK),
                        machine,
                        effort.rounds()
                                + " alternating rounds, medians; two reference gateways, the link between them: tbf, burst "
                                + Link.BURST + ", queue " + Link.QUEUE
                                + ". Ratios are to the first line in the same round; bytes and packets are those on the link.")
                .field("rounds", effort.rounds())
                .field("link_burst", Link.BURST)
                .field("link_queue", Link.QUEUE);
        new Results(paths, comparisons, adapting).addTo(report);
        try (PrintStream out =
                new PrintStream(folder.resolve(ThinLinkBenchmark.TABLES).toFile(), StandardCharsets.UTF_8)) {
            return report.publish(out, folder.resolve("../.."));
        }
    }
}
