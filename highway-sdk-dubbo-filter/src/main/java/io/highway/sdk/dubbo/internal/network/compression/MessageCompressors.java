// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.network.compression;

import org.jspecify.annotations.Nullable;

/** The compressors of this process, by encoding. */
final class MessageCompressors {

    private MessageCompressors() {}

    /** The compressor of an encoding, or null if it compresses nothing or is unknown. */
    static @Nullable MessageCompressor of(@Nullable String encoding) {
        if (MessageCompressor.GZIP.equals(encoding)) {
            return GzipCompressor.SHARED;
        }
        return encoding != null && encoding.startsWith(MessageCompressor.ZSTD) && ZstdLibrary.isPresent()
                ? ZstdCodec.named(encoding)
                : null;
    }
}
