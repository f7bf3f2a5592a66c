// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.compression;

import io.highway.tools.benchmarks.measure.Spread;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/** One codec for the messages of a setting, and what it took in each round. Used by one thread. */
final class CodecSide {

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final Codec codec;
    private final List<byte[]> messages;
    private final List<byte[]> compressed = new ArrayList<>();
    private final List<Round> rounds = new ArrayList<>();

    /**
     * Compresses all messages once.
     *
     * @throws IllegalStateException if one does not inflate to what it was
     */
    CodecSide(Codec codec, List<byte[]> messages) {
        this.codec = codec;
        this.messages = messages;
        try {
            for (byte[] message : messages) {
                byte[] small = codec.compress(message);
                if (!Arrays.equals(message, codec.inflate(small))) {
                    throw new IllegalStateException(codec.title() + " does not inflate a message to what it was");
                }
                compressed.add(small);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Processor time of this thread per message, in microseconds.
     *
     * @param compress of compressing
     * @param inflate of inflating
     */
    record Round(double compress, double inflate) {

        double both() {
            return compress + inflate;
        }
    }

    /** One part of a codec. */
    @FunctionalInterface
    private interface Step {
        byte[] apply(byte[] bytes) throws IOException;
    }

    /** One more round that counts. */
    void round() throws IOException {
        rounds.add(measure());
    }

    /** Compresses and inflates all messages. */
    Round measure() throws IOException {
        return new Round(
                micros(codec::compress, messages, bytes(compressed)),
                micros(codec::inflate, compressed, bytes(messages)));
    }

    private static double micros(Step step, List<byte[]> inputs, long expected) throws IOException {
        long bytes = 0;
        long begun = THREADS.getCurrentThreadCpuTime();
        for (byte[] input : inputs) {
            bytes += step.apply(input).length;
        }
        long nanos = THREADS.getCurrentThreadCpuTime() - begun;
        if (bytes != expected) {
            throw new IllegalStateException(bytes + " bytes instead of " + expected);
        }
        return (double) nanos / TimeUnit.MICROSECONDS.toNanos(1) / inputs.size();
    }

    String name() {
        return codec.title();
    }

    /** How many times as long the messages are as their compressed forms. */
    double ratio() {
        return (double) bytes(messages) / bytes(compressed);
    }

    /** The mean size of a message. */
    double plainBytes() {
        return (double) bytes(messages) / messages.size();
    }

    /** The mean size of a compressed message. */
    double compressedBytes() {
        return (double) bytes(compressed) / compressed.size();
    }

    Spread spread(ToDoubleFunction<Round> value) {
        return Spread.of(rounds, value);
    }

    /** How many times as much processor time as on the other side, to compress and inflate, in the same round. */
    Spread timeRatioTo(CodecSide other) {
        return Spread.ratio(rounds, other.rounds, Round::both);
    }

    private static long bytes(List<byte[]> all) {
        return all.stream().mapToLong(one -> one.length).sum();
    }
}
