// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.connection.triple;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.zip.GZIPInputStream;
import org.apache.dubbo.rpc.TriRpcStatus;
import org.jspecify.annotations.Nullable;

/**
 * Reads the gRPC messages of one call, however its data was cut, and inflates those that are compressed. No message is
 * longer than a limit, and no memory is taken for what a length announces before the bytes are there. Not thread-safe.
 */
final class MessageReader {

    static final String GZIP = "gzip";
    static final String SNAPPY = "snappy";
    private static final String IDENTITY = "identity";

    /** What can be inflated within a limit. Dubbo's {@code bzip2} tells no length and knows no bound. */
    static final Set<String> ENCODINGS = Set.of(IDENTITY, GZIP, SNAPPY);

    private static final int PREFIX_BYTES = 5;
    private static final int COMPRESSED = 1;
    private static final int FIRST_BYTES = 4096;

    private final int limit;
    private final Consumer<byte[]> messages;
    private final byte[] prefix = new byte[PREFIX_BYTES];
    private int prefixBytes;

    /** What has come of the message whose prefix is complete. */
    private byte[] body = new byte[0];

    private int bodyBytes;
    private int length;
    private String encoding = IDENTITY;
    private UnaryOperator<byte[]> snappy = UnaryOperator.identity();

    /**
     * Reads for one call.
     *
     * @param limit the most bytes of a message, inflated or not
     * @param messages takes every message, not compressed
     */
    MessageReader(int limit, Consumer<byte[]> messages) {
        this.limit = limit;
        this.messages = messages;
    }

    /** Says how compressed messages are compressed: one of {@link #ENCODINGS}; null stands for not at all. */
    void encoding(@Nullable String name, UnaryOperator<byte[]> ofSnappy) {
        encoding = name == null ? IDENTITY : name;
        snappy = ofSnappy;
    }

    /**
     * Reads what has come, to its end.
     *
     * @throws org.apache.dubbo.rpc.StatusRpcException if a message is over the limit, or is none
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
        if (length < 0 || length > limit) { // a larger number is negative here
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
     * What a message is when it is inflated.
     *
     * @throws org.apache.dubbo.rpc.StatusRpcException if that is over the limit, or not known how
     */
    static byte[] inflate(String encoding, byte[] message, int limit, UnaryOperator<byte[]> snappy) throws IOException {
        return switch (encoding) {
            case GZIP -> gunzip(message, limit);
            case SNAPPY -> {
                requireFits(snappyLength(message), limit);
                yield snappy.apply(message);
            }
            default ->
                throw TriRpcStatus.INTERNAL
                        .withDescription("A message is compressed, and its grpc-encoding is " + encoding)
                        .asException();
        };
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

    /** As its format says it, in front: seven bits a byte, the lowest first. */
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
                .withDescription("The request was not read: a message " + how + ", and the protocol's payload is "
                        + limit + " (dubbo.protocol.payload)")
                .asException();
    }
}
