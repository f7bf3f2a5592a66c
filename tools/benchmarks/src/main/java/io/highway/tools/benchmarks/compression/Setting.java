// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.compression;

import io.highway.samples.dictionary.Dictionary;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * What is the same for all codecs.
 *
 * @param content of the messages
 * @param bytes of each
 */
record Setting(Content content, int bytes) {

    private static final int KILOBYTE = 1024;
    private static final int DICTIONARY_BYTES = 16 * KILOBYTE;
    private static final int FEWEST_TRAINED = 50;
    private static final long TRAINING_SEED = 1_000_000;

    static final List<Integer> SIZES = List.of(512, 2 * KILOBYTE, 8 * KILOBYTE, 80 * KILOBYTE);

    static List<Setting> all() {
        return Stream.of(Content.values())
                .flatMap(content -> SIZES.stream().map(bytes -> new Setting(content, bytes)))
                .toList();
    }

    /** As many different messages as there are in so many bytes; the same in every run. */
    List<byte[]> messages(int total) {
        Random random = new Random(bytes);
        return IntStream.range(0, total / bytes)
                .mapToObj(i -> content.message(bytes, random))
                .toList();
    }

    /**
     * Trained with messages of this content and size, none of which is measured; for random bytes, which have nothing in
     * common, with JSON text.
     */
    Dictionary dictionary(int total) {
        Random random = new Random(TRAINING_SEED + bytes);
        Content trained = content == Content.RANDOM ? Content.JSON : content;
        int messages = Math.max(total / bytes, FEWEST_TRAINED);
        return Dictionary.train(
                IntStream.range(0, messages)
                        .mapToObj(i -> trained.message(bytes, random))
                        .toList(),
                DICTIONARY_BYTES);
    }

    /** For the names of fields, such as {@code 2k}. */
    static String word(int bytes) {
        return bytes < KILOBYTE ? bytes + "b" : bytes / KILOBYTE + "k";
    }

    /** For tables, such as {@code 2 KB}. */
    String size() {
        return bytes < KILOBYTE ? bytes + " B" : bytes / KILOBYTE + " KB";
    }

    @Override
    public String toString() {
        return content.word() + ", " + size();
    }
}
