// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.compression;

import io.highway.samples.dictionary.Dictionary;
import io.highway.tools.benchmarks.measure.Alternation;
import io.highway.tools.benchmarks.measure.Benchmark;
import io.highway.tools.benchmarks.measure.Comparison;
import io.highway.tools.benchmarks.measure.Machine;
import io.highway.tools.benchmarks.measure.Report;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;

/**
 * Compares gzip and zstd, message by message on one thread, without network. java.util.zip and zstd-jni are called
 * directly, with the parameters of the SDK.
 */
@Command(name = "compression", mixinStandardHelpOptions = true, description = "gzip and zstd: ratio and processor time")
public final class CompressionBenchmark extends Benchmark {

    private static final int PART = 2 << 20;

    private static final Plan FULL = new Plan(40, 5, PART);
    private static final Plan QUICK = new Plan(5, 2, PART);

    /** For picocli. */
    public CompressionBenchmark() {
        super("compression");
    }

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
        Report report = new Report(
                        "compression",
                        command(),
                        machine,
                        "One thread; " + plan.rounds + " alternating rounds with the same " + plan.bytes / 1024
                                + " KB of different messages; medians of the processor time per message. gzip: level 6, its"
                                + " deflater reused, as the SDK sends; gzip, streams: level 6, a new stream for each message,"
                                + " as gRPC for Java and Dubbo; zstd: level 3, contexts reused, as the SDK. Dictionary: 16 KB,"
                                + " trained with other messages of the content and size, for random bytes with JSON text;"
                                + " cold: it is loaded for each message.")
                .field("rounds", plan.rounds);
        new Results(measure(plan)).addTo(report);
        return report.publish(out, logs.resolve(".."));
    }

    private static List<Comparison<Setting, Codec, CodecSide>> measure(Plan plan) throws IOException {
        List<Comparison<Setting, Codec, CodecSide>> comparisons = new ArrayList<>();
        List<DictionaryFrames> dictionaries = new ArrayList<>();
        try (ZstdFrames zstd = new ZstdFrames();
                ReusedGzip gzip = new ReusedGzip()) {
            for (Setting setting : Setting.all()) {
                List<byte[]> messages = setting.messages(plan.bytes);
                Dictionary dictionary = setting.dictionary(plan.bytes);
                DictionaryFrames warm = DictionaryFrames.warm(dictionary);
                DictionaryFrames cold = DictionaryFrames.cold(dictionary);
                dictionaries.addAll(List.of(warm, cold));
                List<Codec> codecs = List.of(gzip, new StreamedGzip(), zstd, warm, cold);
                comparisons.add(Comparison.of(setting, codecs, codec -> new CodecSide(codec, messages)));
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
            dictionaries.forEach(DictionaryFrames::close);
        }
        return comparisons;
    }
}
