// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.thinlink;

import io.highway.tools.benchmarks.calls.CallPath;
import io.highway.tools.benchmarks.measure.Comparison;
import io.highway.tools.benchmarks.measure.Measurement;
import io.highway.tools.benchmarks.measure.Report;
import io.highway.tools.benchmarks.measure.Spread;
import io.highway.tools.benchmarks.measure.Table;
import io.highway.tools.benchmarks.orders.Family;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/**
 * The summary of the comparisons.
 *
 * @param comparisons of all paths
 * @param adapting of the dubbo tunnel without and with a limit that adapts
 */
record Results(
        CallPaths paths,
        List<Comparison<Group, CallPath, LinkSide>> comparisons,
        List<Comparison<Group, CallPath, LinkSide>> adapting) {

    /** A link that is fuller than this is what limits calls; a processor limits them else. */
    private static final double FULL = 0.95;

    private static final double PERCENT = 100;

    void addTo(Report report) {
        comparisons.forEach(comparison -> addTable(report, comparison));
        report.paragraph("The dubbo tunnel without and with `max-concurrent: auto`:");
        adapting.forEach(comparison -> addTable(report, comparison));
        for (int bytes : Group.SIZES) {
            String field = "goodput_ratio_" + Group.size(bytes);
            double dubbo = goodput(bytes, paths.dubbo(), paths.plain());
            double triple = goodput(bytes, paths.triple(), paths.plain());
            report.field(field, Math.min(dubbo, triple))
                    .field(field + "_dubbo", dubbo)
                    .field(field + "_triple", triple)
                    .field(field + "_triple_to_plain_triple", goodput(bytes, paths.triple(), paths.plainTriple()));
        }
        Comparison<Group, CallPath, LinkSide> thinnest =
                saturated(Family.RANDOM, Group.SMALL).findFirst().orElseThrow();
        report.field(
                "calls_" + Group.size(Group.SMALL) + "_" + thinnest.setting().width() + "mbit",
                thinnest.of(paths.dubbo()).spread(Measurement::callsPerSecond));
        addGain(report);
        report.field(
                "gzip_incompressible",
                least(Group.SIZES.stream()
                        .flatMap(bytes -> saturated(Family.RANDOM, bytes))
                        .mapToDouble(this::gain)));
        addAdapting(report);
    }

    private void addGain(Report report) {
        report.field(
                "gzip_gain",
                least(Group.SIZES.stream()
                        .flatMap(bytes -> saturated(Family.GENERATED_TEXT, bytes))
                        .filter(comparison -> comparison
                                        .setting()
                                        .linkUse(comparison.of(paths.triple()))
                                        .median()
                                > FULL)
                        .mapToDouble(this::gain)));
        Group.SIZES.forEach(bytes -> report.field(
                "gzip_gain_" + Group.size(bytes),
                least(saturated(Family.GENERATED_TEXT, bytes).mapToDouble(this::gain))));
    }

    private double gain(Comparison<Group, CallPath, LinkSide> comparison) {
        return goodput(comparison, paths.gzip(), paths.triple()).median();
    }

    private double goodput(int bytes, CallPath path, CallPath against) {
        return least(saturated(Family.RANDOM, bytes)
                .mapToDouble(comparison -> goodput(comparison, path, against).median()));
    }

    private void addAdapting(Report report) {
        report.field(
                "p50_auto_ratio",
                adapting.stream().mapToDouble(Results::p50).max().orElseThrow());
        for (Comparison<Group, CallPath, LinkSide> comparison : adapting) {
            String size = Group.size(comparison.setting().bytes());
            report.field("p50_auto_ratio_" + size, p50(comparison))
                    .field("calls_auto_ratio_" + size, goodputOfFirst(comparison, auto(comparison)));
        }
    }

    private static double p50(Comparison<Group, CallPath, LinkSide> comparison) {
        return auto(comparison)
                .ratioTo(comparison.first(), Measurement::p50Millis)
                .median();
    }

    /** The second of those that adapt. */
    private static LinkSide auto(Comparison<Group, CallPath, LinkSide> comparison) {
        return comparison.sides().values().stream().skip(1).findFirst().orElseThrow();
    }

    private static Spread goodput(Comparison<Group, CallPath, LinkSide> comparison, CallPath path, CallPath against) {
        return comparison.of(path).ratioTo(comparison.of(against), Measurement::callsPerSecond);
    }

    private static Spread goodputOfFirst(Comparison<Group, CallPath, LinkSide> comparison, LinkSide side) {
        return side.ratioTo(comparison.first(), Measurement::callsPerSecond);
    }

    private static void addTable(Report report, Comparison<Group, CallPath, LinkSide> comparison) {
        Group group = comparison.setting();
        Table table = report.table(
                group.title(),
                "",
                "goodput Mbit/s",
                "calls/s",
                "of the first",
                "least to most",
                "p50 ms",
                "p99 ms",
                "bytes per call",
                "packets",
                "packets back",
                "link");
        comparison.sides().forEach((path, side) -> {
            Spread ratio = goodputOfFirst(comparison, side);
            Spread percent = ratio.times(PERCENT);
            boolean first = side.equals(comparison.first());
            table.add()
                    .show("way", "%s", side.name())
                    .with("protocol", path.protocol().word())
                    .with("rate_mbit", group.width())
                    .with("content", group.content())
                    .with("body_bytes", group.bytes())
                    .with("callers", group.callers())
                    .show("goodput_mbit", "%.1f", side.spread(group::goodput))
                    .show("calls_per_second", "%.0f", side.spread(Measurement::callsPerSecond))
                    .with("goodput_ratio", ratio)
                    .cells(first ? "" : percent.median("%.1f %%"), first ? "" : percent.range("%.1f") + " %")
                    .with("mean_ms", side.median(Measurement::meanMillis))
                    .show("p50_ms", "%.2f", side.spread(Measurement::p50Millis))
                    .show("p99_ms", "%.2f", side.spread(Measurement::p99Millis))
                    .show("link_bytes_per_call", "%.0f", side.perCall(Link.Traffic::bytes))
                    .show(
                            "link_packets_per_call",
                            "%.2f",
                            side.perCall(Link.Traffic::packets).median())
                    .with(
                            "link_bytes_back_per_call",
                            side.perCall(Link.Traffic::bytesBack).median())
                    .show(
                            "link_packets_back_per_call",
                            "%.2f",
                            side.perCall(Link.Traffic::packetsBack).median())
                    .with("link_use", group.linkUse(side))
                    .cells(group.linkUse(side).times(PERCENT).median("%.0f %%"))
                    .failed(group.title(), List.of(side));
        });
    }

    /** The thinnest link first. */
    private Stream<Comparison<Group, CallPath, LinkSide>> saturated(Family family, int bytes) {
        return comparisons.stream()
                .filter(comparison -> comparison.setting().family() == family
                        && comparison.setting().bytes() == bytes
                        && comparison.setting().callers() == Group.MANY);
    }

    /** Not a number if there are none. */
    private static double least(DoubleStream values) {
        return values.min().orElse(Double.NaN);
    }
}
