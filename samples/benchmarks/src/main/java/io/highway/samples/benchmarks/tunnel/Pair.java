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

/** The same calls through the same gateway, by a plain reference and by the SDK. */
record Pair(String gateway, Protocol protocol, int bodyBytes, int callers, Side plain, Side sdk) {

    private static final int KILOBYTE = 1024;

    static Pair of(String gateway, BothWays ways, byte[] body, int callers) {
        return new Pair(
                gateway,
                ways.protocol(),
                body.length,
                callers,
                new Side("plain", callers, () -> ways.uploadPlain(body)),
                new Side("sdk", callers, () -> ways.uploadBySdk(body)));
    }

    List<Side> sides() {
        return List.of(plain, sdk);
    }

    Spread ratio(ToDoubleFunction<Measurement> value) {
        return sdk.ratioTo(plain, value);
    }

    void print(Table table) {
        Spread p50 = ratio(Measurement::p50Millis);
        table.row(
                gateway,
                protocol.title(),
                bodyBytes / KILOBYTE + " KB",
                callers,
                both("%.3f", Measurement::p50Millis),
                format("%.3f", p50.median()),
                format("%.2f to %.2f", p50.least(), p50.most()),
                both("%.2f", Measurement::p99Millis),
                both("%.0f", Measurement::callsPerSecond),
                format("%.3f", ratio(Measurement::callsPerSecond).median()),
                both("%.0f", Measurement::processorMicros));
    }

    private String both(String format, ToDoubleFunction<Measurement> value) {
        return format(format, plain.spread(value).median()) + ", "
                + format(format, sdk.spread(value).median());
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
        for (Side side : sides()) {
            row.with(side.name() + "_p50_ms", side.spread(Measurement::p50Millis))
                    .with(side.name() + "_p99_ms", side.spread(Measurement::p99Millis))
                    .with(side.name() + "_calls_per_second", side.spread(Measurement::callsPerSecond))
                    .with(side.name() + "_processor_us", side.spread(Measurement::processorMicros));
        }
        row.with("p50_ratio", ratio(Measurement::p50Millis))
                .with("p99_ratio", ratio(Measurement::p99Millis))
                .with("throughput_ratio", ratio(Measurement::callsPerSecond))
                .with("processor_ratio", ratio(Measurement::processorMicros))
                .with("failed", plain.failed() + sdk.failed());
    }
}
