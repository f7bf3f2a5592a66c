// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.tunnel;

import io.highway.tools.benchmarks.measure.Case;
import io.highway.tools.benchmarks.measure.Measurement;
import io.highway.tools.benchmarks.measure.Side;
import io.highway.tools.benchmarks.measure.Spread;
import io.highway.tools.benchmarks.measure.Table;
import io.highway.tools.gateways.Protocol;
import java.util.List;
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
            return plain.spread(value).median(format) + ", " + sdk.spread(value).median(format);
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

    /** Of an amount per call, such as the processor time of the callers' process or of the provider's. */
    double costRatio(ToDoubleFunction<Side> cost) {
        return cost.applyAsDouble(alone.sdk) / cost.applyAsDouble(alone.plain);
    }

    void add(Table table) {
        Case row = table.add()
                .show("gateway", "%s", gateway)
                .with("protocol", protocol.word())
                .with("body_bytes", bodyBytes)
                .cells(protocol.title(), bodyBytes / KILOBYTE + " KB")
                .show("callers", "%d", callers);
        for (Side side : mixed.both()) {
            row.with(side.name() + "_p50_ms", side.spread(Measurement::p50Millis))
                    .with(side.name() + "_p99_ms", side.spread(Measurement::p99Millis));
        }
        for (Side side : alone.both()) {
            row.with(side.name() + "_calls_per_second", side.spread(Measurement::callsPerSecond))
                    .with(side.name() + "_processor_us", side.processorMicros())
                    .with(side.name() + "_provider_us", side.answeringMicros())
                    .with(side.name() + "_allocated_bytes", side.allocatedBytes());
        }
        row.cells(mixed.medians("%.3f", Measurement::p50Millis))
                .show("p50_ratio", "%.3f", p50Ratio())
                .cells(p50Ratio().range("%.2f"))
                .cells(mixed.medians("%.2f", Measurement::p99Millis))
                .with("p99_ratio", mixed.ratio(Measurement::p99Millis))
                .cells(alone.medians("%.0f", Measurement::callsPerSecond))
                .show("throughput_ratio", "%.3f", throughputRatio())
                .cells(Case.text("%.0f, %.0f", alone.plain.processorMicros(), alone.sdk.processorMicros()))
                .show("processor_ratio", "%.3f", costRatio(Side::processorMicros))
                .cells(Case.text("%.0f, %.0f", alone.plain.answeringMicros(), alone.sdk.answeringMicros()))
                .with("provider_ratio", costRatio(Side::answeringMicros))
                .show("allocated_ratio", "%.3f", costRatio(Side::allocatedBytes))
                .failed(
                        gateway,
                        Stream.of(mixed, alone)
                                .flatMap(sides -> sides.both().stream())
                                .toList());
    }
}
