// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.network.compression;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.Arrays;
import java.util.List;
import org.apache.dubbo.remoting.Constants;
import org.jspecify.annotations.Nullable;

/** Compresses the answers to calls from other islands, on the thread that sends them. */
public final class AnswerCompressor {

    /** Smaller messages gain little on most networks, being one packet in any case. */
    private static final int SMALLEST = 512;

    /** With a dictionary most messages of a kilobyte get smaller than a quarter. */
    private static final int SMALLEST_WITH_DICTIONARY = 128;

    private AnswerCompressor() {}

    /** A compressed answer. */
    public record Encoded(String encoding, ByteBuf body) {}

    /**
     * The compressed answer, or null if it is sent as it is.
     *
     * @param accepted what the caller can inflate, separated by commas, or null
     * @param dictionary the encoding with the dictionary of the caller's island, or null
     */
    public static @Nullable Encoded encode(@Nullable String accepted, @Nullable String dictionary, ByteBuf plain) {
        MessageCompressor chosen = accepted == null ? null : chosen(accepted, dictionary);
        byte[] bytes = chosen == null ? null : compress(chosen, dictionary, ByteBufUtil.getBytes(plain), 0);
        return chosen == null || bytes == null ? null : new Encoded(chosen.encoding(), Unpooled.wrappedBuffer(bytes));
    }

    /** The first encoding that the caller names and this process has. */
    static @Nullable MessageCompressor chosen(String accepted, @Nullable String dictionary) {
        List<String> names = Arrays.asList(accepted.replace(" ", "").split(","));
        if (dictionary != null && names.contains(dictionary)) {
            return MessageCompressors.of(dictionary);
        }
        MessageCompressor zstd = MessageCompressors.of(MessageCompressor.ZSTD);
        if (zstd != null && names.contains(MessageCompressor.ZSTD)) {
            return zstd;
        }
        return names.contains(MessageCompressor.GZIP) ? MessageCompressors.of(MessageCompressor.GZIP) : null;
    }

    /** One message behind so many free bytes, or null. No caller inflates more than the default payload, unless it is configured to. */
    static byte @Nullable [] compress(MessageCompressor chosen, @Nullable String dictionary, byte[] plain, int free) {
        int smallest = chosen.encoding().equals(dictionary) ? SMALLEST_WITH_DICTIONARY : SMALLEST;
        return plain.length < smallest || plain.length > Constants.DEFAULT_PAYLOAD
                ? null
                : chosen.compress(plain, free);
    }
}
