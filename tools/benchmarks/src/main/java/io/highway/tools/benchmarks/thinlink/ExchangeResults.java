// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.thinlink;

import io.highway.tools.benchmarks.measure.Case;
import io.highway.tools.benchmarks.measure.Comparison;
import io.highway.tools.benchmarks.measure.Measurement;
import io.highway.tools.benchmarks.measure.Report;
import io.highway.tools.benchmarks.measure.Spread;
import io.highway.tools.benchmarks.measure.Table;
import io.highway.tools.benchmarks.orders.Family;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/**
 * The summary of comparisons of compressions: none, gzip, zstd, zstd with a dictionary.
 *
 * @param comparisons in one direction, those of the thinnest link first
 */
record ExchangeResults(List<Comparison<Exchange, String, ExchangeSide>> comparisons) {

    private static final String UPPER_END = "Generated orders contain little information: their gain is an upper end.";

    private static final int GZIP = 1;
    private static final int ZSTD = 2;
    private static final int DICTIONARY = 3;

    void addTo(Report report) {
        boolean isDownload = comparisons.get(0).setting().isDownload();
        report.paragraph(
                isDownload
                        ? "Triple tunnel, small requests and large answers, by compression. " + UPPER_END
                        : "Triple tunnel, large requests and small answers, by compression. " + UPPER_END);
        comparisons.forEach(comparison -> addTable(report, comparison));
        int thinnest = comparisons.get(0).setting().width();
        String download = isDownload ? "_download" : "";
        report.field("zstd" + download + "_rate_mbit", thinnest);
        for (int bytes : Group.SIZES) {
            String end = download + "_" + Group.size(bytes);
            addGains(
                    report,
                    end,
                    one -> one.bytes() == bytes && one.width() == thinnest && one.family() != Family.RANDOM);
        }
        Predicate<Exchange> random = one -> one.family() == Family.RANDOM;
        report.field("zstd_incompressible" + download, least(random, one -> gain(one, ZSTD)))
                .field("dictionary_incompressible" + download, least(random, one -> gain(one, DICTIONARY)));
    }

    /** Adds those of families whose dictionary is trained with other content. */
    void addFamiliesTo(Report report) {
        report.paragraph("Triple tunnel, families whose dictionary is trained with other content, by compression:");
        comparisons.forEach(comparison -> addTable(report, comparison));
        for (Comparison<Exchange, String, ExchangeSide> comparison : comparisons) {
            Exchange exchange = comparison.setting();
            String end = "_" + exchange.width() + "mbit_" + exchange.family().word();
            report.field("family_gain" + end, gain(comparison, DICTIONARY))
                    .field("family_no_dictionary_gain" + end, gain(comparison, ZSTD));
        }
        Comparison<Exchange, String, ExchangeSide> worst = comparisons.stream()
                .filter(comparison -> comparison.setting().family().isDocument())
                .min(Comparator.comparingDouble(comparison -> gain(comparison, DICTIONARY)))
                .orElseThrow();
        report.field("family_worst", worst.setting().family().word());
        report.paragraph(Case.text(
                "The worst family with its dictionary: %s, %.2f.",
                worst.setting().title(), gain(worst, DICTIONARY)));
    }

    /** With a dictionary, without, and with the better of both. */
    private void addGains(Report report, String end, Predicate<Exchange> orders) {
        Predicate<Exchange> text = orders.and(one -> one.family() == Family.GENERATED_TEXT);
        Predicate<Exchange> objects = orders.and(one -> one.family() == Family.GENERATED_OBJECTS);
        boolean better = least(orders, one -> gain(one, DICTIONARY)) > least(orders, one -> gain(one, ZSTD));
        Map<String, Integer> configurations = new LinkedHashMap<>();
        configurations.put("zstd_gain" + end, better ? DICTIONARY : ZSTD);
        configurations.put("dictionary_gain" + end, DICTIONARY);
        configurations.put("no_dictionary_gain" + end, ZSTD);
        configurations.forEach((field, way) -> report.field(field, least(orders, one -> gain(one, way)))
                .field(field + "_text", least(text, one -> gain(one, way)))
                .field(field + "_objects", least(objects, one -> gain(one, way))));
        report.field("zstd_processor_ratio" + end, processorRatio(orders, ZSTD))
                .field("dictionary_processor_ratio" + end, processorRatio(orders, DICTIONARY));
    }

    private double processorRatio(Predicate<Exchange> which, int way) {
        return -least(
                which, one -> -side(one, way).processorRatioTo(side(one, GZIP)).median());
    }

    private double least(
            Predicate<Exchange> which, ToDoubleFunction<Comparison<Exchange, String, ExchangeSide>> value) {
        return comparisons.stream()
                .filter(comparison -> which.test(comparison.setting()))
                .mapToDouble(value)
                .min()
                .orElseThrow();
    }

    private static double gain(Comparison<Exchange, String, ExchangeSide> comparison, int way) {
        return gain(comparison, side(comparison, way)).median();
    }

    private static Spread gain(Comparison<Exchange, String, ExchangeSide> comparison, ExchangeSide side) {
        return side.ratioTo(comparison.first(), Measurement::callsPerSecond);
    }

    private static ExchangeSide side(Comparison<Exchange, String, ExchangeSide> comparison, int way) {
        return List.copyOf(comparison.sides().values()).get(way);
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
            Spread ofGzip = side.processorRatioTo(side(comparison, GZIP));
            table.add()
                    .show("way", "%s", name)
                    .with("protocol", "triple")
                    .with("direction", exchange.isDownload() ? "download" : "upload")
                    .with("rate_mbit", exchange.width())
                    .with("content", exchange.family().title())
                    .with("family", exchange.family().word())
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
