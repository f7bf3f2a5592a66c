// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.benchmarks.thinlink;

import io.highway.samples.benchmarks.calls.CallPath;
import io.highway.samples.benchmarks.measure.Measurement;
import io.highway.samples.benchmarks.measure.Report;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/** The summary of the comparisons. */
final class Results {

    /** A link that is fuller than this is what limits calls; a processor limits them else. */
    private static final double FULL = 0.95;

    private final CallPaths paths;
    private final List<Comparison> comparisons;
    private final List<Comparison> adapting;

    /**
     * Of what has been measured.
     *
     * @param comparisons of all paths
     * @param adapting of the dubbo tunnel without and with a limit that adapts
     */
    Results(CallPaths paths, List<Comparison> comparisons, List<Comparison> adapting) {
        this.paths = paths;
        this.comparisons = comparisons;
        this.adapting = adapting;
    }

    void addTo(Report report) {
        for (int bytes : Group.SIZES) {
            String field = "goodput_ratio_" + Group.size(bytes);
            double dubbo = goodput(bytes, paths.dubbo(), paths.plain());
            double triple = goodput(bytes, paths.triple(), paths.plain());
            report.field(field, Math.min(dubbo, triple))
                    .field(field + "_dubbo", dubbo)
                    .field(field + "_triple", triple)
                    .field(field + "_triple_to_plain_triple", goodput(bytes, paths.triple(), paths.plainTriple()));
        }
        Comparison thinnest = saturated(Content.RANDOM, Group.SMALL).findFirst().orElseThrow();
        report.field(
                "calls_" + Group.size(Group.SMALL) + "_" + thinnest.group().width() + "mbit",
                thinnest.of(paths.dubbo()).callsPerSecond().median());
        addGain(report);
        report.field(
                "gzip_incompressible",
                least(Group.SIZES.stream()
                        .flatMap(bytes -> saturated(Content.RANDOM, bytes))
                        .mapToDouble(this::gain)));
        addAdapting(report);
        Group.SIZES.forEach(
                bytes -> report.field("json_gzip_ratio_" + Group.size(bytes), Content.JSON.gzipRatio(bytes)));
    }

    private void addGain(Report report) {
        report.field(
                "gzip_gain",
                least(Group.SIZES.stream()
                        .flatMap(bytes -> saturated(Content.JSON, bytes))
                        .filter(comparison ->
                                comparison.of(paths.triple()).linkUse().median() > FULL)
                        .mapToDouble(this::gain)));
        Group.SIZES.forEach(bytes -> report.field(
                "gzip_gain_" + Group.size(bytes),
                least(saturated(Content.JSON, bytes).mapToDouble(this::gain))));
    }

    private double gain(Comparison comparison) {
        return comparison
                .of(paths.gzip())
                .goodputRatioTo(comparison.of(paths.triple()))
                .median();
    }

    private double goodput(int bytes, CallPath path, CallPath against) {
        return least(saturated(Content.RANDOM, bytes).mapToDouble(comparison -> comparison
                .of(path)
                .goodputRatioTo(comparison.of(against))
                .median()));
    }

    private void addAdapting(Report report) {
        report.field(
                "p50_auto_ratio",
                adapting.stream().mapToDouble(Results::p50).max().orElseThrow());
        for (Comparison comparison : adapting) {
            String size = Group.size(comparison.group().bytes());
            Case auto = comparison.cases().get(1);
            report.field("p50_auto_ratio_" + size, p50(comparison))
                    .field(
                            "calls_auto_ratio_" + size,
                            auto.goodputRatioTo(comparison.first()).median());
        }
    }

    private static double p50(Comparison comparison) {
        return comparison
                .cases()
                .get(1)
                .side()
                .ratioTo(comparison.first().side(), Measurement::p50Millis)
                .median();
    }

    /** The thinnest link first. */
    private Stream<Comparison> saturated(Content content, int bytes) {
        return comparisons.stream()
                .filter(comparison -> comparison.group().content() == content
                        && comparison.group().bytes() == bytes
                        && comparison.group().callers() == Group.MANY);
    }

    /** Not a number if there are none. */
    private static double least(DoubleStream values) {
        return values.min().orElse(Double.NaN);
    }
}
