// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.compression;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdDictCompress;
import com.github.luben.zstd.ZstdDictDecompress;
import io.highway.samples.dictionary.Dictionary;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** As in the SDK: contexts are reused; a checksum only with a dictionary, which has been loaded. */
final class ZstdFrames implements Codec, AutoCloseable {

    static final String PLAIN = "zstd";
    static final String OWN = "zstd, dictionary";
    static final String SHARED = "zstd, shared dictionary";

    /** The SDK's. */
    static final int LEVEL = 3;

    private static final int MOST_LEVEL = 9;

    private final String name;
    private final int level;
    private final ZstdCompressCtx compressing;
    private final ZstdDecompressCtx inflating = new ZstdDecompressCtx();
    private @Nullable ZstdDictCompress compressDictionary;
    private @Nullable ZstdDictDecompress inflateDictionary;

    ZstdFrames(String name, int level, @Nullable Dictionary dictionary) {
        this.name = name;
        this.level = level;
        this.compressing = new ZstdCompressCtx().setLevel(level).setChecksum(dictionary != null);
        if (dictionary != null) {
            this.compressDictionary = new ZstdDictCompress(dictionary.bytes(), level);
            this.inflateDictionary = new ZstdDictDecompress(dictionary.bytes());
            compressing.loadDict(compressDictionary);
            inflating.loadDict(inflateDictionary);
        }
    }

    /** For tables; the SDK's level is not named. */
    static String title(String name, int level) {
        return level == LEVEL ? name : name + ", level " + level;
    }

    /** All that are compared, the SDK's first. */
    static int[] levels() {
        return IntStream.rangeClosed(LEVEL, MOST_LEVEL).toArray();
    }

    @Override
    public String title() {
        return title(name, level);
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
        if (compressDictionary != null && inflateDictionary != null) {
            compressDictionary.close();
            inflateDictionary.close();
        }
    }
}
