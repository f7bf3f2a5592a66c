// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.policy;

import io.highway.sdk.dubbo.HighwayConfigurationException;
import io.highway.sdk.dubbo.internal.files.LocalFileReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * A trained zstd dictionary, which both sides have as a file. It is read with the static configuration, and compared by
 * its content. Immutable.
 */
public final class ZstdDictionary {

    /** The prefix of every encoding with a dictionary. */
    public static final String PREFIX = "zstd-";

    /** The value of an island that has none. */
    public static final String NONE = "none";

    private static final String FILE = "file:";

    /** RFC 8878, section 5: the first four bytes, little-endian, of a trained dictionary. */
    private static final int MAGIC = 0xEC30A437;

    /** zstd trains dictionaries of 4 to 100 KB; a larger file is a mistake. */
    private static final int MOST_BYTES = 1024 * 1024;

    /** 128 bits of the hash are on the wire. */
    private static final int NAME_BYTES = 16;

    private final byte[] content;
    private final String encoding;

    private ZstdDictionary(byte[] content) {
        this.content = content;
        this.encoding = PREFIX + HexFormat.of().formatHex(sha256(content), 0, NAME_BYTES);
    }

    /**
     * Reads the dictionary of a key.
     *
     * @param name the last part of the key
     * @throws HighwayConfigurationException if the name or the value is malformed, or the file is no dictionary
     */
    public static ZstdDictionary read(String key, String name, String value) {
        if (!Key.NAME.matcher(name).matches() || name.equals(NONE)) {
            throw new HighwayConfigurationException(
                    key,
                    "the name is missing or is not 1 to 63 lower-case letters, digits and hyphens",
                    "Write highway.dictionaries.<name>=file:<path>, with another name than none");
        }
        if (!value.startsWith(FILE) || value.length() == FILE.length()) {
            throw HighwayConfigurationException.notAllowed(
                    key, value, "file:<path>", "Write file:<path> of a dictionary that zstd has trained");
        }
        byte[] content;
        try {
            content = LocalFileReader.read(Path.of(value.substring(FILE.length())), MOST_BYTES);
        } catch (IOException | InvalidPathException e) {
            throw problem(key, value, "cannot be read: " + e);
        }
        ByteBuffer header = ByteBuffer.wrap(content).order(ByteOrder.LITTLE_ENDIAN);
        if (content.length < Long.BYTES || header.getInt() != MAGIC || header.getInt() == 0) { // the second is the id
            throw problem(key, value, "is no trained zstd dictionary: it does not begin with 37 a4 30 ec and an id");
        }
        return new ZstdDictionary(content);
    }

    /** A dictionary that is declared, but whose file is not read: for the check of a policy. */
    public static ZstdDictionary unread(String name) {
        return new ZstdDictionary(name.getBytes(StandardCharsets.UTF_8));
    }

    private static HighwayConfigurationException problem(String key, String value, String what) {
        return new HighwayConfigurationException(
                key, "\"" + value + "\" " + what, "Train one with samples/dictionary/train.sh");
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
        return other instanceof ZstdDictionary dictionary && encoding.equals(dictionary.encoding);
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
