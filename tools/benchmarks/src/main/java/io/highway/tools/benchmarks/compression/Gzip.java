// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.compression;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/** As the SDK sends and reads gzip: level 6, a new stream for each message. */
final class Gzip implements Codec {

    @Override
    public String title() {
        return "gzip";
    }

    @Override
    public byte[] compress(byte[] message) throws IOException {
        ByteArrayOutputStream compressed = new ByteArrayOutputStream(message.length);
        try (GZIPOutputStream gzip = new GZIPOutputStream(compressed)) {
            gzip.write(message);
        }
        return compressed.toByteArray();
    }

    @Override
    public byte[] inflate(byte[] compressed) throws IOException {
        try (GZIPInputStream gzip = new GZIPInputStream(new ByteArrayInputStream(compressed))) {
            return gzip.readAllBytes();
        }
    }
}
