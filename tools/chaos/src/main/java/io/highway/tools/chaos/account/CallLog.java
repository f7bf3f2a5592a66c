// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.chaos.account;

import java.io.BufferedWriter;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file with a line per call that was not delivered, up to a limit. Thread-safe. */
final class CallLog implements Closeable {

    private static final int LIMIT = 200_000;

    private final Path file;
    private final BufferedWriter writer;
    private int lines;

    CallLog(Path file) throws IOException {
        this.file = file;
        this.writer = Files.newBufferedWriter(file);
    }

    synchronized void note(int id, String line) {
        if (lines++ < LIMIT) {
            try {
                writer.write(id + " " + line + "\n");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** The entry of a call. */
    synchronized String find(int id) throws IOException {
        writer.flush();
        try (var noted = Files.lines(file, StandardCharsets.UTF_8)) {
            return noted.filter(line -> line.startsWith(id + " ")).findFirst().orElse("");
        }
    }

    @Override
    public synchronized void close() throws IOException {
        writer.close();
    }
}
