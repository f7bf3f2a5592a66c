// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.dictionary;

import com.github.luben.zstd.ZstdCompressCtx;
import com.github.luben.zstd.ZstdDictTrainer;
import com.github.luben.zstd.ZstdException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/** A zstd dictionary (RFC 8878, section 5). It contains fragments of the messages of its training. */
public final class Dictionary {

    /** As in the SDK. */
    static final int LEVEL = 3;

    private static final int MOST_TRAINED_BYTES = 16 << 20;
    private static final int HEX_DIGITS = 32;

    private final byte[] bytes;

    private Dictionary(byte[] bytes) {
        this.bytes = bytes;
    }

    /**
     * Trains with messages, of which the first 16 MB count.
     *
     * @param size of the dictionary in bytes, at most
     * @throws IllegalArgumentException if zstd finds no dictionary in them
     */
    public static Dictionary train(List<byte[]> messages, int size) {
        long all = messages.stream().mapToLong(message -> message.length).sum();
        ZstdDictTrainer trainer = new ZstdDictTrainer((int) Math.min(all, MOST_TRAINED_BYTES), size, LEVEL);
        for (byte[] message : messages) {
            if (!trainer.addSample(message)) {
                break; // no room for more
            }
        }
        try {
            return new Dictionary(trainer.trainSamples());
        } catch (ZstdException e) {
            throw new IllegalArgumentException("zstd finds no dictionary in " + messages.size() + " messages", e);
        }
    }

    /** The content of its file. */
    public byte[] bytes() {
        return bytes.clone();
    }

    /** The name of the encoding of messages that are compressed with it, as in {@code grpc-encoding}. */
    public String encoding() {
        try {
            byte[] sha256 = MessageDigest.getInstance("SHA-256").digest(bytes);
            return "zstd-" + HexFormat.of().formatHex(sha256).substring(0, HEX_DIGITS);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** How many times as long messages are as what the SDK sends with this dictionary. */
    double ratio(List<byte[]> messages) {
        try (ZstdCompressCtx context = new ZstdCompressCtx()) {
            return ratio(messages, context.loadDict(bytes).setChecksum(true));
        }
    }

    /** The same without a dictionary. */
    static double ratioWithout(List<byte[]> messages) {
        try (ZstdCompressCtx context = new ZstdCompressCtx()) {
            return ratio(messages, context.setChecksum(false));
        }
    }

    private static double ratio(List<byte[]> messages, ZstdCompressCtx context) {
        context.setLevel(LEVEL);
        long plain = 0;
        long sent = 0;
        for (byte[] message : messages) {
            plain += message.length;
            sent += Math.min(message.length, context.compress(message).length); // else it is sent as it is
        }
        return (double) plain / sent;
    }
}
