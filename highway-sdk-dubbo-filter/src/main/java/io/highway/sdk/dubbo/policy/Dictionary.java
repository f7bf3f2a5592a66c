// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.policy;

import io.highway.sdk.dubbo.HighwayConfigurationException;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * A trained zstd dictionary, which both sides have as a file. It is read with the policy, and compared by its content.
 * Immutable.
 */
public final class Dictionary {

    /** The prefix of every encoding with a dictionary. */
    public static final String PREFIX = "zstd-";

    private static final String FILE = "file:";

    /** RFC 8878, section 5: the first four bytes, little-endian, of a trained dictionary. */
    private static final int MAGIC = 0xEC30A437;

    /** zstd trains dictionaries of 4 to 100 KB; a larger file is a mistake. */
    private static final int MOST_BYTES = 1024 * 1024;

    /** 128 bits of the hash are on the wire. */
    private static final int NAME_BYTES = 16;

    private final byte[] content;
    private final String encoding;

    private Dictionary(byte[] content) {
        this.content = content;
        this.encoding = PREFIX + HexFormat.of().formatHex(sha256(content), 0, NAME_BYTES);
    }

    /**
     * Reads the dictionary of a key.
     *
     * @return null for {@code none}
     * @throws HighwayConfigurationException if the value is another one, or the file is missing or no dictionary
     */
    public static @Nullable Dictionary of(String key, String value) {
        if (value.equals("none")) {
            return null;
        }
        if (!value.startsWith(FILE) || value.length() == FILE.length()) {
            throw HighwayConfigurationException.notAllowed(
                    key, value, "none or file:<path>", "Write file:<path> of a dictionary that zstd has trained");
        }
        byte[] content;
        try (InputStream in = Files.newInputStream(Path.of(value.substring(FILE.length())))) {
            content = in.readNBytes(MOST_BYTES + 1);
        } catch (IOException | InvalidPathException e) {
            throw problem(key, value, "cannot be read: " + e);
        }
        if (content.length > MOST_BYTES) {
            throw problem(key, value, "has more than " + MOST_BYTES + " bytes");
        }
        ByteBuffer header = ByteBuffer.wrap(content).order(ByteOrder.LITTLE_ENDIAN);
        if (content.length < Long.BYTES || header.getInt() != MAGIC || header.getInt() == 0) { // the second is the id
            throw problem(key, value, "is no trained zstd dictionary: it does not begin with 37 a4 30 ec and an id");
        }
        return new Dictionary(content);
    }

    /** Whether a value names a file that does not exist on this machine. */
    public static boolean isMissing(@Nullable String value) {
        return value != null && value.startsWith(FILE) && !new File(value.substring(FILE.length())).exists();
    }

    private static HighwayConfigurationException problem(String key, String value, String what) {
        return new HighwayConfigurationException(
                key, "\"" + value + "\" " + what, "Train one with samples/dictionary/train.sh, or write none");
    }

    private static byte[] sha256(byte[] content) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(content);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java runtime has SHA-256", e);
        }
    }

    /** The name of messages compressed with it: {@link #PREFIX} and the first half of its SHA-256 in hexadecimal. */
    public String encoding() {
        return encoding;
    }

    /** A copy of the file's content. */
    public byte[] content() {
        return content.clone();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Dictionary dictionary && encoding.equals(dictionary.encoding);
    }

    @Override
    public int hashCode() {
        return encoding.hashCode();
    }

    @Override
    public String toString() {
        return encoding;
    }
}
