// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.compression;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/** The codec {@code gzip} of gRPC for Java and of Dubbo: level 6, a new stream for each message. */
final class StreamedGzip implements Codec {

    @Override
    public String title() {
        return "gzip, streams";
    }

    @Override
    public byte[] compress(byte[] message) throws IOException {
        ByteArrayOutputStream compressed = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(compressed)) {
            gzip.write(message);
        }
        return compressed.toByteArray();
    }

    @Override
    public byte[] inflate(byte[] compressed) throws IOException {
        return gunzip(compressed);
    }

    static byte[] gunzip(byte[] compressed) throws IOException {
        try (GZIPInputStream gzip = new GZIPInputStream(new ByteArrayInputStream(compressed))) {
            return gzip.readAllBytes();
        }
    }
}
