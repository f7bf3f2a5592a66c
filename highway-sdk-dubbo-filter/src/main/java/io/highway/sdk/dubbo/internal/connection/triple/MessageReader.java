// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.connection.triple;

import io.highway.sdk.dubbo.internal.connection.channel.BufferedBytes;
import io.highway.sdk.dubbo.internal.connection.channel.Pieces;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufInputStream;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.IntConsumer;
import java.util.function.UnaryOperator;
import java.util.zip.GZIPInputStream;
import org.apache.dubbo.rpc.StatusRpcException;
import org.apache.dubbo.rpc.TriRpcStatus;
import org.jspecify.annotations.Nullable;

/**
 * Finds the gRPC messages of one call, however its data is split, and inflates compressed ones. No message is longer
 * than a limit, and no memory is allocated for an announced length before the bytes arrive. Not thread-safe.
 */
final class MessageReader {

    /** In front of each message: whether it is compressed, and its length. */
    static final int PREFIX_BYTES = 5;

    static final String SNAPPY = "snappy";
    private static final String IDENTITY = "identity";
    private static final String GZIP = MessageCompressor.GZIP;
    private static final String ZSTD = MessageCompressor.ZSTD;

    /**
     * The encodings that can be inflated within a limit, as {@code grpc-accept-encoding} lists them. Dubbo's
     * {@code bzip2} announces no length and has no bound.
     */
    static final String ACCEPTED =
            String.join(",", ZstdLibrary.isPresent() ? List.of(GZIP, SNAPPY, ZSTD) : List.of(GZIP, SNAPPY));

    /** These, and {@code identity}. */
    static final Set<String> ENCODINGS = Set.of((IDENTITY + "," + ACCEPTED).split(","));

    private static final int COMPRESSED = 1;

    private static final int FIRST_BYTES = 4096;

    static final String PAYLOAD = "the payload (dubbo.protocol.payload, or payload of the reference)";

    private final int limit;
    private final String limitName;

    /** What has arrived of the next message, with its prefix. */
    private final Pieces pieces;

    /**
     * Reads for one call.
     *
     * @param limit the maximum size of a message in bytes, inflated or not
     * @param limitName what sets the limit
     * @param pieces none yet
     */
    MessageReader(int limit, String limitName, Pieces pieces) {
        this.limit = limit;
        this.limitName = limitName;
        this.pieces = pieces;
    }

    /**
     * The value of {@code grpc-accept-encoding}.
     *
     * @param dictionary the encoding with the dictionary of the caller's island, or null
     */
    static String accepted(@Nullable String dictionary) {
        return dictionary == null ? ACCEPTED : ACCEPTED + "," + dictionary;
    }

    /**
     * Reads up to the end of one message.
     *
     * @return the message with its prefix, which the caller releases, or null if the data ends before it does
     * @throws StatusRpcException if the message is over the limit or malformed
     */
    @Nullable
    ByteBuf next(ByteBuf data) {
        while (data.isReadable()) {
            int before = pieces.bytes();
            if (before == 0 && data.readableBytes() >= PREFIX_BYTES) {
                requireFits(data);
                int whole = PREFIX_BYTES + length(data);
                if (whole <= data.readableBytes()) {
                    return data.readRetainedSlice(whole);
                }
                pieces.add(data, data.readableBytes());
                return null;
            }
            int end = before < PREFIX_BYTES ? PREFIX_BYTES : PREFIX_BYTES + length(pieces.first());
            pieces.add(data, Math.min(end - before, data.readableBytes()));
            if (pieces.bytes() == PREFIX_BYTES) {
                requireFits(pieces.first());
            }
            if (pieces.bytes() >= PREFIX_BYTES && pieces.bytes() == PREFIX_BYTES + length(pieces.first())) {
                return pieces.take();
            }
        }
        return null;
    }

    private static int length(ByteBuf message) {
        return message.getInt(message.readerIndex() + 1);
    }

    private void requireFits(ByteBuf message) {
        byte first = message.getByte(message.readerIndex());
        if ((first & ~COMPRESSED) != 0) {
            throw TriRpcStatus.INTERNAL
                    .withDescription("This is no gRPC message: its first byte is " + (first & 0xff))
                    .asException();
        }
        int length = length(message);
        if (length < 0 || length > limit) { // an unsigned length above the int range is negative
            throw tooLarge("has " + Integer.toUnsignedString(length) + " bytes", limitName, limit);
        }
    }

    /** Whether a part of a message has arrived. */
    boolean isInsideMessage() {
        return pieces.bytes() > 0;
    }

    /** Releases what has arrived of a message. */
    void close() {
        pieces.release();
    }

    /** Whether a message is compressed; it begins with its prefix. */
    static boolean isCompressed(ByteBuf message) {
        return message.getByte(message.readerIndex()) == COMPRESSED;
    }

    /**
     * The inflated message with the prefix of a plain one. Memory is allocated in steps of at most
     * {@link BufferedBytes#STEP} bytes, as it is filled.
     *
     * @param message begins with its prefix
     * @param counted receives the size of each step
     * @throws StatusRpcException if it is over the limit, or its encoding is unknown
     */
    static ByteBuf inflate(
            String encoding, ByteBuf message, int limit, UnaryOperator<byte[]> snappy, IntConsumer counted)
            throws IOException {
        ByteBuf body = message.slice(message.readerIndex() + PREFIX_BYTES, message.readableBytes() - PREFIX_BYTES);
        byte[] prefix = new byte[PREFIX_BYTES];
        List<ByteBuf> steps = new ArrayList<>();
        steps.add(Unpooled.wrappedBuffer(prefix));
        int length = 0;
        if (encoding.equals(SNAPPY)) {
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
                    steps.add(Unpooled.wrappedBuffer(step, 0, read));
                    boolean isLast = read < step.length;
                    step = new byte[isLast ? 0 : Math.min(BufferedBytes.STEP, 4 * step.length)];
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
        if (!(MessageCompressor.of(encoding) instanceof ZstdMessages zstd)) {
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
    static byte[] inflate(String encoding, byte[] message, int limit, UnaryOperator<byte[]> snappy, IntConsumer counted)
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

    private static StatusRpcException tooLarge(String how, String limitName, int limit) {
        return TriRpcStatus.fromCode(TriRpcStatus.Code.RESOURCE_EXHAUSTED)
                .withDescription("The message was not read: it " + how + ", and " + limitName + " is " + limit)
                .asException();
    }
}
