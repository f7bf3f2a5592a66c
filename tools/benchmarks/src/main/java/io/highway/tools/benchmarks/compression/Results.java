// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.compression;

import io.highway.tools.benchmarks.measure.Case;
import io.highway.tools.benchmarks.measure.Comparison;
import io.highway.tools.benchmarks.measure.Report;
import io.highway.tools.benchmarks.measure.Spread;
import io.highway.tools.benchmarks.measure.Table;
import io.highway.tools.benchmarks.orders.Family;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * The summary of the comparisons, whose first side is gzip.
 *
 * @param information bytes of it in 2,048
 */
record Results(List<Comparison<Setting, Codec, CodecSide>> comparisons, Map<Setting, Double> information) {

    /** Documents with less information are no evidence. */
    private static final double LEAST_INFORMATION = 450;

    private static final double MEGABITS = 30;
    private static final String LEAST_TO_MOST = "least to most";

    /** Whether every family of documents has enough information. */
    boolean documentsCount() {
        return comparisons.stream()
                .map(Comparison::setting)
                .allMatch(setting -> !setting.family().isDocument() || isEnough(setting));
    }

    private boolean isEnough(Setting setting) {
        return information(setting) >= LEAST_INFORMATION;
    }

    private double information(Setting setting) {
        return Objects.requireNonNull(information.get(setting));
    }

    void addTo(Report report) {
        Predicate<Setting> random = setting -> setting.family() == Family.RANDOM;
        report.field("zstd_time_ratio", most(random.negate(), one -> timeRatio(one, ZstdFrames.PLAIN)))
                .field("zstd_time_ratio_random", most(random, one -> timeRatio(one, ZstdFrames.PLAIN)))
                .field(
                        "zstd_size_ratio",
                        most(
                                random.negate(),
                                one -> one.first().ratio()
                                        / side(one, ZstdFrames.PLAIN).ratio()))
                .field("dictionary_time_ratio", most(random.negate(), one -> timeRatio(one, ZstdFrames.OWN)))
                .field("dictionary_time_ratio_random", most(random, one -> timeRatio(one, ZstdFrames.OWN)));
        for (int bytes : Setting.SIZES) {
            addFamilies(report, bytes);
            addLevels(report, bytes, ZstdFrames.PLAIN);
            addLevels(report, bytes, ZstdFrames.OWN);
        }
    }

    private void addFamilies(Report report, int bytes) {
        Table table = report.table(
                "About " + Setting.size(bytes),
                "family",
                "bytes",
                "information in 2,048",
                "codec",
                "compressed",
                "ratio",
                "compress us",
                LEAST_TO_MOST,
                "inflate us",
                LEAST_TO_MOST,
                "both, of gzip",
                LEAST_TO_MOST);
        of(setting -> setting.bytes() == bytes).forEach(comparison -> addRows(report, table, comparison));
        Stream.of(ZstdFrames.PLAIN, ZstdFrames.OWN).forEach(codec -> {
            Comparison<Setting, Codec, CodecSide> worst = documents(bytes)
                    .min(Comparator.comparingDouble(one -> side(one, codec).ratio()))
                    .orElseThrow();
            report.paragraph(Case.text(
                    "The worst family of documents of about %s with %s: %s, %.2f.",
                    Setting.size(bytes),
                    codec,
                    worst.setting().family().title(),
                    side(worst, codec).ratio()));
            String field = codec.equals(ZstdFrames.OWN) ? "dictionary_ratio_" : "zstd_ratio_";
            report.field(field + Setting.word(bytes), side(worst, codec).ratio())
                    .field(
                            field + Setting.word(bytes) + "_worst",
                            worst.setting().family().word());
        });
    }

    private void addRows(Report report, Table table, Comparison<Setting, Codec, CodecSide> comparison) {
        Setting setting = comparison.setting();
        String note = setting.family().isDocument() && !isEnough(setting)
                ? " (too little: does not count)"
                : setting.family().title().startsWith("generated") ? " (little: an upper end)" : "";
        for (CodecSide side : comparison.sides().values()) {
            Spread compress = side.spread(CodecSide.Round::compress);
            Spread inflate = side.spread(CodecSide.Round::inflate);
            Spread ofGzip = side.timeRatioTo(comparison.first());
            boolean first = side.equals(comparison.first());
            (side.name().contains("level") ? report.add() : table.add())
                    .cells(setting.family().title())
                    .with("content", setting.family().word())
                    .with("message_bytes", setting.bytes())
                    .show("mean_bytes", "%.0f", side.plainBytes())
                    .with("information", information(setting))
                    .cells(Case.text("%.0f", information(setting)) + note)
                    .show("codec", "%s", side.name())
                    .show("compressed_bytes", "%.0f", side.compressedBytes())
                    .show("ratio", "%.2f", side.ratio())
                    .show("compress_us", "%.1f", compress)
                    .cells(compress.range("%.1f"))
                    .show("inflate_us", "%.1f", inflate)
                    .cells(inflate.range("%.1f"))
                    .with("time_ratio", ofGzip)
                    .cells(first ? "" : ofGzip.median("%.2f"), first ? "" : ofGzip.range("%.2f"));
        }
    }

    /** The mean of all documents that count, and which level takes least time to compress, to send and to inflate. */
    private void addLevels(Report report, int bytes, String codec) {
        Table table = report.table(
                Case.text("%s of documents of about %s by level, means", codec, Setting.size(bytes)),
                "level",
                "bytes",
                "bytes less than level 3",
                "us to compress and inflate",
                "us more than level 3",
                "us to send at 30 Mbit/s",
                "us in all");
        double size = mean(bytes, codec, ZstdFrames.LEVEL, CodecSide::compressedBytes);
        double time = mean(bytes, codec, ZstdFrames.LEVEL, Results::micros);
        int best = ZstdFrames.LEVEL;
        double least = Double.MAX_VALUE;
        for (int level : ZstdFrames.levels()) {
            double compressed = mean(bytes, codec, level, CodecSide::compressedBytes);
            double micros = mean(bytes, codec, level, Results::micros);
            double all = linkMicros(compressed) + micros;
            if (all < least) {
                best = level;
                least = all;
            }
            table.row()
                    .show("level", "%d", level)
                    .show("compressed_bytes", "%.0f", compressed)
                    .show("saved_bytes", "%.0f", size - compressed)
                    .show("time_us", "%.0f", micros)
                    .show("more_us", "%.0f", micros - time)
                    .show("link_us", "%.0f", linkMicros(compressed))
                    .show("all_us", "%.0f", all);
        }
        report.field((codec.equals(ZstdFrames.OWN) ? "dictionary_level_" : "zstd_level_") + Setting.word(bytes), best);
        report.paragraph("Recommended for " + codec + ", " + Setting.size(bytes) + " over 30 Mbit/s: level " + best
                + ", which takes least time in all.");
    }

    private double mean(int bytes, String codec, int level, ToDoubleFunction<CodecSide> value) {
        return documents(bytes)
                .mapToDouble(one -> value.applyAsDouble(side(one, ZstdFrames.title(codec, level))))
                .average()
                .orElseThrow();
    }

    private static double micros(CodecSide side) {
        return side.spread(CodecSide.Round::both).median();
    }

    private static double linkMicros(double bytes) {
        return bytes * Byte.SIZE / MEGABITS;
    }

    private Stream<Comparison<Setting, Codec, CodecSide>> documents(int bytes) {
        return of(setting -> setting.bytes() == bytes && setting.family().isDocument() && isEnough(setting));
    }

    private Stream<Comparison<Setting, Codec, CodecSide>> of(Predicate<Setting> which) {
        return comparisons.stream().filter(comparison -> which.test(comparison.setting()));
    }

    private double most(Predicate<Setting> which, ToDoubleFunction<Comparison<Setting, Codec, CodecSide>> value) {
        return of(which).mapToDouble(value).max().orElseThrow();
    }

    private static double timeRatio(Comparison<Setting, Codec, CodecSide> comparison, String codec) {
        return side(comparison, codec).timeRatioTo(comparison.first()).median();
    }

    private static CodecSide side(Comparison<Setting, Codec, CodecSide> comparison, String name) {
        return comparison.sides().values().stream()
                .filter(side -> side.name().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
