// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.compression;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.UnaryOperator;
import org.apache.dubbo.rpc.StatusRpcException;
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
    private static final int WITH_DICTIONARY = 0x07_48_57_44;
    private static final int UNREADABLE = 0x07_48_57_55;

    private MarkedMessage() {}

    /** The message to hand to Dubbo: compressed and marked, or as it is. */
    static byte[] of(byte[] message, MessageCompressor compressor) {
        byte[] compressed = compressor.compress(message, MARK_BYTES);
        if (compressed == null) {
            return message;
        }
        ByteBuffer.wrap(compressed).putInt(0, compressor.encoding().equals(MessageCompressor.GZIP) ? GZIP : ZSTD);
        return compressed;
    }

    /** Whether the first four bytes of a message mark it as compressed. */
    static boolean isCompressed(int start) {
        return start == GZIP || start == ZSTD;
    }

    /** The message that was handed to {@link #of}. */
    static byte[] plain(byte[] message) {
        int mark = mark(message);
        if (!isCompressed(mark)) {
            return message;
        }
        try {
            return Inflation.inflate(
                    mark == ZSTD ? MessageCompressor.ZSTD : MessageCompressor.GZIP,
                    unmarked(message),
                    Inflation.MOST,
                    UnaryOperator.identity(),
                    step -> {});
        } catch (IOException e) {
            throw new UncheckedIOException(e); // this process has compressed it
        }
    }

    /** An answer that only its reference can inflate, which knows the dictionary: {@link #answer}. */
    static byte[] withDictionary(byte[] message) {
        return marked(WITH_DICTIONARY, message);
    }

    /**
     * The answer as it was before {@link #withDictionary}.
     *
     * @param dictionary of the island that has answered, or null if it has none
     */
    static byte[] answer(byte[] message, @Nullable MessageCompressor dictionary, InflationLimit limit)
            throws UnreadableAnswerException {
        if (mark(message) == UNREADABLE) {
            throw new UnreadableAnswerException(new String(unmarked(message), StandardCharsets.UTF_8));
        }
        if (mark(message) != WITH_DICTIONARY) {
            return message;
        }
        if (dictionary == null) {
            throw new UnreadableAnswerException("the message is compressed with a dictionary, and there is none");
        }
        try {
            return limit.inflate(dictionary.encoding(), unmarked(message), UnaryOperator.identity());
        } catch (StatusRpcException | IOException e) {
            throw new UnreadableAnswerException(String.valueOf(e.getMessage()));
        }
    }

    private static int mark(byte[] message) {
        return message.length < MARK_BYTES ? 0 : ByteBuffer.wrap(message).getInt();
    }

    private static byte[] unmarked(byte[] message) {
        return Arrays.copyOfRange(message, MARK_BYTES, message.length);
    }

    private static byte[] marked(int mark, byte[] message) {
        return ByteBuffer.allocate(MARK_BYTES + message.length)
                .putInt(mark)
                .put(message)
                .array();
    }

    /** What takes the place of a message that cannot be read: no parser accepts it. */
    static byte[] unreadable(String why) {
        return marked(UNREADABLE, why.getBytes(StandardCharsets.UTF_8));
    }
}
