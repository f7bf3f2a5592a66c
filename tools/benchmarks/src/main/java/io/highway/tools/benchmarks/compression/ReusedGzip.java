// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.compression;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import java.util.zip.GZIPInputStream;

/** As the SDK sends gzip: level 6, with a deflater that is reused. It inflates by a new stream for each message. */
final class ReusedGzip implements Codec, AutoCloseable {

    private static final byte[] HEADER = {0x1f, (byte) 0x8b, Deflater.DEFLATED, 0, 0, 0, 0, 0, 0, 0};
    private static final int TRAILER_BYTES = 8;

    private final Deflater deflater = new Deflater(Deflater.DEFAULT_COMPRESSION, true);

    @Override
    public String title() {
        return "gzip";
    }

    @Override
    public byte[] compress(byte[] message) {
        byte[] compressed = Arrays.copyOf(HEADER, HEADER.length + message.length + TRAILER_BYTES);
        int bytes = HEADER.length;
        deflater.reset();
        deflater.setInput(message);
        deflater.finish();
        while (!deflater.finished()) {
            if (compressed.length - bytes <= TRAILER_BYTES) { // it does not get smaller
                compressed = Arrays.copyOf(compressed, 2 * compressed.length);
            }
            bytes += deflater.deflate(compressed, bytes, compressed.length - TRAILER_BYTES - bytes);
        }
        CRC32 checksum = new CRC32();
        checksum.update(message);
        ByteBuffer.wrap(compressed, bytes, TRAILER_BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt((int) checksum.getValue())
                .putInt(message.length);
        return Arrays.copyOf(compressed, bytes + TRAILER_BYTES);
    }

    @Override
    public byte[] inflate(byte[] compressed) throws IOException {
        try (GZIPInputStream gzip = new GZIPInputStream(new ByteArrayInputStream(compressed))) {
            return gzip.readAllBytes();
        }
    }

    @Override
    public void close() {
        deflater.end();
    }
}
