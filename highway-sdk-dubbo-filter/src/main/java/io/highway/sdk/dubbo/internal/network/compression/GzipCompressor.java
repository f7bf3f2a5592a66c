// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.network.compression;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/** Compresses messages as gzip members (RFC 1952). */
final class GzipCompressor extends MessageCompressor {

    static final GzipCompressor SHARED = new GzipCompressor();

    private GzipCompressor() {}

    @Override
    String encoding() {
        return GZIP;
    }

    @Override
    byte @Nullable [] compress(byte[] bytes, int from, int length, int free) {
        ByteArrayOutputStream compressed = new ByteArrayOutputStream(free + length);
        compressed.writeBytes(new byte[free]);
        try (GZIPOutputStream gzip = new GZIPOutputStream(compressed)) {
            gzip.write(bytes, from, length);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // an array has no such errors
        }
        return compressed.size() < free + length ? compressed.toByteArray() : null;
    }
}
