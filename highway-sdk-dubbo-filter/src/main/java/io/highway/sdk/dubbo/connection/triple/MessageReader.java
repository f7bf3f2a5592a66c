// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.connection.triple;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.zip.GZIPInputStream;
import org.apache.dubbo.rpc.TriRpcStatus;
import org.jspecify.annotations.Nullable;

/**
 * Reads the gRPC messages of one call, however its data is split, and inflates compressed ones. No message is longer
 * than a limit, and no memory is allocated for an announced length before the bytes arrive. Not thread-safe.
 */
final class MessageReader {

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

    private static final int PREFIX_BYTES = 5;
    private static final int COMPRESSED = 1;
    private static final int FIRST_BYTES = 4096;

    private final int limit;
    private final Consumer<byte[]> messages;
    private final byte[] prefix = new byte[PREFIX_BYTES];
    private int prefixBytes;

    /** The received bytes of the message whose prefix is complete. */
    private byte[] body = new byte[0];

    private int bodyBytes;
    private int length;
    private String encoding = IDENTITY;
    private UnaryOperator<byte[]> snappy = UnaryOperator.identity();

    /**
     * Reads for one call.
     *
     * @param limit the maximum size of a message in bytes, inflated or not
     * @param messages receives every message, uncompressed
     */
    MessageReader(int limit, Consumer<byte[]> messages) {
        this.limit = limit;
        this.messages = messages;
    }

    /** Sets the encoding of compressed messages: one of {@link #ENCODINGS}, a dictionary's, or null for none. */
    void encoding(@Nullable String name, UnaryOperator<byte[]> ofSnappy) {
        encoding = name == null ? IDENTITY : name;
        snappy = ofSnappy;
    }

    /**
     * Reads the data to its end.
     *
     * @throws org.apache.dubbo.rpc.StatusRpcException if a message is over the limit or malformed
     */
    void read(InputStream data) throws IOException {
        while (fillPrefix(data) && fillBody(data)) {
            byte[] message = bodyBytes == body.length ? body : Arrays.copyOf(body, bodyBytes);
            boolean compressed = prefix[0] == COMPRESSED;
            prefixBytes = 0;
            body = new byte[0];
            messages.accept(compressed ? inflate(encoding, message, limit, snappy) : message);
        }
    }

    private boolean fillPrefix(InputStream data) throws IOException {
        if (prefixBytes == PREFIX_BYTES) {
            return true;
        }
        prefixBytes += data.readNBytes(prefix, prefixBytes, PREFIX_BYTES - prefixBytes);
        if (prefixBytes < PREFIX_BYTES) {
            return false;
        }
        if ((prefix[0] & ~COMPRESSED) != 0) {
            throw TriRpcStatus.INTERNAL
                    .withDescription("This is no gRPC message: its first byte is " + (prefix[0] & 0xff))
                    .asException();
        }
        length = ByteBuffer.wrap(prefix).getInt(1);
        if (length < 0 || length > limit) { // an unsigned length above the int range is negative
            throw tooLarge("has " + Integer.toUnsignedString(length) + " bytes", limit);
        }
        bodyBytes = 0;
        return true;
    }

    private boolean fillBody(InputStream data) throws IOException {
        while (bodyBytes < length) {
            if (bodyBytes == body.length) {
                body = Arrays.copyOf(body, (int) Math.min(length, Math.max(FIRST_BYTES, 2L * body.length)));
            }
            int read = data.readNBytes(body, bodyBytes, Math.min(length, body.length) - bodyBytes);
            if (read == 0) {
                return false;
            }
            bodyBytes += read;
        }
        return true;
    }

    /**
     * The inflated message.
     *
     * @throws org.apache.dubbo.rpc.StatusRpcException if it is over the limit, or its encoding is unknown
     */
    static byte[] inflate(String encoding, byte[] message, int limit, UnaryOperator<byte[]> snappy) throws IOException {
        return switch (encoding) {
            case GZIP -> gunzip(message, limit);
            case SNAPPY -> {
                requireFits(snappyLength(message), limit);
                yield snappy.apply(message);
            }
            default -> unzstd(encoding, message, limit);
        };
    }

    private static byte[] unzstd(String encoding, byte[] message, int limit) throws IOException {
        if (!(MessageCompressor.of(encoding) instanceof ZstdMessages zstd)) {
            throw TriRpcStatus.INTERNAL
                    .withDescription("A message is compressed, and its grpc-encoding is " + encoding)
                    .asException();
        }
        byte[] plain = zstd.inflate(message, limit);
        requireFits(plain == null ? limit + 1L : plain.length, limit);
        return Objects.requireNonNull(plain);
    }

    private static byte[] gunzip(byte[] message, int limit) throws IOException {
        if (message.length == 0) {
            return message;
        }
        byte[] plain = new byte[(int) Math.min(limit, 4L * message.length + FIRST_BYTES)];
        int bytes = 0;
        try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(message))) {
            while (true) {
                int read = in.readNBytes(plain, bytes, plain.length - bytes);
                bytes += read;
                if (bytes < plain.length) {
                    return Arrays.copyOf(plain, bytes);
                }
                int more = in.read();
                if (more < 0) {
                    return plain;
                }
                requireFits(bytes + 1L, limit);
                plain = Arrays.copyOf(plain, (int) Math.min(limit, 2L * plain.length));
                plain[bytes++] = (byte) more;
            }
        }
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
            throw tooLarge("is larger when it is inflated", limit);
        }
    }

    private static RuntimeException tooLarge(String how, int limit) {
        return TriRpcStatus.fromCode(TriRpcStatus.Code.RESOURCE_EXHAUSTED)
                .withDescription("The message was not read: it " + how + ", and the payload is " + limit
                        + " (dubbo.protocol.payload, or payload of the reference)")
                .asException();
    }
}
