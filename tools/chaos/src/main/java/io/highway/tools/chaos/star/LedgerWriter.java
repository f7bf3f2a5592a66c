// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.chaos.star;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * Appends a line per executed call to a file. The line is written to the operating system before {@link #executed}
 * returns, so it survives the end of this process.
 */
public final class LedgerWriter {

    private final OutputStream file;

    /** Writes to this file. */
    public LedgerWriter(Path file) throws IOException {
        this.file = new FileOutputStream(file.toFile(), true);
    }

    /** Appends a call. */
    public synchronized void executed(int id) {
        try {
            file.write((id + "\n").getBytes(StandardCharsets.US_ASCII));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
