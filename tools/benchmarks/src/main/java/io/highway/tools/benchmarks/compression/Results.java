// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.compression;

import io.highway.tools.benchmarks.measure.Comparison;
import io.highway.tools.benchmarks.measure.Report;
import io.highway.tools.benchmarks.measure.Spread;
import io.highway.tools.benchmarks.measure.Table;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/** The summary of the comparisons, whose first side is gzip. */
final class Results {

    private final List<Comparison<Setting, Codec, CodecSide>> comparisons;

    Results(List<Comparison<Setting, Codec, CodecSide>> comparisons) {
        this.comparisons = comparisons;
    }

    void addTo(Report report) {
        Predicate<Content> random = Content.RANDOM::equals;
        report.field("zstd_time_ratio", most(random.negate(), Results::zstdTimeRatio))
                .field("zstd_time_ratio_random", most(random, Results::zstdTimeRatio))
                .field("zstd_size_ratio", most(random.negate(), Results::zstdSizeRatio))
                .field("dictionary_time_ratio", most(random.negate(), one -> warm(one)
                        .timeRatioTo(one.first())
                        .median()))
                .field(
                        "dictionary_time_ratio_random",
                        most(random, one -> warm(one).timeRatioTo(one.first()).median()));
        for (int bytes : Setting.SIZES) {
            Predicate<Comparison<Setting, Codec, CodecSide>> ofSize =
                    one -> one.setting().bytes() == bytes && one.setting().content() != Content.RANDOM;
            report.field("dictionary_ratio_" + Setting.word(bytes), least(ofSize, one -> warm(one)
                            .ratio()))
                    .field(
                            "dictionary_gain_" + Setting.word(bytes),
                            least(ofSize, one -> warm(one).ratio() / zstd(one).ratio()));
        }
        report.field("dictionary_first_us", most(random.negate(), one -> cold(one)
                .spread(CodecSide.Round::both)
                .median()));
        for (Content content : Content.values()) {
            Table table = report.table(
                    content.title(),
                    "message",
                    "codec",
                    "bytes",
                    "ratio",
                    "compress us",
                    "least to most",
                    "inflate us",
                    "least to most",
                    "both, of gzip",
                    "least to most");
            comparisons.stream()
                    .filter(comparison -> comparison.setting().content() == content)
                    .forEach(comparison -> addRows(table, comparison));
        }
    }

    private static void addRows(Table table, Comparison<Setting, Codec, CodecSide> comparison) {
        Setting setting = comparison.setting();
        for (CodecSide side : comparison.sides().values()) {
            Spread compress = side.spread(CodecSide.Round::compress);
            Spread inflate = side.spread(CodecSide.Round::inflate);
            Spread ofGzip = side.timeRatioTo(comparison.first());
            boolean first = side.equals(comparison.first());
            table.add()
                    .cells(setting.size())
                    .with("content", setting.content().word())
                    .with("message_bytes", setting.bytes())
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

    private double most(Predicate<Content> contents, ToDoubleFunction<Comparison<Setting, Codec, CodecSide>> ratio) {
        return comparisons.stream()
                .filter(comparison -> contents.test(comparison.setting().content()))
                .mapToDouble(ratio)
                .max()
                .orElseThrow();
    }

    private static double zstdTimeRatio(Comparison<Setting, Codec, CodecSide> comparison) {
        return zstd(comparison).timeRatioTo(comparison.first()).median();
    }

    private static double zstdSizeRatio(Comparison<Setting, Codec, CodecSide> comparison) {
        return comparison.first().ratio() / zstd(comparison).ratio();
    }

    private double least(
            Predicate<Comparison<Setting, Codec, CodecSide>> which,
            ToDoubleFunction<Comparison<Setting, Codec, CodecSide>> value) {
        return comparisons.stream().filter(which).mapToDouble(value).min().orElseThrow();
    }

    private static CodecSide zstd(Comparison<Setting, Codec, CodecSide> comparison) {
        return side(comparison, ZstdFrames.TITLE);
    }

    private static CodecSide warm(Comparison<Setting, Codec, CodecSide> comparison) {
        return side(comparison, DictionaryFrames.WARM);
    }

    private static CodecSide cold(Comparison<Setting, Codec, CodecSide> comparison) {
        return side(comparison, DictionaryFrames.COLD);
    }

    private static CodecSide side(Comparison<Setting, Codec, CodecSide> comparison, String name) {
        return comparison.sides().values().stream()
                .filter(side -> side.name().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
