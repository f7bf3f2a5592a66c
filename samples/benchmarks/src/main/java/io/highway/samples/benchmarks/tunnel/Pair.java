// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.benchmarks.tunnel;

import io.highway.samples.benchmarks.calls.Protocol;
import io.highway.samples.benchmarks.measure.Measurement;
import io.highway.samples.benchmarks.measure.Report;
import io.highway.samples.benchmarks.measure.Side;
import io.highway.samples.benchmarks.measure.Spread;
import io.highway.samples.benchmarks.measure.Table;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * The same calls through the same gateway, by a plain reference and by the SDK: each caller makes both alternately,
 * which shows how much longer one takes than the other at the same load; and all callers make one of them for a while
 * and then the other, which shows the throughput.
 */
record Pair(String gateway, Protocol protocol, int bodyBytes, int callers, Sides mixed, Sides alone) {

    private static final int KILOBYTE = 1024;

    /** Both sides, measured by one of the two methods. */
    record Sides(Side plain, Side sdk) {

        static Sides of(BothPaths paths, byte[] body, int callers) {
            return new Sides(
                    new Side("plain", callers, () -> paths.uploadPlain(body)),
                    new Side("sdk", callers, () -> paths.uploadBySdk(body)));
        }

        List<Side> both() {
            return List.of(plain, sdk);
        }

        Spread ratio(ToDoubleFunction<Measurement> value) {
            return sdk.ratioTo(plain, value);
        }

        private String medians(String format, ToDoubleFunction<Measurement> value) {
            return format(format, plain.spread(value).median()) + ", "
                    + format(format, sdk.spread(value).median());
        }
    }

    static Pair of(String gateway, BothPaths paths, byte[] body, int callers) {
        return new Pair(
                gateway,
                paths.protocol(),
                body.length,
                callers,
                Sides.of(paths, body, callers),
                Sides.of(paths, body, callers));
    }

    Spread p50Ratio() {
        return mixed.ratio(Measurement::p50Millis);
    }

    Spread throughputRatio() {
        return alone.ratio(Measurement::callsPerSecond);
    }

    double processorRatio() {
        return alone.sdk.processorMicros() / alone.plain.processorMicros();
    }

    /** All of whose calls some may have failed. */
    Stream<Side> allSides() {
        return Stream.of(mixed, alone).flatMap(sides -> sides.both().stream());
    }

    void print(Table table) {
        table.row(
                gateway,
                protocol.title(),
                bodyBytes / KILOBYTE + " KB",
                callers,
                mixed.medians("%.3f", Measurement::p50Millis),
                format("%.3f", p50Ratio().median()),
                format("%.2f to %.2f", p50Ratio().least(), p50Ratio().most()),
                mixed.medians("%.2f", Measurement::p99Millis),
                alone.medians("%.0f", Measurement::callsPerSecond),
                format("%.3f", throughputRatio().median()),
                format("%.0f, %.0f", alone.plain.processorMicros(), alone.sdk.processorMicros()));
    }

    private static String format(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }

    void add(Report report) {
        Report.Row row = report.row()
                .with("gateway", gateway)
                .with("protocol", protocol.key())
                .with("body_bytes", bodyBytes)
                .with("callers", callers);
        for (Side side : mixed.both()) {
            row.with(side.name() + "_p50_ms", side.spread(Measurement::p50Millis))
                    .with(side.name() + "_p99_ms", side.spread(Measurement::p99Millis));
        }
        for (Side side : alone.both()) {
            row.with(side.name() + "_calls_per_second", side.spread(Measurement::callsPerSecond))
                    .with(side.name() + "_processor_us", side.processorMicros());
        }
        row.with("p50_ratio", p50Ratio())
                .with("p99_ratio", mixed.ratio(Measurement::p99Millis))
                .with("throughput_ratio", throughputRatio())
                .with("processor_ratio", processorRatio())
                .with("failed", allSides().mapToLong(Side::failed).sum());
    }
}
