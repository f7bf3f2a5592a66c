// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.connection.triple;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Messages on their way through Dubbo's own code, which knows an array of bytes only. A mark is in front of those that
 * are not plain; it never leaves this process. No protobuf message begins like that: the first byte is field 0 of wire
 * type 7, and neither exists.
 */
final class MarkedMessage {

    /** The length of a mark. */
    static final int MARK_BYTES = Integer.BYTES;

    private static final int GZIP = 0x07_48_57_47;
    private static final int ZSTD = 0x07_48_57_5a;
    private static final int UNREADABLE = 0x07_48_57_55;

    private MarkedMessage() {}

    /** The message to hand to Dubbo: compressed and marked, or as it is. */
    static byte[] of(byte[] message, MessageCompressor compressor) {
        byte[] compressed = compressor.compress(message, MARK_BYTES);
        if (compressed == null) {
            return message;
        }
        ByteBuffer.wrap(compressed).putInt(0, compressor.encoding().equals(MessageCompressor.ZSTD) ? ZSTD : GZIP);
        return compressed;
    }

    /** Whether the first four bytes of a message mark it as compressed. */
    static boolean isCompressed(int start) {
        return start == GZIP || start == ZSTD;
    }

    /** The message that was handed to {@link #of}. */
    static byte[] plain(byte[] message) {
        int mark = message.length < MARK_BYTES ? 0 : ByteBuffer.wrap(message).getInt();
        if (!isCompressed(mark)) {
            return message;
        }
        try {
            return MessageReader.inflate(
                    mark == ZSTD ? MessageCompressor.ZSTD : MessageCompressor.GZIP,
                    Arrays.copyOfRange(message, MARK_BYTES, message.length),
                    TripleServerCompatibility.MOST,
                    UnaryOperator.identity());
        } catch (IOException e) {
            throw new UncheckedIOException(e); // this process has compressed it
        }
    }

    /** What takes the place of a message that cannot be read: no parser accepts it. */
    static byte[] unreadable(String why) {
        byte[] text = why.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(MARK_BYTES + text.length)
                .putInt(UNREADABLE)
                .put(text)
                .array();
    }

    /** Why a message could not be read, or null if it could. */
    static @Nullable String problem(byte[] message) {
        return message.length >= MARK_BYTES && ByteBuffer.wrap(message).getInt() == UNREADABLE
                ? new String(message, MARK_BYTES, message.length - MARK_BYTES, StandardCharsets.UTF_8)
                : null;
    }
}
