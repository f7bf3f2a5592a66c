// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.upload;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** The SHA-256 of a file, read in pieces. */
public final class Checksum {

    private static final int PIECE = 64 * 1024;

    private Checksum() {}

    public static String of(Path file) throws IOException {
        MessageDigest digest = sha256();
        byte[] piece = new byte[PIECE];
        try (InputStream content = Files.newInputStream(file)) {
            for (int read = content.read(piece); read >= 0; read = content.read(piece)) {
                digest.update(piece, 0, read);
            }
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every Java has it
        }
    }
}
