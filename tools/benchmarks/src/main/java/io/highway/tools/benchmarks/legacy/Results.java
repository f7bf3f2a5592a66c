// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.legacy;

import io.highway.tools.benchmarks.measure.Case;
import io.highway.tools.benchmarks.measure.Comparison;
import io.highway.tools.benchmarks.measure.Load;
import io.highway.tools.benchmarks.measure.Measurement;
import io.highway.tools.benchmarks.measure.Report;
import io.highway.tools.benchmarks.measure.Spread;
import io.highway.tools.benchmarks.measure.Table;
import io.highway.tools.benchmarks.orders.Orders;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** What was measured, as tables and as fields. */
record Results(List<Comparison<Size, Variant, Load>> comparisons, Payload payload) {

    void add(Report report) {
        for (Variant tunnel : Variant.TUNNELS) {
            String key = "_" + tunnel.key();
            add(report, "rt_ratio" + key, true, comparison -> roundTrip(comparison, tunnel)
                    .median());
            add(report, "throughput_ratio" + key, false, comparison -> throughput(comparison, tunnel)
                    .median());
        }
        add(report, "payload_ratio", false, comparison -> payload.ratio(Variant.DUBBO, comparison.setting()));
        add(report, "payload_ratio_triple", false, comparison -> payload.ratio(Variant.TRIPLE, comparison.setting()));
        comparisons.forEach(comparison -> addTable(report, comparison));
        addBytes(report);
    }

    private static Spread roundTrip(Comparison<Size, Variant, Load> comparison, Variant variant) {
        return comparison
                .of(variant)
                .one()
                .ratioTo(comparison.of(Variant.VERSION_1).one(), Measurement::p50Millis);
    }

    private static Spread throughput(Comparison<Size, Variant, Load> comparison, Variant variant) {
        return comparison.of(variant).throughputTo(comparison.of(Variant.VERSION_1));
    }

    /** The worst of all sizes, then each size. */
    private void add(
            Report report, String field, boolean smallIsGood, ToDoubleFunction<Comparison<Size, Variant, Load>> value) {
        DoubleSummaryStatistics all = comparisons.stream().mapToDouble(value).summaryStatistics();
        report.field(field, smallIsGood ? all.getMax() : all.getMin());
        comparisons.forEach(
                comparison -> report.field(field + "_" + comparison.setting().key(), value.applyAsDouble(comparison)));
    }

    private void addTable(Report report, Comparison<Size, Variant, Load> comparison) {
        Size size = comparison.setting();
        String title = "Orders of " + size.title();
        Table table = report.table(
                title,
                "",
                "p50 ms",
                "p99 ms",
                "mean ms",
                "p50 / version 1",
                "least to most",
                "calls/s",
                "least to most",
                "p99 ms",
                "calls/s / version 1",
                "least to most");
        comparison.sides().forEach((variant, load) -> {
            boolean itself = variant == Variant.VERSION_1;
            Spread roundTrip = roundTrip(comparison, variant);
            Spread throughput = throughput(comparison, variant);
            Spread calls = load.many().spread(Measurement::callsPerSecond);
            table.add()
                    .with("way", variant.key())
                    .with("order_json_bytes", Orders.jsonBytes(size.order()))
                    .cells(variant.title())
                    .show("p50_ms", "%.2f", load.one().spread(Measurement::p50Millis))
                    .show("p99_ms", "%.2f", load.one().spread(Measurement::p99Millis))
                    .show("mean_ms", "%.2f", load.one().spread(Measurement::meanMillis))
                    .with("rt_ratio", roundTrip)
                    .cells(itself ? "" : roundTrip.median("%.2f"), itself ? "" : roundTrip.range("%.2f"))
                    .show("calls_per_second", "%.0f", calls)
                    .cells(calls.range("%.0f"))
                    .show("many_p99_ms", "%.1f", load.many().spread(Measurement::p99Millis))
                    .with("throughput_ratio", throughput)
                    .cells(itself ? "" : throughput.median("%.2f"), itself ? "" : throughput.range("%.2f"))
                    .with("calls_per_second_alone", load.one().spread(Measurement::callsPerSecond))
                    .with("many_p50_ms", load.many().spread(Measurement::p50Millis))
                    .with("many_mean_ms", load.many().spread(Measurement::meanMillis))
                    .with("bytes_per_call", payload.perCall(variant, size))
                    .failed(title, load.both());
        });
    }

    private void addBytes(Report report) {
        Table table = report.table(
                "Bytes of a call between home's gateway and the hub",
                "",
                "as JSON",
                "version 1",
                "`dubbo`",
                "`triple`",
                "version 1 / `dubbo`",
                "version 1 / `triple`");
        comparisons.stream().map(Comparison::setting).forEach(size -> table.row()
                .cells(size.title(), Orders.jsonBytes(size.order()))
                .cells(Case.text("%.0f", payload.perCall(Variant.VERSION_1, size)))
                .cells(Case.text("%.0f", payload.perCall(Variant.DUBBO, size)))
                .cells(Case.text("%.0f", payload.perCall(Variant.TRIPLE, size)))
                .cells(Case.text("%.2f", payload.ratio(Variant.DUBBO, size)))
                .cells(Case.text("%.2f", payload.ratio(Variant.TRIPLE, size))));
    }
}
