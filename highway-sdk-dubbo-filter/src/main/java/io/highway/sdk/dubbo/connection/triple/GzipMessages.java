// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.connection.triple;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import org.jspecify.annotations.Nullable;

/**
 * Compresses messages on the calling thread, so that no other call waits. The result is a gzip member (RFC 1952), which
 * {@link GzipRequests} recognises by its first bytes. Thread-safe.
 */
final class GzipMessages {

    /** No name, no time, no flags. */
    private static final byte[] HEADER = {0x1f, (byte) 0x8b, Deflater.DEFLATED, 0, 0, 0, 0, 0, 0, 0};

    /** The checksum and the length. */
    private static final int TRAILER_BYTES = 8;

    /** Smaller messages are not compressed. */
    private static final int SMALLEST = 64;

    /** The number of pooled deflaters, each a quarter of a megabyte outside the heap; more are created as needed. */
    private static final int MOST_KEPT = Runtime.getRuntime().availableProcessors();

    private final Deque<Deflater> kept = new ArrayDeque<>();

    /** Returns the message compressed, or itself if it would not get smaller. */
    byte[] smaller(byte[] message) {
        if (message.length <= SMALLEST) {
            return message;
        }
        Deflater deflater = take();
        try {
            byte[] compressed = compress(deflater, message);
            return compressed == null ? message : compressed;
        } finally {
            keep(deflater);
        }
    }

    private static byte @Nullable [] compress(Deflater deflater, byte[] message) {
        byte[] compressed = Arrays.copyOf(HEADER, message.length - 1);
        int most = compressed.length - TRAILER_BYTES;
        int bytes = HEADER.length;
        deflater.setInput(message);
        deflater.finish();
        while (!deflater.finished() && bytes < most) {
            bytes += deflater.deflate(compressed, bytes, most - bytes);
        }
        if (!deflater.finished()) {
            return null;
        }
        CRC32 checksum = new CRC32();
        checksum.update(message);
        writeIntLE(compressed, bytes, (int) checksum.getValue());
        writeIntLE(compressed, bytes + Integer.BYTES, message.length);
        return Arrays.copyOf(compressed, bytes + TRAILER_BYTES);
    }

    private static void writeIntLE(byte[] bytes, int at, int value) {
        for (int i = 0; i < Integer.BYTES; i++) {
            bytes[at + i] = (byte) (value >>> (Byte.SIZE * i));
        }
    }

    private Deflater take() {
        synchronized (kept) {
            Deflater free = kept.poll();
            return free != null ? free : new Deflater(Deflater.DEFAULT_COMPRESSION, true);
        }
    }

    private void keep(Deflater deflater) {
        deflater.reset();
        synchronized (kept) {
            if (kept.size() < MOST_KEPT) {
                kept.push(deflater);
                return;
            }
        }
        deflater.end();
    }
}
