// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.thinlink;

import io.highway.tools.benchmarks.measure.Report;
import io.highway.tools.benchmarks.measure.Spread;
import io.highway.tools.benchmarks.measure.Table;
import io.highway.tools.gateways.Protocol;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * The summary of small calls beside large ones.
 *
 * @param width of the link in Mbit/s
 * @param plain point-to-point
 * @param both tunnels, without and with classes
 */
record MixResults(int width, Mix plain, List<Pair> both) {

    /**
     * By one protocol.
     *
     * @param without one class for all calls
     * @param with large calls are bulk
     */
    record Pair(Mix without, Mix with) {

        Spread goodputRatio() {
            return with.goodputTo(without);
        }

        private Protocol protocol() {
            return with.path().protocol();
        }
    }

    /** All of them, those that are compared one after another. */
    List<Mix> all() {
        return Stream.concat(Stream.of(plain), both.stream().flatMap(pair -> Stream.of(pair.without, pair.with)))
                .toList();
    }

    void addTo(Report report) {
        Table table = report.table(
                width + " Mbit/s, random bodies, " + Mix.FEW + " callers of 2 KB beside " + Group.MANY
                        + " callers of 80 KB",
                "",
                "2 KB alone: p50 ms",
                "p99 ms",
                "beside 80 KB: p50 ms",
                "p99 ms",
                "least to most",
                "calls/s",
                "80 KB alone: Mbit/s",
                "both: Mbit/s",
                "of 80 KB alone without classes",
                "least to most",
                "80 KB: p99 ms");
        add(report, table, "plain Dubbo", plain, plain);
        for (Pair pair : both) {
            add(report, table, pair.without.path().name(), pair.without, pair.without);
            add(report, table, pair.with.path().name(), pair.with, pair.without);
        }
        report.field("classes_rate_mbit", width);
        fields(report, "classes_p99_ms", pair -> p99(pair.with));
        fields(report, "classes_idle_p99_ms", pair -> pair.with
                .spread(round -> round.idle().p99Millis())
                .median());
        fields(report, "classes_wait_bodies", pair -> pair.with
                .spread(round -> round.waitMillis() / round.bodyMillis())
                .median());
        fields(report, "no_classes_p99_ms", pair -> p99(pair.without));
        report.field("no_classes_p99_ms_plain", p99(plain))
                .field(
                        "classes_goodput_ratio",
                        both.stream()
                                .mapToDouble(pair -> pair.goodputRatio().median())
                                .min()
                                .orElseThrow());
        both.forEach(
                pair -> report.field("classes_goodput_ratio_" + pair.protocol().word(), pair.goodputRatio()));
    }

    /** The largest, and that of each protocol. */
    private void fields(Report report, String name, ToDoubleFunction<Pair> value) {
        report.field(name, both.stream().mapToDouble(value).max().orElseThrow());
        both.forEach(pair -> report.field(name + "_" + pair.protocol().word(), value.applyAsDouble(pair)));
    }

    private static double p99(Mix mix) {
        return mix.spread(round -> round.interactive().p99Millis()).median();
    }

    private void add(Report report, Table table, String name, Mix mix, Mix alone) {
        Spread p99 = mix.spread(round -> round.interactive().p99Millis());
        Spread ratio = mix.goodputTo(alone);
        Spread percent = ratio.times(100);
        table.add()
                .show("way", "%s", name)
                .with("protocol", mix.path().protocol().word())
                .with("rate_mbit", width)
                .with("content", "two classes")
                .with("callers", Group.MANY)
                .with("interactive_callers", Mix.FEW)
                .show("idle_p50_ms", "%.2f", mix.spread(round -> round.idle().p50Millis()))
                .show("idle_p99_ms", "%.2f", mix.spread(round -> round.idle().p99Millis()))
                .show("interactive_p50_ms", "%.2f", mix.spread(round -> round.interactive()
                        .p50Millis()))
                .show("interactive_p99_ms", "%.2f", p99)
                .cells(p99.range("%.1f"))
                .show("interactive_calls_per_second", "%.0f", mix.spread(round -> round.interactive()
                        .callsPerSecond()))
                .show("bulk_alone_goodput_mbit", "%.1f", mix.spread(Mix.Round::goodputAlone))
                .show("goodput_mbit", "%.1f", mix.spread(Mix.Round::goodput))
                .with("goodput_to_bulk_alone", ratio)
                .cells(percent.median("%.1f %%"), percent.range("%.1f") + " %")
                .show("bulk_p99_ms", "%.0f", mix.spread(round -> round.bulk().p99Millis()))
                .with("failed", mix.failed(report));
    }
}
