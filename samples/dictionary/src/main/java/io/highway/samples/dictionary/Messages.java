// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.dictionary;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Different messages, split by chance, the same way for the same messages.
 *
 * @param read how many there were, with repeated ones
 * @param trained four of five
 * @param heldOut the others, to measure with
 */
record Messages(int read, List<byte[]> trained, List<byte[]> heldOut) {

    private static final int FEWEST = 100;
    private static final int HELD_OUT_OF = 5;
    private static final int LONGEST = 1 << 20;
    private static final long SEED = 20;

    /**
     * Reads all files below a directory, one message in each; those over 1 MB are left out.
     *
     * @throws IllegalArgumentException if there are too few different ones
     */
    static Messages read(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            throw new IllegalArgumentException("--messages: '" + directory + "' is no directory; write the one of an"
                    + " island that the gateway has recorded, such as recorded/shanghai");
        }
        int read = 0;
        Set<ByteBuffer> different = new LinkedHashSet<>();
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                if (Files.size(file) <= LONGEST) {
                    read++;
                    different.add(ByteBuffer.wrap(Files.readAllBytes(file)));
                }
            }
        }
        if (read == 0) {
            throw new IllegalArgumentException(
                    "--messages: no messages in '" + directory + "'; record some: set record in"
                            + " the configuration of the gateway (tools/gateway), and call over Triple without compression");
        } else if (different.size() < FEWEST) {
            throw new IllegalArgumentException("--messages: only " + different.size() + " different messages of " + read
                    + " in '" + directory + "'; record at least " + FEWEST + ", better thousands");
        }
        return split(
                read, new ArrayList<>(different.stream().map(ByteBuffer::array).toList()));
    }

    private static Messages split(int read, List<byte[]> different) {
        Collections.shuffle(different, new Random(SEED));
        int heldOut = different.size() / HELD_OUT_OF;
        return new Messages(read, different.subList(heldOut, different.size()), different.subList(0, heldOut));
    }

    static long bytes(List<byte[]> messages) {
        return messages.stream().mapToLong(message -> message.length).sum();
    }
}
