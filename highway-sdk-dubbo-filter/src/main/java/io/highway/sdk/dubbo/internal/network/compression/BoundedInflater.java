// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.network.compression;

import io.highway.sdk.dubbo.internal.memory.MemoryBudget;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufInputStream;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.IntConsumer;
import java.util.function.UnaryOperator;
import java.util.zip.GZIPInputStream;
import org.apache.dubbo.common.utils.ClassUtils;
import org.apache.dubbo.rpc.StatusRpcException;
import org.apache.dubbo.rpc.TriRpcStatus;
import org.apache.dubbo.rpc.protocol.tri.compressor.DeCompressor;
import org.jspecify.annotations.Nullable;

/** Inflates gRPC messages, up to a limit and in steps, so that no message costs more memory than it has. */
public final class BoundedInflater {

    /** The maximum length of an array. */
    public static final int MOST = Integer.MAX_VALUE - 8;

    /** In front of each message: whether it is compressed, and its length. */
    public static final int PREFIX_BYTES = 5;

    /** What only Dubbo can inflate. */
    public static final String SNAPPY = "snappy";

    private static final String GZIP = MessageCompressor.GZIP;
    private static final String ZSTD = MessageCompressor.ZSTD;

    /** Dubbo brings no library for it (3.3.6). */
    private static final boolean HAS_SNAPPY =
            ClassUtils.isPresent("org.xerial.snappy.Snappy", DeCompressor.class.getClassLoader());

    /** The encodings that every process can inflate. Dubbo's {@code bzip2} announces no length and has no bound. */
    public static final String COMMON = GZIP + (HAS_SNAPPY ? "," + SNAPPY : "");

    /** The encodings that can be inflated within a limit, as {@code grpc-accept-encoding} lists them. */
    private static final String ACCEPTED = COMMON + (ZstdLibrary.isPresent() ? "," + ZSTD : "");

    /** These, and {@code identity}. */
    public static final Set<String> ENCODINGS = Set.of((GrpcMessageCompression.IDENTITY + "," + ACCEPTED).split(","));

    /** What limits a message. */
    public static final String PAYLOAD = "the payload (dubbo.protocol.payload, or payload of the reference)";

    private static final int FIRST_BYTES = 4096;

    private BoundedInflater() {}

    /**
     * The value of {@code grpc-accept-encoding}.
     *
     * @param dictionary the encoding with the dictionary of the caller's island, or null
     */
    public static String accepted(@Nullable String dictionary) {
        return dictionary == null ? ACCEPTED : ACCEPTED + "," + dictionary;
    }

    /**
     * The inflated message with the prefix of a plain one. Memory is allocated in steps of at most
     * {@link MemoryBudget#STEP} bytes, as it is filled.
     *
     * @param message begins with its prefix
     * @param counted receives the size of each step
     * @throws StatusRpcException if it is over the limit, or its encoding is unknown
     */
    public static ByteBuf inflate(
            String encoding, ByteBuf message, int limit, UnaryOperator<byte[]> snappy, IntConsumer counted)
            throws IOException {
        ByteBuf body = message.slice(message.readerIndex() + PREFIX_BYTES, message.readableBytes() - PREFIX_BYTES);
        byte[] prefix = new byte[PREFIX_BYTES];
        List<ByteBuf> steps = new ArrayList<>();
        steps.add(Unpooled.wrappedBuffer(prefix));
        int length = 0;
        if (encoding.equals(SNAPPY) && HAS_SNAPPY) {
            byte[] compressed = ByteBufUtil.getBytes(body);
            requireFits(snappyLength(compressed), limit);
            byte[] plain = snappy.apply(compressed);
            counted.accept(plain.length);
            length = plain.length;
            steps.add(Unpooled.wrappedBuffer(plain));
        } else if (body.isReadable()) {
            try (InputStream in = inflating(encoding, body)) {
                byte[] step = new byte[FIRST_BYTES];
                int read = in.readNBytes(step, 0, step.length);
                while (read > 0) {
                    counted.accept(step.length);
                    length += read;
                    requireFits(length, limit);
                    boolean isLast = read < step.length;
                    steps.add(Unpooled.wrappedBuffer(isLast ? Arrays.copyOf(step, read) : step));
                    step = new byte[isLast ? 0 : Math.min(MemoryBudget.STEP, 4 * step.length)];
                    read = in.readNBytes(step, 0, step.length);
                }
            }
        }
        steps.get(0).setInt(1, length);
        return Unpooled.wrappedBuffer(steps.size(), steps.toArray(ByteBuf[]::new));
    }

    private static InputStream inflating(String encoding, ByteBuf body) throws IOException {
        if (encoding.equals(GZIP)) {
            return new GZIPInputStream(new ByteBufInputStream(body));
        }
        if (!(MessageCompressors.of(encoding) instanceof ZstdCodec zstd)) {
            throw TriRpcStatus.INTERNAL
                    .withDescription("A message is compressed, and its grpc-encoding is " + encoding)
                    .asException();
        }
        return zstd.inflating(body);
    }

    /**
     * The inflated message.
     *
     * @param message without a prefix
     * @param counted receives the size of each step
     * @throws StatusRpcException if it is over the limit, or its encoding is unknown
     */
    public static byte[] inflate(
            String encoding, byte[] message, int limit, UnaryOperator<byte[]> snappy, IntConsumer counted)
            throws IOException {
        ByteBuf plain =
                inflate(encoding, Unpooled.wrappedBuffer(new byte[PREFIX_BYTES], message), limit, snappy, counted);
        return ByteBufUtil.getBytes(plain.skipBytes(PREFIX_BYTES));
    }

    /** The length as snappy writes it in front: seven bits per byte, the lowest first. */
    private static long snappyLength(byte[] message) {
        long length = 0;
        for (int i = 0; i < Math.min(PREFIX_BYTES, message.length); i++) {
            length |= (message[i] & 0x7fL) << (7 * i);
            if (message[i] >= 0) {
                break;
            }
        }
        return length;
    }

    private static void requireFits(long bytes, int limit) {
        if (bytes > limit) {
            throw tooLarge("is larger when it is inflated", PAYLOAD, limit);
        }
    }

    /** The refusal of a message. */
    public static StatusRpcException tooLarge(String how, String limitName, int limit) {
        return TriRpcStatus.fromCode(TriRpcStatus.Code.RESOURCE_EXHAUSTED)
                .withDescription("The message was not read: it " + how + ", and " + limitName + " is " + limit)
                .asException();
    }
}
