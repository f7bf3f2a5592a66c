// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.benchmarks.legacy;

import io.highway.samples.benchmarks.measure.Measurement;
import io.highway.samples.benchmarks.measure.Report;
import io.highway.samples.benchmarks.measure.Spread;
import io.highway.samples.benchmarks.measure.Table;
import io.highway.samples.benchmarks.orders.Orders;
import java.io.PrintStream;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** What was measured, as tables and as fields. */
record Results(List<Group> groups, Payload payload) {

    void print(PrintStream out) {
        for (Group group : groups) {
            Table table = new Table(
                    out,
                    "Orders of " + group.size().title(),
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
            group.cases().forEach(one -> print(table, one, group.of(Variant.VERSION_1)));
            table.end();
        }
        Table table = new Table(
                out,
                "Bytes of a call between home's gateway and the hub",
                "",
                "as JSON",
                "version 1",
                "`dubbo`",
                "`triple`",
                "version 1 / `dubbo`",
                "version 1 / `triple`");
        for (Group group : groups) {
            Size size = group.size();
            table.row(
                    size.title(),
                    Orders.jsonBytes(size.order()),
                    format("%.0f", payload.perCall(Variant.VERSION_1, size)),
                    format("%.0f", payload.perCall(Variant.DUBBO, size)),
                    format("%.0f", payload.perCall(Variant.TRIPLE, size)),
                    format("%.2f", payload.ratio(Variant.DUBBO, size)),
                    format("%.2f", payload.ratio(Variant.TRIPLE, size)));
        }
        table.end();
    }

    private static void print(Table table, Case one, Case first) {
        boolean itself = one.variant() == Variant.VERSION_1;
        Spread roundTrip = one.roundTripTo(first);
        Spread throughput = one.throughputTo(first);
        Spread calls = one.many().spread(Measurement::callsPerSecond);
        table.row(
                one.variant().title(),
                format("%.2f", one.one().spread(Measurement::p50Millis).median()),
                format("%.2f", one.one().spread(Measurement::p99Millis).median()),
                format("%.2f", one.one().spread(Measurement::meanMillis).median()),
                itself ? "" : format("%.2f", roundTrip.median()),
                itself ? "" : format("%.2f to %.2f", roundTrip.least(), roundTrip.most()),
                format("%.0f", calls.median()),
                format("%.0f to %.0f", calls.least(), calls.most()),
                format("%.1f", one.many().spread(Measurement::p99Millis).median()),
                itself ? "" : format("%.2f", throughput.median()),
                itself ? "" : format("%.2f to %.2f", throughput.least(), throughput.most()));
    }

    void add(Report report) {
        for (Variant tunnel : Variant.TUNNELS) {
            String key = "_" + tunnel.key();
            add(report, "rt_ratio" + key, true, group -> roundTrip(group, tunnel)
                    .median());
            add(report, "throughput_ratio" + key, false, group -> throughput(group, tunnel)
                    .median());
        }
        add(report, "payload_ratio", false, group -> payload.ratio(Variant.DUBBO, group.size()));
        add(report, "payload_ratio_triple", false, group -> payload.ratio(Variant.TRIPLE, group.size()));
        groups.forEach(group -> group.cases().forEach(one -> add(report, one, group.of(Variant.VERSION_1))));
    }

    private static Spread roundTrip(Group group, Variant tunnel) {
        return group.of(tunnel).roundTripTo(group.of(Variant.VERSION_1));
    }

    private static Spread throughput(Group group, Variant tunnel) {
        return group.of(tunnel).throughputTo(group.of(Variant.VERSION_1));
    }

    /** The worst of all sizes, then each size. */
    private void add(Report report, String field, boolean smallIsGood, ToDoubleFunction<Group> value) {
        DoubleSummaryStatistics all = groups.stream().mapToDouble(value).summaryStatistics();
        report.field(field, smallIsGood ? all.getMax() : all.getMin());
        groups.forEach(group -> report.field(field + "_" + group.size().key(), value.applyAsDouble(group)));
    }

    private void add(Report report, Case one, Case first) {
        Report.Row row = report.row()
                .with("way", one.variant().key())
                .with("order_json_bytes", Orders.jsonBytes(one.size().order()))
                .with("p50_ms", one.one().spread(Measurement::p50Millis))
                .with("p99_ms", one.one().spread(Measurement::p99Millis))
                .with("mean_ms", one.one().spread(Measurement::meanMillis))
                .with("calls_per_second_alone", one.one().spread(Measurement::callsPerSecond))
                .with("calls_per_second", one.many().spread(Measurement::callsPerSecond))
                .with("many_p50_ms", one.many().spread(Measurement::p50Millis))
                .with("many_p99_ms", one.many().spread(Measurement::p99Millis))
                .with("many_mean_ms", one.many().spread(Measurement::meanMillis))
                .with("rt_ratio", one.roundTripTo(first))
                .with("throughput_ratio", one.throughputTo(first));
        if (one.variant() != Variant.DIRECT) {
            row.with("bytes_per_call", payload.perCall(one.variant(), one.size()));
        }
        row.with("failed", one.failed());
    }

    /** Prints which calls failed and returns whether none did. */
    boolean allAnswered(PrintStream out) {
        List<Case> failed = groups.stream()
                .flatMap(group -> group.cases().stream())
                .filter(one -> one.failed() > 0)
                .toList();
        failed.forEach(one -> out.printf(
                "%d calls failed: %s, %s, %s%n%n",
                one.failed(), one.variant().title(), one.size().title(), one.firstFailure()));
        return failed.isEmpty();
    }

    private static String format(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
