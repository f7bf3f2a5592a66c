// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.compression;

import com.github.luben.zstd.ZstdOutputStreamNoFinalizer;
import io.highway.samples.dictionary.Dictionary;
import io.highway.tools.benchmarks.orders.Family;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/**
 * What is the same for all codecs.
 *
 * @param family of the messages
 * @param bytes of each, about
 */
record Setting(Family family, int bytes) {

    static final int SMALL = 2 << 10;
    static final List<Integer> SIZES = List.of(SMALL, 80 << 10);

    private static final int KILOBYTE = 1 << 10;
    private static final int DICTIONARY_BYTES = 16 * KILOBYTE;
    private static final int FEWEST_TRAINED = 50;
    private static final int BEST_LEVEL = 19;
    private static final int LONG_WINDOW = 27;

    static List<Setting> all() {
        return Stream.of(Family.values())
                .flatMap(family -> SIZES.stream().map(bytes -> new Setting(family, bytes)))
                .toList();
    }

    /** As many different messages as there are in so many bytes; the same in every run. */
    List<byte[]> messages(int total) {
        return encoded(Family.Half.MEASURED, Math.max(2, total / bytes));
    }

    private List<byte[]> encoded(Family.Half half, int count) {
        return family.messages(half, bytes, count).stream().map(Family::encoded).toList();
    }

    private List<byte[]> trained(int total) {
        Setting from = family == Family.RANDOM ? new Setting(Family.ORDERS_TEXT, bytes) : this;
        return from.encoded(Family.Half.TRAINED, Math.max(FEWEST_TRAINED, total / bytes));
    }

    /** Trained with the other half of this family, at this size; for random bytes with orders. */
    Dictionary dictionary(int total) {
        return Dictionary.train(trained(total), DICTIONARY_BYTES);
    }

    /** One dictionary of the same size for all families at a size. */
    static Dictionary shared(int bytes, int total) {
        List<byte[]> messages = new ArrayList<>();
        Family.HELD_OUT.forEach(family -> messages.addAll(new Setting(family, bytes).trained(total)));
        Collections.shuffle(messages, new Random(bytes));
        return Dictionary.train(messages, DICTIONARY_BYTES);
    }

    /**
     * How many bytes 2,048 bytes of a message add to a stream that has as many others before them: what a dictionary of
     * any size could not save.
     */
    double information(int total) throws IOException {
        List<byte[]> messages = encoded(Family.Half.MEASURED, Math.max(2, total / bytes) * 2);
        ByteArrayOutputStream compressed = new ByteArrayOutputStream();
        int before = 0;
        long added = 0;
        try (ZstdOutputStreamNoFinalizer zstd = new ZstdOutputStreamNoFinalizer(compressed, BEST_LEVEL)) {
            zstd.setLong(LONG_WINDOW);
            for (int i = 0; i < messages.size(); i++) {
                if (i == messages.size() / 2) {
                    zstd.flush();
                    before = compressed.size();
                }
                zstd.write(messages.get(i));
                added += i < messages.size() / 2 ? 0 : messages.get(i).length;
            }
        }
        return (double) (compressed.size() - before) * SMALL / added;
    }

    /** For the names of fields, such as {@code 2k}. */
    static String word(int bytes) {
        return bytes / KILOBYTE + "k";
    }

    /** For tables, such as {@code 2 KB}. */
    static String size(int bytes) {
        return bytes / KILOBYTE + " KB";
    }

    @Override
    public String toString() {
        return family.word() + ", " + size(bytes);
    }
}
