// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.compression;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import com.github.luben.zstd.ZstdDecompressCtx;
import java.util.Arrays;

/** As in the SDK: level 3, without a checksum, with contexts that are reused. */
final class ZstdFrames implements Codec, AutoCloseable {

    static final String TITLE = "zstd";

    private static final int LEVEL = 3;

    private final ZstdCompressCtx compressing =
            new ZstdCompressCtx().setLevel(LEVEL).setChecksum(false);
    private final ZstdDecompressCtx inflating = new ZstdDecompressCtx();

    @Override
    public String title() {
        return TITLE;
    }

    @Override
    public byte[] compress(byte[] message) {
        byte[] compressed = new byte[(int) Zstd.compressBound(message.length)];
        int bytes = compressing.compressByteArray(compressed, 0, compressed.length, message, 0, message.length);
        return Arrays.copyOf(compressed, bytes);
    }

    @Override
    public byte[] inflate(byte[] compressed) {
        byte[] message = new byte[(int) Zstd.getFrameContentSize(compressed)];
        int bytes = inflating.decompressByteArray(message, 0, message.length, compressed, 0, compressed.length);
        return bytes == message.length ? message : Arrays.copyOf(message, bytes);
    }

    @Override
    public void close() {
        compressing.close();
        inflating.close();
    }
}
