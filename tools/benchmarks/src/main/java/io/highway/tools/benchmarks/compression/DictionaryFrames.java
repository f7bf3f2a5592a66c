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

/**
 * Zstd with a dictionary, as in the SDK: level 3, with a checksum. Warm: the dictionary has been loaded, and contexts are
 * reused. Cold: both are created for each message, which is what the first message costs.
 */
final class DictionaryFrames implements Codec, AutoCloseable {

    static final String WARM = "zstd, dictionary";
    static final String COLD = "zstd, dictionary, cold";

    private static final int LEVEL = 3;
    private static final int COLD_MESSAGES = 64;

    private final byte[] dictionary;
    private final boolean cold;
    private final ZstdDictCompress compressDictionary;
    private final ZstdDictDecompress inflateDictionary;
    private final ZstdCompressCtx compressing;
    private final ZstdDecompressCtx inflating;

    private DictionaryFrames(Dictionary dictionary, boolean cold) {
        this.dictionary = dictionary.bytes();
        this.cold = cold;
        this.compressDictionary = new ZstdDictCompress(this.dictionary, LEVEL);
        this.inflateDictionary = new ZstdDictDecompress(this.dictionary);
        this.compressing = compressing(compressDictionary);
        this.inflating = new ZstdDecompressCtx().loadDict(inflateDictionary);
    }

    static DictionaryFrames warm(Dictionary dictionary) {
        return new DictionaryFrames(dictionary, false);
    }

    static DictionaryFrames cold(Dictionary dictionary) {
        return new DictionaryFrames(dictionary, true);
    }

    private static ZstdCompressCtx compressing(ZstdDictCompress dictionary) {
        return new ZstdCompressCtx().setLevel(LEVEL).setChecksum(true).loadDict(dictionary);
    }

    @Override
    public String title() {
        return cold ? COLD : WARM;
    }

    @Override
    public int messagesPerRound() {
        return cold ? COLD_MESSAGES : Integer.MAX_VALUE;
    }

    @Override
    public byte[] compress(byte[] message) {
        if (!cold) {
            return compress(message, compressing);
        }
        try (ZstdDictCompress loaded = new ZstdDictCompress(dictionary, LEVEL);
                ZstdCompressCtx context = compressing(loaded)) {
            return compress(message, context);
        }
    }

    private static byte[] compress(byte[] message, ZstdCompressCtx context) {
        byte[] compressed = new byte[(int) Zstd.compressBound(message.length)];
        int bytes = context.compressByteArray(compressed, 0, compressed.length, message, 0, message.length);
        return Arrays.copyOf(compressed, bytes);
    }

    @Override
    public byte[] inflate(byte[] compressed) {
        if (!cold) {
            return inflate(compressed, inflating);
        }
        try (ZstdDictDecompress loaded = new ZstdDictDecompress(dictionary);
                ZstdDecompressCtx context = new ZstdDecompressCtx()) {
            return inflate(compressed, context.loadDict(loaded));
        }
    }

    private static byte[] inflate(byte[] compressed, ZstdDecompressCtx context) {
        byte[] message = new byte[(int) Zstd.getFrameContentSize(compressed)];
        int bytes = context.decompressByteArray(message, 0, message.length, compressed, 0, compressed.length);
        return bytes == message.length ? message : Arrays.copyOf(message, bytes);
    }

    @Override
    public void close() {
        compressing.close();
        inflating.close();
        compressDictionary.close();
        inflateDictionary.close();
    }
}
