// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.files;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Reads files that the static configuration names: regular ones only, since a pipe or a device may have no end, and up
 * to a size.
 */
public final class LocalFileReader {

    /** A read that takes longer does not answer, milliseconds. */
    public static final long LIMIT_MILLIS = 10_000;

    private LocalFileReader() {}

    /**
     * Reads a file on the calling thread.
     *
     * @throws IOException if it is not a regular file, has more bytes, or cannot be read
     */
    public static byte[] read(Path file, int most) throws IOException {
        byte[] content = readStart(file, most + 1);
        if (content.length > most) {
            throw new IOException(file + " has more than " + most + " bytes");
        }
        return content;
    }

    /**
     * Reads the first bytes of a file on the calling thread.
     *
     * @throws IOException if it is not a regular file, or cannot be read
     */
    public static byte[] readStart(Path file, int most) throws IOException {
        requireRegular(file);
        try (InputStream in = Files.newInputStream(file)) {
            return in.readNBytes(most);
        }
    }

    /** Passes for a missing file, which the read reports. */
    public static void requireRegular(Path file) throws IOException {
        if (Files.exists(file) && !Files.isRegularFile(file)) {
            throw new IOException(file + " is not a regular file");
        }
    }
}
