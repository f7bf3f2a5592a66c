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
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * What was measured, as tables and as fields.
 *
 * @param bytes of a call, by variant and size, kilobytes
 */
record Results(List<Comparison<Integer, Variant, Load>> comparisons, Map<String, Double> bytes) {

    void add(Report report) {
        for (Variant tunnel : List.of(Variant.DUBBO, Variant.TRIPLE, Variant.HTTP)) {
            String key = "_" + tunnel.key();
            add(report, "rt_ratio" + key, true, comparison -> roundTrip(comparison, tunnel)
                    .median());
            String payload = "payload_ratio" + (tunnel == Variant.DUBBO ? "" : key);
            add(report, payload, false, comparison -> bytesRatio(tunnel, comparison.setting()));
            add(report, "throughput_ratio" + key, false, comparison -> throughput(comparison, tunnel)
                    .median());
        }
        comparisons.forEach(comparison -> addTable(report, comparison));
    }

    private static Spread roundTrip(Comparison<Integer, Variant, Load> comparison, Variant variant) {
        return comparison
                .of(variant)
                .one()
                .ratioTo(comparison.of(Variant.VERSION_1).one(), Measurement::p50Millis);
    }

    private static Spread throughput(Comparison<Integer, Variant, Load> comparison, Variant variant) {
        return comparison.of(variant).throughputTo(comparison.of(Variant.VERSION_1));
    }

    /** The worst of all sizes, then each size. */
    private void add(
            Report report,
            String field,
            boolean smallIsGood,
            ToDoubleFunction<Comparison<Integer, Variant, Load>> value) {
        DoubleSummaryStatistics all = comparisons.stream().mapToDouble(value).summaryStatistics();
        report.field(field, smallIsGood ? all.getMax() : all.getMin());
        comparisons.forEach(
                comparison -> report.field(field + "_" + comparison.setting() + "k", value.applyAsDouble(comparison)));
    }

    /** NaN for direct calls, which pass no hub. */
    private double bytes(Variant variant, int size) {
        return bytes.getOrDefault(variant.key() + size, Double.NaN);
    }

    /** How many times as many bytes version 1 needs. */
    private double bytesRatio(Variant variant, int size) {
        return bytes(Variant.VERSION_1, size) / bytes(variant, size);
    }

    private static String text(String format, double value) {
        return Double.isNaN(value) ? "" : Case.text(format, value);
    }

    private void addTable(Report report, Comparison<Integer, Variant, Load> comparison) {
        int size = comparison.setting();
        String title = "Orders of " + size + " KB";
        Table table = report.table(
                title, "", "p50 ms", "p50 / version 1", "calls/s", "calls/s / version 1", "bytes", "version 1 / bytes");
        comparison.sides().forEach((variant, load) -> {
            Spread roundTrip = roundTrip(comparison, variant);
            Spread throughput = throughput(comparison, variant);
            table.add()
                    .with("way", variant.key())
                    .with("order_json_bytes", Orders.jsonBytes(LegacyBenchmark.order(size)))
                    .cells(variant.title())
                    .show("p50_ms", "%.2f", load.one().spread(Measurement::p50Millis))
                    .with("rt_ratio", roundTrip)
                    .cells(roundTrip.median("%.2f") + " (" + roundTrip.range("%.2f") + ")")
                    .show("calls_per_second", "%.0f", load.many().spread(Measurement::callsPerSecond))
                    .with("throughput_ratio", throughput)
                    .cells(throughput.median("%.2f") + " (" + throughput.range("%.2f") + ")")
                    .cells(text("%.0f", bytes(variant, size)), text("%.2f", bytesRatio(variant, size)))
                    .failed(title, load.both());
        });
    }
}
