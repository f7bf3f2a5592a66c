// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.benchmarks.thinlink;

import io.highway.samples.benchmarks.measure.Comparison;
import io.highway.samples.benchmarks.measure.Measurement;
import io.highway.samples.benchmarks.measure.Report;
import io.highway.samples.benchmarks.measure.Spread;
import io.highway.samples.benchmarks.measure.Table;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/** The summary of comparisons of compressions: none, gzip, zstd. */
final class ExchangeResults {

    private final List<Comparison<Exchange, String, ExchangeSide>> comparisons;
    private final boolean isDownload;

    /**
     * Of what has been measured.
     *
     * @param comparisons in one direction, those of the thinnest link first
     */
    ExchangeResults(List<Comparison<Exchange, String, ExchangeSide>> comparisons) {
        this.comparisons = comparisons;
        this.isDownload = comparisons.get(0).setting().isDownload();
    }

    void addTo(Report report) {
        report.paragraph(
                isDownload
                        ? "Triple tunnel, small requests and large answers, by compression:"
                        : "Triple tunnel, large requests and small answers, by compression:");
        comparisons.forEach(comparison -> addTable(report, comparison));
        int thinnest = comparisons.get(0).setting().width();
        String download = isDownload ? "_download" : "";
        report.field("zstd" + download + "_rate_mbit", thinnest);
        for (int bytes : Group.SIZES) {
            String end = download + "_" + Group.size(bytes);
            Predicate<Exchange> orders =
                    one -> one.bytes() == bytes && one.width() == thinnest && one.form() != Form.RANDOM;
            report.field("zstd_gain" + end, least(orders, ExchangeResults::zstdGain))
                    .field(
                            "zstd_gain" + end + "_text",
                            least(orders.and(one -> one.form() == Form.TEXT), ExchangeResults::zstdGain))
                    .field(
                            "zstd_gain" + end + "_objects",
                            least(orders.and(one -> one.form() == Form.OBJECTS), ExchangeResults::zstdGain))
                    .field("zstd_processor_ratio" + end, -least(orders, comparison -> -zstd(comparison)
                            .processorRatioTo(gzip(comparison))
                            .median()));
        }
        report.field(
                "zstd_incompressible" + download, least(one -> one.form() == Form.RANDOM, ExchangeResults::zstdGain));
    }

    private double least(
            Predicate<Exchange> which, ToDoubleFunction<Comparison<Exchange, String, ExchangeSide>> value) {
        return comparisons.stream()
                .filter(comparison -> which.test(comparison.setting()))
                .mapToDouble(value)
                .min()
                .orElseThrow();
    }

    private static double zstdGain(Comparison<Exchange, String, ExchangeSide> comparison) {
        return gain(comparison, zstd(comparison)).median();
    }

    private static Spread gain(Comparison<Exchange, String, ExchangeSide> comparison, ExchangeSide side) {
        return side.ratioTo(comparison.first(), Measurement::callsPerSecond);
    }

    private static ExchangeSide gzip(Comparison<Exchange, String, ExchangeSide> comparison) {
        return List.copyOf(comparison.sides().values()).get(1);
    }

    private static ExchangeSide zstd(Comparison<Exchange, String, ExchangeSide> comparison) {
        return List.copyOf(comparison.sides().values()).get(2);
    }

    private static void addTable(Report report, Comparison<Exchange, String, ExchangeSide> comparison) {
        Exchange exchange = comparison.setting();
        Table table = report.table(
                exchange.title(),
                "",
                "calls/s",
                "gain",
                "least to most",
                "p50 ms",
                "p99 ms",
                "bytes per call",
                "bytes back",
                "link",
                "processor us per call",
                "of gzip");
        comparison.sides().forEach((name, side) -> {
            boolean first = side.equals(comparison.first());
            Spread gain = gain(comparison, side);
            Spread ofGzip = side.processorRatioTo(gzip(comparison));
            table.add()
                    .show("way", "%s", name)
                    .with("protocol", "triple")
                    .with("direction", exchange.isDownload() ? "download" : "upload")
                    .with("rate_mbit", exchange.width())
                    .with("content", exchange.form().title())
                    .with("body_bytes", exchange.bytes())
                    .with("callers", Group.MANY)
                    .show("calls_per_second", "%.0f", side.spread(Measurement::callsPerSecond))
                    .with("gain", gain)
                    .cells(first ? "" : gain.median("%.2f"), first ? "" : gain.range("%.2f"))
                    .show("p50_ms", "%.2f", side.spread(Measurement::p50Millis))
                    .show("p99_ms", "%.2f", side.spread(Measurement::p99Millis))
                    .show("link_bytes_per_call", "%.0f", side.perCall(Link.Traffic::bytes))
                    .show("link_bytes_back_per_call", "%.0f", side.perCall(Link.Traffic::bytesBack))
                    .with("link_use", exchange.linkUse(side))
                    .cells(exchange.linkUse(side).times(100).median("%.0f %%"))
                    .show("processor_us", "%.0f", side.bothProcessorMicros())
                    .with("processor_ratio", ofGzip)
                    .cells(ofGzip.median("%.2f"))
                    .failed(exchange.title(), List.of(side));
        });
    }
}
