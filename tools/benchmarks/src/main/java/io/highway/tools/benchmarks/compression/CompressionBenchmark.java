// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.compression;

import io.highway.samples.dictionary.Dictionary;
import io.highway.tools.benchmarks.measure.Alternation;
import io.highway.tools.benchmarks.measure.Benchmark;
import io.highway.tools.benchmarks.measure.Comparison;
import io.highway.tools.benchmarks.measure.Machine;
import io.highway.tools.benchmarks.measure.Report;
import io.highway.tools.benchmarks.orders.Family;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;

/**
 * Compares gzip and zstd, message by message on one thread, without network. java.util.zip and zstd-jni are called
 * directly, with the parameters of the SDK.
 */
@Command(name = "compression", mixinStandardHelpOptions = true, description = "gzip and zstd: ratio and processor time")
public final class CompressionBenchmark extends Benchmark {

    private static final int PART = 2 << 20;

    private static final Plan FULL = new Plan(8, 2, PART);
    private static final Plan QUICK = new Plan(3, 1, PART / 4);

    /**
     * How much is measured.
     *
     * @param rounds how often each codec is measured
     * @param warmUps how often each codec runs before, without counting
     * @param bytes of the messages that a codec compresses and inflates in a round
     */
    record Plan(int rounds, int warmUps, int bytes) {}

    @Override
    protected boolean run(Path logs, PrintStream out) throws IOException {
        return run(logs, plan(FULL, QUICK), out);
    }

    /** Measures, prints and writes. */
    boolean run(Path logs, Plan plan, PrintStream out) throws IOException {
        Machine machine = Machine.here();
        Report report = report(
                        machine,
                        "One thread; " + plan.rounds + " alternating rounds with the same " + plan.bytes / 1024
                                + " KB of different messages; medians of the processor time per message. gzip: level 6;"
                                + " zstd: level 3 unless another is named; both as the SDK. Dictionary: 16 KB, trained with"
                                + " the other half of the family, or (shared) of all families. The halves differ in days,"
                                + " keys, places and words, those of generated orders only by seed. Information: bytes that"
                                + " 2,048 bytes of a message add to a long stream of zstd, level 19.")
                .field("rounds", plan.rounds);
        Map<Setting, Double> information = new LinkedHashMap<>();
        for (Setting setting : Setting.all()) {
            information.put(setting, setting.information(plan.bytes));
        }
        Results results = new Results(measure(plan), information);
        results.addTo(report);
        return report.publish(out, logs.resolve("..")) && results.documentsCount();
    }

    private static List<Comparison<Setting, Codec, CodecSide>> measure(Plan plan) throws IOException {
        List<Comparison<Setting, Codec, CodecSide>> comparisons = new ArrayList<>();
        List<ZstdFrames> opened = new ArrayList<>();
        try {
            for (int bytes : Setting.SIZES) {
                Dictionary shared = Setting.shared(bytes, plan.bytes);
                for (Family family : Family.values()) {
                    Setting setting = new Setting(family, bytes);
                    List<byte[]> messages = setting.messages(plan.bytes);
                    List<ZstdFrames> zstd = zstd(setting.dictionary(plan.bytes), shared, family.isDocument());
                    opened.addAll(zstd);
                    List<Codec> codecs = new ArrayList<>(zstd);
                    codecs.add(0, new Gzip());
                    comparisons.add(Comparison.of(setting, codecs, codec -> new CodecSide(codec, messages)));
                }
            }
            for (int i = 0; i < plan.warmUps; i++) {
                for (Comparison<Setting, Codec, CodecSide> comparison : comparisons) {
                    for (CodecSide side : comparison.sides().values()) {
                        side.measure();
                    }
                }
            }
            for (int round = 0; round < plan.rounds; round++) {
                for (Comparison<Setting, Codec, CodecSide> comparison : comparisons) {
                    for (CodecSide side :
                            Alternation.order(List.copyOf(comparison.sides().values()), round)) {
                        side.round();
                    }
                }
            }
        } finally {
            opened.forEach(ZstdFrames::close);
        }
        return comparisons;
    }

    /** As the SDK; for documents at further levels, too. */
    private static List<ZstdFrames> zstd(Dictionary own, Dictionary shared, boolean hasLevels) {
        List<ZstdFrames> all = new ArrayList<>();
        for (int level : hasLevels ? ZstdFrames.levels() : new int[] {ZstdFrames.LEVEL}) {
            all.add(new ZstdFrames(ZstdFrames.PLAIN, level, null));
            all.add(new ZstdFrames(ZstdFrames.OWN, level, own));
        }
        all.add(2, new ZstdFrames(ZstdFrames.SHARED, ZstdFrames.LEVEL, shared));
        return all;
    }
}
