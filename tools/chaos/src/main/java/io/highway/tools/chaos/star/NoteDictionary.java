// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.chaos.star;

import io.highway.samples.dictionary.Dictionary;
import io.highway.tools.chaos.load.Compression;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;

/** A dictionary for the notes of calls. */
final class NoteDictionary {

    private static final int BYTES = 4 << 10;
    private static final int NOTES = 1000;

    private NoteDictionary() {}

    /** Trains it and returns its file. */
    static Path write(Path file) throws IOException {
        List<byte[]> notes = IntStream.range(0, NOTES)
                .mapToObj(i -> Compression.ZSTD.note(4 * i).getBytes(StandardCharsets.UTF_8))
                .toList();
        return Files.write(file, Dictionary.train(notes, BYTES).bytes()).toAbsolutePath();
    }
}
