// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.network.compression;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdDictCompress;
import com.github.luben.zstd.ZstdDictDecompress;
import com.github.luben.zstd.ZstdException;
import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import io.highway.sdk.dubbo.internal.memory.MemoryBudget;
import io.highway.sdk.dubbo.internal.policy.ZstdDictionary;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufInputStream;
import io.netty.buffer.ByteBufUtil;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Compresses messages as zstd frames (RFC 8878), with a dictionary or without, and inflates them within a limit. Loaded
 * only if {@link ZstdLibrary} is present.
 */
final class ZstdCodec extends MessageCompressor {

    /** One for the process: pooled contexts have no other state. */
    static final ZstdCodec SHARED = new ZstdCodec(ZSTD, null);

    /**
     * By encoding, for the process: an encoding names the content, so applications cannot disagree, and share the memory.
     * A call in flight may still use the dictionary of an earlier policy, so none is removed; only the static configuration
     * declares dictionaries, so there are at most as many as it names.
     */
    private static final Map<String, ZstdCodec> WITH_DICTIONARY = new ConcurrentHashMap<>();

    /** The default of zstd; higher levels cost more time than they save on 30 Mbit/s. */
    private static final int LEVEL = 3;

    /** The longest header of a frame (RFC 8878, section 3.1.1): it announces the size. */
    private static final int MOST_OF_HEADER = 18;

    /** The base-2 logarithm of the largest window, 8 MB: what RFC 8878 recommends that every decoder supports. */
    private static final int WINDOW_LOG = 23;

    /**
     * For all dictionaries: each use loads one, which copies nothing. The checksum detects that the other side has another
     * dictionary with the same id.
     */
    private static final CompressorPool<ZstdCompressCtx> COMPRESSING_WITH_DICTIONARY =
            new CompressorPool<>(() -> new ZstdCompressCtx().setChecksum(true), ZstdCompressCtx::close);

    private static final CompressorPool<ZstdDecompressCtx> INFLATING_WITH_DICTIONARY =
            new CompressorPool<>(ZstdDecompressCtx::new, ZstdDecompressCtx::close);

    private final String encoding;
    private final @Nullable ZstdDictDecompress dictionary;
    /** Null for those without a dictionary. */
    private final @Nullable ZstdDictCompress prepared;

    private final CompressorPool<ZstdCompressCtx> compressing;
    private final CompressorPool<ZstdDecompressCtx> inflating;

    /** With a dictionary of this content, or without one. */
    private ZstdCodec(String encoding, byte @Nullable [] content) {
        this.encoding = encoding;
        this.dictionary = content == null ? null : new ZstdDictDecompress(content);
        this.prepared = content == null ? null : new ZstdDictCompress(content, LEVEL);
        this.compressing = content != null
                ? COMPRESSING_WITH_DICTIONARY
                : new CompressorPool<>(
                        () -> new ZstdCompressCtx().setLevel(LEVEL).setChecksum(false), ZstdCompressCtx::close);
        this.inflating = content != null
                ? INFLATING_WITH_DICTIONARY
                : new CompressorPool<>(ZstdDecompressCtx::new, ZstdDecompressCtx::close);
    }

    /**
     * Those of a dictionary that a policy is about to use.
     *
     * @throws ZstdException if zstd does not accept it
     */
    static ZstdCodec with(ZstdDictionary dictionary) {
        return WITH_DICTIONARY.computeIfAbsent(
                dictionary.encoding(), any -> new ZstdCodec(dictionary.encoding(), dictionary.content()));
    }

    /** Those of this encoding, or null if no policy has had its dictionary. */
    static @Nullable ZstdCodec named(String encoding) {
        return encoding.equals(ZSTD) ? SHARED : WITH_DICTIONARY.get(encoding);
    }

    @Override
    String encoding() {
        return encoding;
    }

    @Override
    byte @Nullable [] compress(byte[] bytes, int from, int length, int free) {
        byte[] compressed = new byte[free + (int) Zstd.compressBound(length)];
        ZstdCompressCtx context = compressing.take();
        try {
            if (prepared != null) {
                context.loadDict(prepared);
            }
            int size = context.compressByteArray(compressed, free, compressed.length - free, bytes, from, length);
            return size < length ? Arrays.copyOf(compressed, free + size) : null;
        } finally {
            compressing.keep(context);
        }
    }

    /**
     * The inflated message. A small one of one frame is inflated at once, others as they are read.
     *
     * @throws IOException if it is malformed, or needs another dictionary
     */
    InputStream inflating(ByteBuf message) throws IOException {
        byte[] start =
                ByteBufUtil.getBytes(message, message.readerIndex(), Math.min(MOST_OF_HEADER, message.readableBytes()));
        long announced = Zstd.getFrameContentSize(start);
        try {
            byte[] small = announced > 0 && announced <= MemoryBudget.STEP
                    ? inflate(ByteBufUtil.getBytes(message), (int) announced)
                    : null;
            if (small != null) {
                return new ByteArrayInputStream(small);
            }
            ZstdInputStreamNoFinalizer in = new ZstdInputStreamNoFinalizer(new ByteBufInputStream(message));
            in.setLongMax(WINDOW_LOG);
            return dictionary == null ? in : in.setDict(dictionary);
        } catch (ZstdException e) {
            throw new IOException("zstd: " + e.getMessage(), e);
        }
    }

    /** Null if more frames follow. */
    private byte @Nullable [] inflate(byte[] message, int size) throws IOException {
        byte[] plain = new byte[size];
        ZstdDecompressCtx context = inflating.take();
        try {
            if (dictionary != null) {
                context.loadDict(dictionary);
            }
            int bytes = context.decompressByteArray(plain, 0, size, message, 0, message.length);
            if (bytes != size) {
                throw new IOException("a zstd frame announces " + size + " bytes and contains " + bytes);
            }
            return plain;
        } catch (ZstdException e) {
            if (e.getErrorCode() == Zstd.errDstSizeTooSmall()) {
                return null;
            }
            throw e;
        } finally {
            inflating.keep(context);
        }
    }
}
