// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.compression;

import java.util.Arrays;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import org.jspecify.annotations.Nullable;

/** Compresses messages as gzip members (RFC 1952). */
final class GzipMessages extends MessageCompressor {

    /** One for the process: pooled deflaters have no other state. */
    static final GzipMessages SHARED = new GzipMessages();

    /** No name, no time, no flags. */
    private static final byte[] HEADER = {0x1f, (byte) 0x8b, Deflater.DEFLATED, 0, 0, 0, 0, 0, 0, 0};

    /** The checksum and the length. */
    private static final int TRAILER_BYTES = 8;

    private final NativePool<Deflater> deflaters =
            new NativePool<>(() -> new Deflater(Deflater.DEFAULT_COMPRESSION, true), Deflater::end);

    private GzipMessages() {}

    @Override
    String encoding() {
        return GZIP;
    }

    @Override
    byte @Nullable [] compress(byte[] bytes, int from, int length, int room) {
        Deflater deflater = deflaters.take();
        try {
            return compress(deflater, bytes, from, length, room);
        } finally {
            deflater.reset();
            deflaters.keep(deflater);
        }
    }

    private static byte @Nullable [] compress(Deflater deflater, byte[] message, int from, int length, int room) {
        byte[] compressed = new byte[room + length - 1];
        System.arraycopy(HEADER, 0, compressed, room, HEADER.length);
        int most = compressed.length - TRAILER_BYTES;
        int bytes = room + HEADER.length;
        deflater.setInput(message, from, length);
        deflater.finish();
        while (!deflater.finished() && bytes < most) {
            bytes += deflater.deflate(compressed, bytes, most - bytes);
        }
        if (!deflater.finished()) {
            return null;
        }
        CRC32 checksum = new CRC32();
        checksum.update(message, from, length);
        writeIntLE(compressed, bytes, (int) checksum.getValue());
        writeIntLE(compressed, bytes + Integer.BYTES, length);
        return Arrays.copyOf(compressed, bytes + TRAILER_BYTES);
    }

    private static void writeIntLE(byte[] bytes, int at, int value) {
        for (int i = 0; i < Integer.BYTES; i++) {
            bytes[at + i] = (byte) (value >>> (Byte.SIZE * i));
        }
    }
}
